#include "policies/ray_train/config.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace aftershock::policies::ray_train {
namespace {

ConfigReading read(nlohmann::json config, std::map<std::string, std::string> env = {},
                   std::string_view profile = {}) {
  PolicyRequest request;
  request.name = "ray_train";
  *request.config = std::move(config);
  request.env = std::move(env);
  return read_config(request, *find_profile(profile));
}

TEST(Config, HasRaysDefaults) {
  const auto reading = read(nlohmann::json::object());
  EXPECT_TRUE(reading.errors.empty());
  EXPECT_EQ(reading.config.max_failures, 0);
  EXPECT_EQ(reading.config.controller_failure_limit, -1);
  EXPECT_EQ(reading.config.num_to_keep, std::nullopt);
  EXPECT_EQ(reading.config.health_check_interval_us, 2'000'000);
  EXPECT_EQ(reading.config.worker_health_check_timeout_us, 600'000'000);
  EXPECT_EQ(reading.config.worker_group_start_timeout_us, 60'000'000);
}

TEST(Config, ReadsNumbersOfSecondsByTheirShortestText) {
  const auto reading = read({{"health_check_interval_s", 0.1},
                             {"worker_health_check_timeout_s", 0},
                             {"worker_group_start_timeout_s", "7.5"}});
  EXPECT_TRUE(reading.errors.empty());
  EXPECT_EQ(reading.config.health_check_interval_us, 100'000);
  EXPECT_EQ(reading.config.worker_health_check_timeout_us, 0);
  EXPECT_EQ(reading.config.worker_group_start_timeout_us, 7'500'000);
}

TEST(Config, NamesWhatWasProbablyMeant) {
  const auto key = read({{"max_failure", 1}});
  ASSERT_EQ(key.errors.size(), 1U);
  EXPECT_EQ(key.errors[0].nearest, "max_failures");
  const auto variable = read({}, {{"RAY_TRAIN_WORKER_GROUP_START_TIMEOUT", "1"}});
  ASSERT_EQ(variable.errors.size(), 1U);
  EXPECT_EQ(variable.errors[0].nearest, "RAY_TRAIN_WORKER_GROUP_START_TIMEOUT_S");
}

TEST(Config, EscapesPointers) {
  const auto reading = read({{"a/b~c", 1}});
  ASSERT_EQ(reading.errors.size(), 1U);
  EXPECT_EQ(reading.errors[0].pointer, "/config/a~1b~0c");
}

TEST(Config, RefusesHugeAndFractionalLimits) {
  EXPECT_EQ(read({{"max_failures", 9223372036854775808U}}).errors.size(), 1U);
  EXPECT_EQ(read({{"max_failures", 9223372036854775807}}).errors.size(), 0U);
  EXPECT_EQ(read({{"max_failures", 3.0}}).errors.size(), 1U);
  EXPECT_EQ(read({{"max_failures", true}}).errors.size(), 1U);
  EXPECT_EQ(read({{"num_to_keep", 4294967296}}).errors.size(), 1U);
}

TEST(Config, LeavesTheJobsOwnEnvironmentAlone) {
  const auto reading = read({}, {{"NCCL_DEBUG", "INFO"}, {"PATH", "/bin"}, {"TRAY_X", "1"}});
  EXPECT_TRUE(reading.errors.empty());
  EXPECT_TRUE(reading.warnings.empty());
}

TEST(Config, KnowsWhichVersionReadsAVariable) {
  const std::map<std::string, std::string> env{{"RAY_TRAIN_ENABLE_PREEMPTION_WATCHER", "0"}};
  const auto later = read({}, env);
  EXPECT_TRUE(later.errors.empty());
  ASSERT_EQ(later.warnings.size(), 1U);
  EXPECT_EQ(later.warnings[0].pointer, "/env/RAY_TRAIN_ENABLE_PREEMPTION_WATCHER");
  EXPECT_TRUE(later.config.preemption_watcher);
  const auto read_there = read({}, env, "2026-09");
  EXPECT_TRUE(read_there.warnings.empty());
  EXPECT_FALSE(read_there.config.preemption_watcher);
}

TEST(Config, NamesTheProfilesThatHaveASetting) {
  const auto reading = read({{"max_preemption_failures", 1}});
  ASSERT_EQ(reading.errors.size(), 1U);
  EXPECT_EQ(reading.errors[0].expected, "a profile that has it: 2026-09, 2026-11");
  const auto oldest = read({{"controller_failure_limit", 1}}, {}, "2.43");
  ASSERT_EQ(oldest.errors.size(), 1U);
  EXPECT_EQ(oldest.errors[0].expected,
            "a profile that has it: 2.49, 2.55, 2026-05, 2026-09, 2026-11");
}

TEST(Config, ReadsTheSizeOfTheGroup) {
  const auto fixed = read({{"num_workers", 4}});
  ASSERT_TRUE(fixed.config.workers.has_value());
  EXPECT_FALSE(fixed.config.workers->elastic);
  EXPECT_EQ(fixed.config.workers->max, 4U);
  const auto elastic = read({{"num_workers", {2, 8}}});
  ASSERT_TRUE(elastic.config.workers.has_value());
  EXPECT_TRUE(elastic.config.workers->elastic);
  EXPECT_EQ(elastic.config.workers->min, 2U);
  EXPECT_EQ(elastic.config.workers->max, 8U);
}

TEST(Config, TellsTheWayFromWhatIsDeprecated) {
  const auto restore = read({{"restore", true}});
  ASSERT_EQ(restore.errors.size(), 1U);
  EXPECT_NE(restore.errors[0].expected.find("storage_path"), std::string::npos);
  const auto resume = read({{"resume_from_checkpoint", "s3://bucket/checkpoint"}});
  ASSERT_EQ(resume.errors.size(), 1U);
  EXPECT_NE(resume.errors[0].expected.find("train_loop_config"), std::string::npos);
}

TEST(Config, AsksForV1WhereTheEnvironmentOrTheVersionSaysSo) {
  PolicyRequest request;
  request.name = "ray_train";
  EXPECT_FALSE(asks_for_v1(request));
  request.env = {{"RAY_TRAIN_V2_ENABLED", "0"}};
  EXPECT_TRUE(asks_for_v1(request));
  request.env.clear();
  request.profile = "2.43";
  EXPECT_TRUE(asks_for_v1(request));
  request.profile = "no such profile";
  EXPECT_FALSE(asks_for_v1(request));
}

}  // namespace
}  // namespace aftershock::policies::ray_train
