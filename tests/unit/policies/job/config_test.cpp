#include "policies/job/config.h"

#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace aftershock::policies::job {
namespace {

std::unique_ptr<Policy> made(nlohmann::json config) {
  PolicyRequest request;
  request.name = "job";
  *request.config = std::move(config);
  auto result = make(request);
  EXPECT_TRUE(std::holds_alternative<ConfiguredPolicy>(result));
  return std::move(std::get<ConfiguredPolicy>(result).policy);
}

// batch/v1: backoffLimit is 6 where nothing is said.
TEST(JobConfig, LimitIsSixUnlessItIsGiven) {
  EXPECT_EQ(made(nlohmann::json::object())->budgets().at(0).limit, 6);
  EXPECT_EQ(made({{"backoffLimit", 0}})->budgets().at(0).limit, 0);
  EXPECT_EQ(made({{"kind", "Job"}, {"spec", {{"backoffLimit", 3}}}})->budgets().at(0).limit, 3);
}

TEST(JobConfig, ACopyGoesItsOwnWay) {
  const auto policy = made({{"backoffLimit", 0}, {"completions", 1}});
  static_cast<void>(policy->on_events({1, 0, {JobSubmitted{0, 2}}}, View{}));
  static_cast<void>(policy->on_events({2, 1, {AttemptRunning{0, 1}}}, View{}));
  const auto copy = policy->clone();
  static_cast<void>(policy->on_events(
      {3, 2, {WorkersFailed{.epoch = 1, .ranks = RankSet::range(0, 1)}}}, View{}));
  EXPECT_EQ(copy->info().states[copy->state()], "Running");
  EXPECT_NE(policy->info().states[policy->state()], "Running");
}

TEST(JobConfig, ProfilesThatThereAreNotNameTheNearest) {
  PolicyRequest request;
  request.name = "job";
  request.profile = "2026-80";
  const auto result = make(request);
  const auto* issues = std::get_if<std::vector<ConfigIssue>>(&result);
  ASSERT_NE(issues, nullptr);
  EXPECT_FALSE(issues->empty());
}

}  // namespace
}  // namespace aftershock::policies::job
