#include "sim/advise/policy_settings.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/advise/cures.h"
#include "sim/scenario/read/read.h"

namespace aftershock::sim::advise {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

scenario::Scenario scenario_of_settings(const std::string& path,
                                        const std::vector<std::string>& sets = {}) {
  scenario::ReadOptions options;
  options.sets = sets;
  return std::get<scenario::ReadScenario>(scenario::read_scenario_file(path, options)).scenario;
}

constexpr const char* kPresentJob = "scenarios/reference_54_days.json";
constexpr const char* kPresentPods = "scenarios/modelarts/npu_4096_sample_budgets.json";
constexpr const char* kAnnotations =
    R"(/jobs/0/policy/config={"metadata": {"annotations": {"fault-tolerance/job-retry-num": "8"}}})";

PolicySetting setting_of(const scenario::Scenario& scenario, std::string_view name) {
  const auto all = settings_of(scenario);
  return *std::ranges::find_if(
      all, [&](const PolicySetting& each) { return each.name.ends_with(name); });
}

TEST(PresentValue, IsWrittenOrTheDefaultOfItsKeyOrSetting) {
  const scenario::Scenario plain = scenario_of_settings(kPresentJob);
  const scenario::Scenario pods = scenario_of_settings(kPresentPods);
  const struct {
    const scenario::Scenario& scenario;
    const char* pointer;
    std::optional<std::string> value;
  } rows[] = {
      {plain, "/jobs/0/checkpoint/every", "1800s"},
      {plain, "/cluster/pools/0/nodes", "2048"},
      {plain, "/cluster/pools/0/spares", "0"},
      {plain, "/cluster/pools/0/price_per_node_hour", std::nullopt},
      {plain, "/jobs/0/policy/config/num_workers", std::to_string(plain.jobs.front().workers)},
      {pods, "/jobs/0/policy/config/unconditional_reset", "\"hardware_fault\""},
      {pods, "/jobs/0/policy/config/nothing", std::nullopt},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(present_value(row.scenario, row.pointer), row.value) << row.pointer;
  }
}

TEST(SameValue, IsOneAmountWhateverItsUnitsAndQuotes) {
  const struct {
    const char* left;
    const char* right;
    bool same;
  } rows[] = {{"60s", "1min", true},    {"\"18\"", "18", true},
              {"4", "5", false},        {"torchrun", "nvrx", false},
              {"\"own\"", "own", true}, {"\"own\"", "\"both\"", false}};
  for (const auto& row : rows) {
    EXPECT_EQ(is_same_value(row.left, row.right), row.same) << row.left << " " << row.right;
  }
}

TEST(OtherValues, AreWordsTruthsAndLongerLimits) {
  const auto other = [](const char* type, const char* unit, const char* name,
                        std::optional<std::string> present) {
    return other_values({name, type, unit, "", "/p", std::move(present)});
  };
  EXPECT_THAT(other("boolean", "", "replica_groups", "false"), ElementsAre("true"));
  EXPECT_THAT(other("string", "", "hang-retry", "\"true\""), ElementsAre("\"false\""));
  EXPECT_THAT(other(R"("own" or "both")", "", "pod_budget", "\"own\""), ElementsAre("\"both\""));
  EXPECT_THAT(other("number", "s", "start_timeout_s", "60"), ElementsAre("240", "1440"));
  EXPECT_THAT(other("number or null", "s", "queue_limit_s", "1800"), ElementsAre("7200", "43200"));
  EXPECT_THAT(other("number", "s", "collective_timeout_s", std::nullopt), ElementsAre("1800"));
  EXPECT_THAT(other("number", "s", "poll_interval_s", "2"), IsEmpty());
  EXPECT_THAT(other("integer", "", "max_failures", "3"), IsEmpty());
}

TEST(Settings, LieWhereTheScenarioHasOthersOfTheirKind) {
  EXPECT_EQ(setting_of(scenario_of_settings(kPresentPods), "job-unconditional-retry").pointer,
            "/jobs/0/policy/config/fault-tolerance~1job-unconditional-retry");
  EXPECT_EQ(
      setting_of(scenario_of_settings(kPresentPods, {kAnnotations}), "job-unconditional-retry")
          .pointer,
      "/jobs/0/policy/config/metadata/annotations/"
      "fault-tolerance~1job-unconditional-retry");
  EXPECT_TRUE(is_reading(setting_of(scenario_of_settings(kPresentPods), "unconditional_reset")));
  EXPECT_FALSE(is_reading(setting_of(scenario_of_settings(kPresentPods), "hang-retry")));
}

TEST(Cures, AreAcceptedByTheScenarioAndAreNotThereYet) {
  const auto labels = [](const scenario::Scenario& scenario) {
    std::vector<std::string> words;
    for (const Cure& cure : cures_for(scenario)) {
      words.push_back(cure.words);
    }
    return words;
  };
  const auto off = labels(scenario_of_settings(
      kPresentPods, {R"(/jobs/0/policy/config/fault-tolerance~1job-unconditional-retry="false")"}));
  EXPECT_THAT(off, ::testing::Contains("job-unconditional-retry=true"));
  EXPECT_THAT(
      off, ::testing::Contains(::testing::HasSubstr("unconditional_reset=progress, a reading of")));
  const auto on = labels(scenario_of_settings(
      kPresentPods, {R"(/jobs/0/policy/config/fault-tolerance~1job-unconditional-retry="true")"}));
  EXPECT_THAT(on, ::testing::Not(::testing::Contains("job-unconditional-retry=true")));
}

TEST(Cures, OfAPresetAreWholeObjects) {
  const auto cures = cures_for(
      scenario_of_settings(kPresentPods, {R"(/jobs/0/policy={"name": "jobset", "config": {}})",
                                          "/jobs/0/env={}", "/jobs/0/volumes=null"}));
  const auto preset = std::ranges::find_if(cures, [](const Cure& cure) {
    return cure.words == "the settings of the policy's preset start";
  });
  ASSERT_NE(preset, cures.end());
  EXPECT_EQ(preset->sets, (std::vector<std::pair<std::string, std::string>>{
                              {"/jobs/0/policy/config/failurePolicy", R"({"maxRestarts":3})"}}));
}

TEST(Settings, WithASlashAreMembersOfTheirObjectOrNamesByThemselves) {
  const scenario::Scenario job_set =
      scenario_of_settings(kPresentPods, {R"(/jobs/0/policy={"name": "jobset", "config": {}})",
                                          "/jobs/0/env={}", "/jobs/0/volumes=null"});
  EXPECT_EQ(setting_of(job_set, "maxRestarts").pointer,
            "/jobs/0/policy/config/failurePolicy/maxRestarts");
  EXPECT_EQ(setting_of(scenario_of_settings(kPresentPods), "job-retry-num").pointer,
            "/jobs/0/policy/config/fault-tolerance~1job-retry-num");
}

TEST(Cures, TogetherSetEachPlaceOnce) {
  const Cure one{"one", {{"/a", "1"}}};
  const auto both = both_of(one, {"two", {{"/b", "3"}}});
  ASSERT_TRUE(both);
  EXPECT_EQ(both->words, "one, and two");
  EXPECT_EQ(both->sets,
            (std::vector<std::pair<std::string, std::string>>{{"/a", "1"}, {"/b", "3"}}));
  EXPECT_FALSE(both_of(one, {"other", {{"/a", "2"}, {"/b", "3"}}}));
}

}  // namespace
}  // namespace aftershock::sim::advise
