#include "policies/jobset/config.h"

#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace aftershock::policies::jobset {
namespace {

nlohmann::json jobset_spec(const nlohmann::json& failure_policy) {
  nlohmann::json spec{{"replicatedJobs",
                       {{{"name", "workers"},
                         {"replicas", 1},
                         {"template", {{"spec", {{"completions", 1}, {"backoffLimit", 0}}}}}}}}};
  if (!failure_policy.is_null()) {
    spec["failurePolicy"] = failure_policy;
  }
  return spec;
}

/// A failurePolicy, and how many restarts it allows.
struct LimitCase {
  nlohmann::json failure_policy;
  std::int64_t limit;
};

// modelarts.md 8.3: maxRestarts is 0 where nothing is said, and N allows exactly N.
TEST(JobSetConfig, RestartsAreMaxRestarts) {
  const LimitCase cases[] = {
      {nullptr, 0}, {{{"maxRestarts", 4}}, 4}, {nlohmann::json::object(), 0}};
  for (const LimitCase& each : cases) {
    PolicyRequest request;
    request.name = "jobset";
    *request.config = jobset_spec(each.failure_policy);
    const auto result = make(request);
    const auto* made = std::get_if<ConfiguredPolicy>(&result);
    ASSERT_NE(made, nullptr) << each.failure_policy;
    EXPECT_EQ(made->policy->budgets().at(0).limit, each.limit) << each.failure_policy;
  }
}

TEST(JobSetConfig, UnknownActionsAreErrors) {
  PolicyRequest request;
  request.name = "jobset";
  *request.config = jobset_spec({{"rules", {{{"name", "a"}, {"action", "RestartJobSets"}}}}});
  const auto result = make(request);
  const auto* issues = std::get_if<std::vector<ConfigIssue>>(&result);
  ASSERT_NE(issues, nullptr);
  EXPECT_EQ(issues->size(), 1U);
}

}  // namespace
}  // namespace aftershock::policies::jobset
