#include "reports/results/comparison.h"

#include <cmath>
#include <map>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "reports/render/comparison_text.h"

namespace aftershock::reports {
namespace {

using Values = std::map<std::string, double>;

RunRow compared_row(std::uint32_t cell, std::uint32_t replica, const Values& values) {
  RunRow row;
  row.cell = cell;
  row.replica = replica;
  row.seed = 7 + replica;
  row.hash = 100 * cell + replica;
  row.values.resize(metrics().size());
  for (const auto& [name, value] : values) {
    row.values[*metric_named(name)] = value;
  }
  return row;
}

StoreHeader compared_header() {
  StoreHeader header;
  header.scenario = "x";
  header.first_seed = 7;
  header.replicas = 4;
  header.cells = {{"one", "p@1", {}}, {"other", "q@1", {}}};
  return header;
}

CellRows compared_rows() {
  return {{compared_row(0, 0, {{"ettr", 0.9}, {"lost_us", 4e6}, {"completed", 1}}),
           compared_row(0, 1, {{"ettr", 0.8}, {"lost_us", 6e6}, {"completed", 1}}),
           compared_row(0, 2, {{"ettr", 0.7}, {"lost_us", 8e6}, {"completed", 1}})},
          {compared_row(1, 0, {{"ettr", 0.95}, {"lost_us", 3e6}, {"completed", 1}}),
           compared_row(1, 1, {{"ettr", 0.85}, {"lost_us", 5e6}, {"completed", 1}}),
           compared_row(1, 2, {{"ettr", 0.72}, {"lost_us", 8e6}, {"completed", 1}})}};
}

// Differences 0.05, 0.05, 0.02: mean 0.04, deviation sqrt(0.0006 / 2), Student's t of two degrees
// of freedom at 97.5 % is 4.302653.
TEST(Comparison, PairsRunsByReplica) {
  const Comparison comparison = compare_cells(compared_header(), compared_rows(), "ettr", {});
  ASSERT_EQ(comparison.differences.size(), 1U);
  const CellDifference& found = comparison.differences.front();
  EXPECT_EQ(found.pairs, 3);
  EXPECT_EQ(found.identical, 0);
  ASSERT_TRUE(found.goal);
  const MetricDifference& ettr = found.metrics[*found.goal];
  EXPECT_NEAR(ettr.first, 0.8, 1e-12);
  EXPECT_NEAR(ettr.second, 0.84, 1e-12);
  EXPECT_NEAR(ettr.difference.mean.value, 0.04, 1e-12);
  const double half = 4.302653 * std::sqrt(0.0006 / 2 / 3);
  ASSERT_TRUE(ettr.difference.mean.interval);
  EXPECT_NEAR(ettr.difference.mean.interval->low, 0.04 - half, 1e-6);
  EXPECT_NEAR(ettr.difference.mean.interval->high, 0.04 + half, 1e-6);
  EXPECT_EQ(ettr.better_runs, 3);
  EXPECT_TRUE(ettr.difference.bootstrap);
  ASSERT_TRUE(ettr.narrower);
  // Deviations 0.1 and sqrt(0.0266 / 2): standard error 0.08813 on 3.92 degrees of freedom, at
  // which t is 2.80; the paired half width is 0.0430.
  EXPECT_NEAR(*ettr.narrower, 5.7, 0.1);
  ASSERT_TRUE(found.widest);
  EXPECT_EQ(*found.widest, 0U) << "of two alike the first";
  EXPECT_TRUE(found.flips.empty());
  for (const MetricDifference& metric : found.metrics) {
    if (metric.name == "lost_us") {
      EXPECT_EQ(metric.better_runs, 2) << "lower is better";
      EXPECT_EQ(metric.worse_runs, 0);
      EXPECT_EQ(metric.difference.equal, 1);
    }
    EXPECT_NE(metric.name, "attempts") << "no run has a value";
  }
}

TEST(Comparison, LeavesOutWhatACellLacksAndFindsFlips) {
  CellRows rows = compared_rows();
  rows[0].push_back(compared_row(0, 3, {{"ettr", 0.9}}));
  rows[1].push_back(compared_row(1, 3, {{"ettr", 0.5}}));
  rows[1].erase(rows[1].begin());
  rows[1][0].values.clear();  // its worker died
  rows[0][2].hash = rows[1][1].hash;
  const CellDifference found =
      compare_cells(compared_header(), rows, "ettr", {}).differences.front();
  EXPECT_EQ(found.pairs, 2);
  EXPECT_EQ(found.identical, 1);
  EXPECT_EQ(found.flips, (std::vector<std::uint32_t>{2})) << "0.02 up where the mean is down";
  EXPECT_EQ(found.widest, 3U);
  const CellRows none{{}, rows[1]};
  EXPECT_EQ(compare_cells(compared_header(), none, "ettr", {}).differences.front().pairs, 0);
}

TEST(Comparison, IsToldInWords) {
  const Comparison comparison =
      compare_cells(compared_header(), compared_rows(), "ettr", {StartCosts{}, StartCosts{}});
  const CellDifference& found = comparison.differences.front();
  EXPECT_EQ(
      verdict_line(comparison, found, {}),
      "other: ettr higher by 0.0400 (-0.0030 to 0.0830) than one, better in 3 of 3 runs; that "
      "may be chance");
  const std::string text = comparison_text(comparison, {});
  EXPECT_NE(text.find("the same in every run: completed"), std::string::npos) << text;
  EXPECT_NE(text.find("lost_us"), std::string::npos) << text;
  EXPECT_EQ(text.find("fail,"), std::string::npos) << "no run says so";
  CellRows failing = compared_rows();
  for (RunRow& row : failing[0]) row.values[*metric_named("failed")] = 0.0;
  for (RunRow& row : failing[1]) row.values[*metric_named("failed")] = 1.0;
  EXPECT_NE(comparison_text(compare_cells(compared_header(), failing, "ettr", {}), {})
                .find("3 runs of it fail, 0 of the other"),
            std::string::npos);
  Comparison moved = comparison;
  moved.moving_faults = {"late\x1b"};
  EXPECT_NE(comparison_text(moved, {}).find("but late? follow"), std::string::npos);
  CellRows same = compared_rows();
  same[1] = same[0];
  const Comparison nothing = compare_cells(compared_header(), same, "ettr", {});
  EXPECT_EQ(verdict_line(nothing, nothing.differences.front(), {}),
            "other: the same as one in all 3 runs, event by event");
  const auto json = to_json(comparison);
  EXPECT_EQ(json["comparisons"][0]["metrics"]["ettr"]["better"], "higher");
  EXPECT_EQ(json["comparisons"][0]["widest_seed"], 7);
}

TEST(Hindsight, LeavesTheStartsThatFaultsCost) {
  struct Case {
    const char* name;
    Values values;
    StartCosts costs;
    double bound;  // -1: none
  };
  const Values run{{"wall_us", 1000},     {"productive_us", 900}, {"launching_us", 30},
                   {"rendezvous_us", 10}, {"attempts", 3},        {"recoveries", 2},
                   {"completed", 1}};
  const auto with = [&run](const std::string& name, double value) {
    Values changed = run;
    changed[name] = value;
    return changed;
  };
  const Case cases[] = {
      {"a first start and two restarts", run, {10, 5}, 900.0 / 920},
      {"never more than the starts took", run, {100, 5}, 900.0 / 940},
      {"faults that were waited out restart nothing", with("recoveries", 9), {10, 5}, 900.0 / 920},
      {"attempts that no fault asked for are left out", with("attempts", 9), {10, 5}, 900.0 / 920},
      {"to the horizon", with("completed", 0), {10, 5}, 1 - 20.0 / 1000},
      {"one that lost all", {{"wall_us", 1000}, {"launching_us", 50}}, {10, 5}, 1 - 10.0 / 1000},
      {"no time", {{"wall_us", 0}}, {10, 5}, -1},
  };
  for (const Case& each : cases) {
    const auto bound = hindsight_ettr(compared_row(0, 0, each.values), each.costs);
    ASSERT_EQ(bound.has_value(), each.bound >= 0) << each.name;
    EXPECT_NEAR(bound.value_or(-1), each.bound, 1e-12) << each.name;
  }
  EXPECT_FALSE(hindsight_ettr(RunRow(), {10, 5}));
}

TEST(Hindsight, GivesEveryCellItsRegret) {
  CellRows rows{{compared_row(0, 0,
                              {{"wall_us", 1000},
                               {"productive_us", 800},
                               {"ettr", 0.8},
                               {"launching_us", 100},
                               {"completed", 1}}),
                 compared_row(0, 1,
                              {{"wall_us", 1000},
                               {"productive_us", 900},
                               {"ettr", 0.9},
                               {"launching_us", 100},
                               {"completed", 1}})},
                {}};
  const Comparison comparison =
      compare_cells(compared_header(), rows, "ettr", {StartCosts{100, 0}, StartCosts{100, 0}});
  ASSERT_EQ(comparison.regrets.size(), 1U) << "the other has no run";
  EXPECT_NEAR(comparison.regrets[0].bound.value, (8.0 / 9 + 0.9) / 2, 1e-12);
  EXPECT_NEAR(comparison.regrets[0].regret.value, (8.0 / 9 - 0.8) / 2, 1e-12);
}

}  // namespace
}  // namespace aftershock::reports
