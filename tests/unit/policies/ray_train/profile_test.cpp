#include "policies/ray_train/profile.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "policies/ray_train/config.h"
#include "policies/ray_train/parameters.h"
#include "policies/ray_train/rules.h"

namespace aftershock::policies::ray_train {
namespace {

const Profile& of(std::string_view name) { return *find_profile(name); }

std::string default_of(const Profile& profile, std::string_view name) {
  for (const Parameter& parameter : parameters(profile)) {
    if (parameter.name == name) {
      return std::string(parameter.default_text);
    }
  }
  return "no such parameter";
}

std::string seconds(DurationUs duration) { return std::to_string(duration / kSecondUs); }

TEST(Profile, TheDefaultIsMay2026) {
  EXPECT_EQ(of("").name, "2026-05");
  EXPECT_EQ(find_profile("2.40"), nullptr);
}

TEST(Profile, NamesComeOldestFirst) {
  EXPECT_EQ(names_of(kEveryVersion), "2.43, 2.49, 2.55, 2026-05, 2026-09, 2026-11");
  EXPECT_EQ(names_of(kUntil249), "2.43, 2.49");
  EXPECT_EQ(names_of(kOnly202609), "2026-09");
  EXPECT_EQ(names_of(kFrom202609), "2026-09, 2026-11");
  EXPECT_EQ(names_of(kOnly243 | kOnly202611), "2.43, 2026-11");
}

TEST(Profile, V2IsTheDefaultSinceTheEndOf2025) {
  EXPECT_FALSE(v2_enabled(of("2.43"), {}));
  EXPECT_FALSE(v2_enabled(of("2.49"), {}));
  EXPECT_TRUE(v2_enabled(of("2.55"), {}));
  EXPECT_TRUE(v2_enabled(of("2026-05"), {}));
  EXPECT_TRUE(v2_enabled(of("2026-09"), {}));
  EXPECT_TRUE(v2_enabled(of("2026-11"), {}));
  for (const Profile& profile : profiles()) {
    EXPECT_TRUE(v2_enabled(profile, {{"RAY_TRAIN_V2_ENABLED", "True"}}));
    EXPECT_FALSE(v2_enabled(profile, {{"RAY_TRAIN_V2_ENABLED", "0"}}));
    EXPECT_EQ(v2_enabled(profile, {{"RAY_TRAIN_V2_ENABLED", "maybe"}}), profile.v2_by_default);
  }
}

TEST(Profile, ListedDefaultsAreThoseThatApply) {
  for (const Profile& profile : profiles()) {
    SCOPED_TRACE(profile.name);
    EXPECT_EQ(default_of(profile, "worker_group_start_timeout_s"),
              seconds(profile.worker_group_start_timeout_us));
    EXPECT_EQ(default_of(profile, "health_check_interval_s"),
              seconds(profile.health_check_interval_us));
    EXPECT_EQ(default_of(profile, "worker_health_check_timeout_s"),
              seconds(profile.worker_health_check_timeout_us));
    const bool old = kUntil249.contains(profile.version);
    EXPECT_EQ(
        default_of(profile, old ? "report_barrier_timeout_s" : "collective_timeout_s"),
        profile.report_barrier_timeout_us ? seconds(*profile.report_barrier_timeout_us) : "none");
    EXPECT_EQ(profile.report_barrier_timeout_us.has_value(), old);
  }
}

TEST(Profile, EveryListedSettingIsReadAndNoOther) {
  for (const Profile& profile : profiles()) {
    SCOPED_TRACE(profile.name);
    for (const Setting& setting : settings()) {
      const std::string_view name = setting.parameter.name;
      PolicyRequest request;
      // No setting takes an object: one that is read complains of its type.
      (*request.config)[std::string(name)] = nlohmann::json::object();
      const auto reading = read_config(request, profile);
      ASSERT_EQ(reading.errors.size(), 1U) << name;
      const bool listed = default_of(profile, name) != "no such parameter";
      EXPECT_EQ(reading.errors[0].message.starts_with("got {}"), listed)
          << name << ": " << reading.errors[0].message;
    }
  }
}

TEST(Vocabulary, HasOnlyWhatTheVersionHas) {
  const PolicyInfo& oldest = policy_info(of("2.43"));
  const std::vector<std::string_view> few{"INITIALIZING", "SCHEDULING", "RESCHEDULING", "RUNNING",
                                          "RESTARTING",   "RESIZING",   "ERRORED",      "FINISHED"};
  EXPECT_EQ(oldest.states, few);
  EXPECT_EQ(oldest.budgets, std::vector<std::string_view>{"max_failures"});
  const PolicyInfo& newest = policy_info(of("2026-11"));
  EXPECT_EQ(newest.states.size(), kStateCount);
  EXPECT_EQ(newest.budgets.size(), 3U);
  const Vocabulary& words = vocabulary(of("2.49"));
  EXPECT_EQ(words.states[static_cast<std::size_t>(State::kShuttingDown)], kNoIndex);
  EXPECT_EQ(words.rules[static_cast<std::size_t>(RuleId::kPreemptingEnter)], kNoIndex);
  const auto retry = words.rules[static_cast<std::size_t>(RuleId::kFailureRetry)];
  EXPECT_EQ(words.info.rules.at(retry).id, "ray_train.failure.retry");
  EXPECT_TRUE(words.info.rules.at(retry).source.ends_with("(2.49)"));
}

}  // namespace
}  // namespace aftershock::policies::ray_train
