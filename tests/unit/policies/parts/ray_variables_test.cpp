#include "policies/parts/ray_variables.h"

#include <algorithm>
#include <array>

#include <gtest/gtest.h>

namespace aftershock::policies {
namespace {

TEST(RayVariables, AreJudgedByTheirNames) {
  constexpr std::array<std::string_view, 1> kRead{"TUNE_READ_BY_THE_POLICY"};
  struct Row {
    std::string_view name;
    std::size_t errors;
    std::size_t warnings;
    std::string_view nearest;
  };
  constexpr Row kRows[] = {
      {"HOME", 0, 0, ""},
      {"RAY_DEDUP_LOGS", 0, 1, ""},
      {"RAY_DEDUP_LOG", 1, 0, "RAY_DEDUP_LOGS"},
      {"TUNE_READ_BY_THE_POLICI", 1, 0, "TUNE_READ_BY_THE_POLICY"},
      {"RAY_health_check_period_ms", 0, 1, ""},
      {"RAY_ENABLE_RECORD_ACTOR_TASK_LOGGING", 0, 1, ""},
      {"RAY_ENABLE_RECORD_ACTOR_TASK_LOGING", 1, 0, "RAY_ENABLE_RECORD_ACTOR_TASK_LOGGING"},
      {"RAY_TRAIN_ENABLE_NCCL_HANG_DETECTOR", 0, 1, ""},
      {"RAY_memory_usage_treshold", 1, 0, "RAY_memory_usage_threshold"},
  };
  for (const Row& row : kRows) {
    std::vector<ConfigIssue> errors;
    std::vector<ConfigIssue> warnings;
    judge_ray_variable(row.name, kRead, errors, warnings);
    EXPECT_EQ(errors.size(), row.errors) << row.name;
    EXPECT_EQ(warnings.size(), row.warnings) << row.name;
    if (!errors.empty()) {
      EXPECT_EQ(errors[0].nearest, row.nearest);
      EXPECT_EQ(errors[0].pointer, "/env/" + std::string(row.name));
    }
  }
}

TEST(RayVariables, AreEachThereOnce) {
  std::vector<std::string_view> names;
  for (const RayVariable& variable : ray_variables_without_effect()) {
    EXPECT_FALSE(variable.why.empty());
    names.push_back(variable.name);
  }
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

}  // namespace
}  // namespace aftershock::policies
