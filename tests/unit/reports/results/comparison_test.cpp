#include "reports/results/comparison.h"

#include <cmath>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "reports/render/comparison_text.h"
#include "reports/render/comparison_verdict.h"

namespace aftershock::reports {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
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
  EXPECT_EQ(verdict_line(comparison, found, {}),
            "other: ettr higher by 0.0400 (from 0.0030 lower to 0.0830 higher) than one, better in "
            "3 of 3 runs; that "
            "may be chance");
  const std::string text = comparison_text(comparison, {});
  EXPECT_NE(text.find("the same in every run: completed"), std::string::npos) << text;
  EXPECT_NE(text.find("lost time"), std::string::npos) << text;
  EXPECT_EQ(text.find("ended at different places"), std::string::npos) << "no run says so";
  Comparison moved = comparison;
  moved.moving_faults = {"late\x1b"};
  EXPECT_NE(comparison_text(moved, {}).find("but what strikes by late? follows"),
            std::string::npos);
  CellRows same = compared_rows();
  same[1] = same[0];
  const Comparison nothing = compare_cells(compared_header(), same, "ettr", {});
  EXPECT_EQ(verdict_line(nothing, nothing.differences.front(), {}),
            "other: the same as one in all 3 runs, event by event");
  const auto json = to_json(comparison);
  EXPECT_EQ(json["comparisons"][0]["metrics"]["ettr"]["better"], "higher");
  EXPECT_EQ(json["comparisons"][0]["widest_seed"], 7);
}

// "Higher by 0.0000" would say nothing.
TEST(Comparison, ASmallDifferenceHasTheDigitsThatItNeeds) {
  CellRows rows = compared_rows();
  for (std::uint32_t i = 0; i < 3; ++i) {
    const double ettr = std::get<double>(rows[0][i].values[*metric_named("ettr")]);
    rows[1][i] = compared_row(1, i, {{"ettr", ettr + 1e-5 * (1 + i)}, {"completed", 1}});
  }
  const Comparison comparison = compare_cells(compared_header(), rows, "ettr", {});
  EXPECT_EQ(verdict_line(comparison, comparison.differences.front(), {}),
            "other: ettr higher by 0.000020 (from 0.000005 lower to 0.000045 higher) than one, "
            "better in 3 of 3 "
            "runs; that is less than 0.1 % of it");
  EXPECT_NE(comparison_text(comparison, {}).find("+0.000020 +- 0.000025"), std::string::npos);
}

TEST(Comparison, NamesWhatWasVariedAndChangedNothing) {
  StoreHeader header = compared_header();
  header.cells[0].parameters = {{"/question", "a"}, {"/seed", "1"}, {"policy", "p"}};
  header.cells[1].parameters = {{"/question", "b"}, {"/seed", "1"}, {"policy", "q"}};
  CellRows same = compared_rows();
  same[1] = same[0];
  const std::string text = comparison_text(compare_cells(header, same, "ettr", {}), {});
  EXPECT_NE(text.find("  nothing in these runs depends on whether /question is a or b\n"),
            std::string::npos)
      << text;
}

/// Six runs of two cells, by whether each is alive at the end. One that dies early has the higher
/// ETTR, of a shorter life, and less useful work.
CellRows lived_rows(const std::vector<int>& first, const std::vector<int>& second) {
  CellRows rows(2);
  for (std::uint32_t cell = 0; cell < 2; ++cell) {
    const std::vector<int>& alive = cell == 0 ? first : second;
    for (std::uint32_t replica = 0; replica < alive.size(); ++replica) {
      const bool lives = alive[replica] != 0;
      rows[cell].push_back(compared_row(cell, replica,
                                        {{"alive", lives ? 1 : 0},
                                         {"completed", 0},
                                         {"failed", lives ? 0 : 1},
                                         {"useful_share", lives ? 0.8 : 0.1},
                                         {"ettr", lives ? 0.85 : 0.95},
                                         {"lost_us", lives ? 9e6 : 1e6}}));
    }
  }
  return rows;
}

const std::vector<int> kAllLive{1, 1, 1, 1, 1, 1};
const std::vector<int> kOneLives{1, 0, 0, 0, 0, 0};

Comparison lived(const CellRows& rows, const std::string& goal) {
  StoreHeader header = compared_header();
  header.replicas = 6;
  return compare_cells(header, rows, goal, {});
}

std::string line_of(const CellRows& rows, const std::string& goal) {
  const Comparison comparison = lived(rows, goal);
  return verdict_line(comparison, comparison.differences.front(), {});
}

/// The row of a metric in the table, with one space between what is in it.
std::string row_of(const std::string& text, const std::string& metric) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string row;
    for (std::string word; words >> word;) {
      row += (row.empty() ? "" : " ") + word;
    }
    const std::size_t place = row.find(metric + " ");  // behind a colour
    const std::size_t value = place + metric.size() + 1;
    if (place < 10 && value < row.size() && row[value] >= '0' && row[value] <= '9') {
      return row;
    }
  }
  return "none";
}

TEST(Comparison, SaysSurvivalFirstWhereItDiffers) {
  struct Row {
    const char* why;
    std::vector<int> first;
    std::vector<int> second;
    const char* line;
  };
  const Row rows[] = {
      {"more of the second",
       {0, 0, 0, 0, 0, 0},
       kAllLive,
       "other: survives more often than one: 6 of 6 runs are alive at the end, 0 of the other; "
       "useful_share higher by "},
      {"fewer of it", kAllLive, kOneLives,
       "other: may survive less often than one: 1 of 6 runs are alive at the end, 6 of the other; "
       "useful_share lower by "},
      {"one run of six may be chance",
       {1, 1, 1, 0, 1, 1},
       kAllLive,
       "other: may survive more often than one: 6 of 6 runs are alive at the end, "
       "5 of the other; useful_share higher by "},
      {"as many, but not the same",
       {1, 1, 1, 0, 0, 1},
       {0, 1, 1, 0, 1, 1},
       "other: survives as often as one, in other runs: 4 of 6 runs are alive at the "
       "end, 4 of the other; "},
  };
  for (const Row& row : rows) {
    CellRows either = lived_rows(row.first, row.second);
    // A little apart also where as many live.
    either[1][1].values[*metric_named("useful_share")] = 0.81;
    EXPECT_THAT(line_of(either, "useful_share"), StartsWith(row.line)) << row.why;
  }
}

// Its losses, and the ETTR of its own length, are those of the little that it lived through.
TEST(Comparison, DoesNotCallItBetterThatACellDiesEarly) {
  const CellRows rows = lived_rows(kAllLive, kOneLives);
  // Differences 0 and five times 0.1: mean 0.0833, half width 2.5706 * 0.0408 / sqrt(6).
  EXPECT_EQ(line_of(rows, "ettr"),
            "other: may survive less often than one: 1 of 6 runs are alive at the end, 6 of the "
            "other; ettr higher by 0.0833 (0.0405 to 0.1262) than one");
  EXPECT_EQ(line_of(rows, "useful_share"),
            "other: may survive less often than one: 1 of 6 runs are alive at the end, 6 of the "
            "other; useful_share lower by 0.5833 (0.2834 to 0.8832) than one, worse in 5 of 6 "
            "runs");
  const Comparison comparison = lived(rows, "useful_share");
  const std::string text = comparison_text(comparison, {});
  EXPECT_EQ(row_of(text, "ettr"), "ettr 0.8500 0.9333 +0.0833 +- 0.0428 - - 1 1.0x");
  EXPECT_EQ(row_of(text, "lost time"), "lost time 9 s 2.3 s -6.7 s +- 3.4 s - - 1 1.0x");
  EXPECT_EQ(row_of(text, "useful_share"),
            "useful_share 0.8000 0.2167 -0.5833 +- 0.2999 0 5 1 1.0x");
  EXPECT_EQ(row_of(text, "alive"), "alive 1.0000 0.1667 -0.8333 +- 0.4284 0 5 1 1.0x");
  EXPECT_EQ(row_of(text, "failed"), "failed 0.0000 0.8333 +0.8333 +- 0.4284 0 5 1 1.0x");
  EXPECT_THAT(text, HasSubstr("\n  runs ended at different places: ETTR, losses, charges and times "
                              "are of what each lived through,"));
  // Nor in green or red.
  const std::string coloured = comparison_text(comparison, {.color = true});
  EXPECT_THAT(row_of(coloured, "ettr"), StartsWith("ettr "));
  EXPECT_THAT(row_of(coloured, "useful_share"), StartsWith("\x1b["));
}

TEST(Comparison, OfCellsThatAllLiveIsToldByItsGoal) {
  CellRows rows = lived_rows(kAllLive, kOneLives);
  for (RunRow& row : rows[1]) {
    row.values[*metric_named("alive")] = 1.0;
    row.values[*metric_named("failed")] = 0.0;
  }
  EXPECT_EQ(line_of(rows, "ettr"),
            "other: ettr higher by 0.0833 (0.0405 to 0.1262) than one, better in 5 of 6 runs");
  EXPECT_EQ(line_of(rows, "useful_share"),
            "other: useful_share lower by 0.5833 (0.2834 to 0.8832) than one, worse in 5 of 6 "
            "runs");
  const Comparison comparison = lived(rows, "useful_share");
  const std::string text = comparison_text(comparison, {});
  EXPECT_EQ(row_of(text, "ettr"), "ettr 0.8500 0.9333 +0.0833 +- 0.0428 5 0 1 1.0x");
  EXPECT_THAT(text, HasSubstr("the same in every run: completed, alive, failed"));
  EXPECT_THAT(text, Not(HasSubstr("ended at different places")));
  EXPECT_THAT(row_of(comparison_text(comparison, {.color = true}), "ettr"), StartsWith("\x1b["));
}

// Nor where both die, one of them sooner.
TEST(Comparison, DoesNotCallItBetterThatOneOfTwoDeadCellsDiesSooner) {
  const std::vector<int> none(6, 0);
  for (const bool sooner : {true, false}) {
    CellRows rows = lived_rows(none, none);
    for (RunRow& row : rows[0]) {
      row.values[*metric_named("wall_us")] = std::int64_t{600'000'000};
    }
    for (RunRow& row : rows[1]) {
      row.values[*metric_named("wall_us")] = std::int64_t{sooner ? 60'000'000 : 600'000'000};
      row.values[*metric_named("lost_us")] = std::int64_t{500'000};
    }
    const Comparison comparison = lived(rows, "useful_share");
    const std::string text = comparison_text(comparison, {});
    EXPECT_EQ(comparison.differences.front().ended_apart, sooner ? 6 : 0);
    EXPECT_THAT(row_of(text, "lost time"), HasSubstr(sooner ? " - - 0 " : " 6 0 0 "));
    EXPECT_EQ(text.find("ended at different places") != std::string::npos, sooner);
  }
}

// Runs that all die where those of the other cell live differ, also where the goal does not say so.
TEST(Comparison, SaysSurvivalAlsoWhereTheGoalIsTheSameInEveryRun) {
  const CellRows rows = lived_rows(kAllLive, kOneLives);
  for (const char* goal : {"completed", "finish_us"}) {
    EXPECT_THAT(
        line_of(rows, goal),
        StartsWith("other: may survive less often than one: 1 of 6 runs are alive at the end, "
                   "6 of the other; "))
        << goal;
  }
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
      {"a first start and two restarts", run, {10, 5, 0}, 900.0 / 920},
      {"never more than the starts took", run, {100, 5, 0}, 900.0 / 940},
      {"faults that were waited out restart nothing",
       with("recoveries", 9),
       {10, 5, 0},
       900.0 / 920},
      {"attempts that no fault asked for are left out",
       with("attempts", 9),
       {10, 5, 0},
       900.0 / 920},
      {"to the horizon", with("completed", 0), {10, 5, 1000}, 1 - 20.0 / 1000},
      {"one that died before it", with("completed", 0), {10, 5, 4000}, 1 - 20.0 / 4000},
      {"one that lost all",
       {{"wall_us", 1000}, {"launching_us", 50}},
       {10, 5, 1000},
       1 - 10.0 / 1000},
      {"one that would have completed", with("completed", 0), {10, 5, 0}, 1},
      {"no time", {{"wall_us", 0}}, {10, 5, 0}, -1},
  };
  for (const Case& each : cases) {
    const auto bound = hindsight_useful(compared_row(0, 0, each.values), each.costs);
    ASSERT_EQ(bound.has_value(), each.bound >= 0) << each.name;
    EXPECT_NEAR(bound.value_or(-1), each.bound, 1e-12) << each.name;
  }
  EXPECT_FALSE(hindsight_useful(RunRow(), {10, 5, 0}));
}

TEST(Hindsight, GivesEveryCellItsRegret) {
  CellRows rows{{compared_row(0, 0,
                              {{"wall_us", 1000},
                               {"productive_us", 800},
                               {"useful_share", 0.8},
                               {"launching_us", 100},
                               {"completed", 1}}),
                 compared_row(0, 1,
                              {{"wall_us", 1000},
                               {"productive_us", 900},
                               {"useful_share", 0.9},
                               {"launching_us", 100},
                               {"completed", 1}})},
                {}};
  const Comparison comparison = compare_cells(compared_header(), rows, "ettr",
                                              {StartCosts{100, 0, 0}, StartCosts{100, 0, 0}});
  ASSERT_EQ(comparison.regrets.size(), 1U) << "the other has no run";
  EXPECT_NEAR(comparison.regrets[0].bound.value, (8.0 / 9 + 0.9) / 2, 1e-12);
  EXPECT_NEAR(comparison.regrets[0].regret.value, (8.0 / 9 - 0.8) / 2, 1e-12);
}

}  // namespace
}  // namespace aftershock::reports
