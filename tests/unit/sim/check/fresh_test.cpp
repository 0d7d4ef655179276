#include "sim/check/fresh.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace aftershock::sim::check {
namespace {

using reports::Standing;

/// A row a value, with seeds from 100.
std::vector<reports::RunRow> rows_with(const std::string& metric,
                                       const std::vector<double>& values) {
  std::vector<reports::RunRow> rows;
  for (const double value : values) {
    reports::RunRow row;
    row.seed = 100 + rows.size();
    row.values.resize(reports::metrics().size());
    row.values[*reports::metric_named(metric)] = value;
    rows.push_back(std::move(row));
  }
  return rows;
}

reports::FreshRuns fresh_judged(const std::string& metric, const std::vector<double>& old,
                                const std::vector<double>& now,
                                const reports::Margins& margins = {}) {
  reports::FreshRuns runs;
  judge_fresh(runs, rows_with(metric, old), rows_with(metric, now), margins, 0.95);
  return runs;
}

// Differences of -0.10, -0.11, -0.09 and -0.10 have the mean -0.1 and, by Student's t with three
// degrees of freedom (3.182), the interval -0.1 +- 3.182 * 0.008165 / 2 = -0.1130 to -0.0870.
TEST(Fresh, IsWorseWhereTheIntervalLiesBeyondTheMargin) {
  const std::vector<double> old{0.9, 0.9, 0.9, 0.9};
  const std::vector<double> now{0.80, 0.79, 0.81, 0.80};
  const auto worse = fresh_judged("ettr", old, now);
  EXPECT_EQ(worse.standing, Standing::kWorse);
  EXPECT_EQ(worse.worst_seed, 101U);
  ASSERT_EQ(worse.metrics.size(), 1U);
  EXPECT_NEAR(worse.metrics[0].difference.mean.interval->low, -0.1130, 1e-4);
  EXPECT_NEAR(worse.metrics[0].difference.mean.interval->high, -0.0870, 1e-4);
  EXPECT_EQ(fresh_judged("ettr", now, old).standing, Standing::kBetter);
  EXPECT_EQ(fresh_judged("ettr", old, now, {{"ettr", {0.086, 0}}}).standing, Standing::kWorse);
  EXPECT_EQ(fresh_judged("ettr", old, now, {{"ettr", {0.088, 0}}}).standing, Standing::kChanged);
  EXPECT_EQ(fresh_judged("lost_us", {1e9, 1e9}, {2e9, 2e9}).standing, Standing::kWorse);
  EXPECT_EQ(fresh_judged("lost_us", {2e9, 2e9}, {1e9, 1e9}).standing, Standing::kBetter);
}

TEST(Fresh, WhatScattersOrIsNotJudgedIsNoMoreThanAChange) {
  EXPECT_EQ(fresh_judged("ettr", {0.9, 0.9, 0.9, 0.9}, {0.8, 0.99, 0.8, 0.99}).standing,
            Standing::kChanged);
  EXPECT_EQ(fresh_judged("ettr", {0.9, 0.9}, {0.9, 0.9}).standing, Standing::kSame);
  EXPECT_EQ(fresh_judged("wall_us", {1, 1}, {2, 2}).standing, Standing::kSame);
}

// One question more makes each interval wider; equal metrics ask none.
TEST(Fresh, CountsItsQuestions) {
  const auto old = rows_with("ettr", {0.9, 0.9});
  auto now = rows_with("ettr", {0.9, 0.8});
  EXPECT_EQ(questions_in(old, old, {}), 0U);
  EXPECT_EQ(questions_in(old, now, {}), 1U);
  const std::size_t attempts = *reports::metric_named("attempts");
  auto with_attempts = old;
  with_attempts[0].values[attempts] = std::int64_t{3};
  now[0].values[attempts] = std::int64_t{4};
  EXPECT_EQ(questions_in(with_attempts, now, {}), 1U);
  EXPECT_EQ(questions_in(with_attempts, now, {{"attempts", {}}}), 2U);
}

}  // namespace
}  // namespace aftershock::sim::check
