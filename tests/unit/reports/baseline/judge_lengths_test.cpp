// Runs of another size, pace or horizon than those of the baseline.

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/reports/baseline/judged.h"

namespace aftershock::reports {
namespace {

TEST(Judge, WhatAJobOfAnotherSizeOrPaceDoes) {
  const Values old{{"alive", 1},
                   {"useful_us", 10 * kDay},
                   {"useful_accelerator_us", 640 * kDay},
                   {"useful_steps", 86'400}};
  struct Length {
    double us;
    double accelerator_us;
    double steps;
    Standing standing;
  };
  for (const Length& row : {Length{11 * kDay, 352 * kDay, 95'040, Standing::kWorse},
                            Length{10 * kDay, 640 * kDay, 43'200, Standing::kWorse},
                            Length{11 * kDay, 704 * kDay, 95'040, Standing::kBetter},
                            Length{5 * kDay, 320 * kDay, 43'200, Standing::kWorse}}) {
    const Judgement found =
        judged(run_with(old), run_with({{"alive", 1},
                                        {"useful_us", row.us},
                                        {"useful_accelerator_us", row.accelerator_us},
                                        {"useful_steps", row.steps}}));
    EXPECT_EQ(found.standing, row.standing) << row.us << " " << row.accelerator_us;
    // Useful time alone speaks for what changed with it.
    const auto judged_changes = std::ranges::count_if(
        found.changes, [](const MetricChange& change) { return change.margin.has_value(); });
    EXPECT_EQ(judged_changes, row.us == 11 * kDay && row.accelerator_us == 352 * kDay ? 2 : 1);
  }
}

TEST(Judge, RunsToOtherHorizonsByTheirShares) {
  const Values old{{"alive", 1},
                   {"useful_us", 9 * kDay},
                   {"useful_share", 0.9},
                   {"charges", 3},
                   {"lost_us", kHour},
                   {"ettr", 0.9},
                   {"useful_steps", 77'760},
                   {"simulated_us", 10 * kDay}};
  const struct {
    const char* why;
    Values changes;
    Standing standing;
    bool other;
  } rows[] = {
      {"twice the time, a third less of it",
       {{"useful_us", 12 * kDay},
        {"useful_share", 0.6},
        {"useful_steps", 103'680},
        {"simulated_us", 20 * kDay}},
       Standing::kWorse,
       true},
      {"half the time, more of it",
       {{"useful_us", 4.75 * kDay},
        {"useful_share", 0.95},
        {"useful_steps", 41'040},
        {"simulated_us", 5 * kDay}},
       Standing::kBetter,
       true},
      {"twice the time, as much of it, and twice the losses",
       {{"useful_us", 18 * kDay},
        {"useful_share", 0.9},
        {"charges", 6},
        {"lost_us", 2 * kHour},
        {"useful_steps", 155'520},
        {"simulated_us", 20 * kDay}},
       Standing::kChanged,
       true},
      {"as much time", {{"useful_us", 8 * kDay}, {"useful_share", 0.8}}, Standing::kWorse, false},
      {"as much time, of which another job took less to complete",
       {{"useful_us", 9.5 * kDay}, {"useful_share", 0.92}},
       Standing::kBetter,
       false},
      {"it dies",
       {{"alive", 0}, {"useful_us", 12 * kDay}, {"useful_share", 0.6}, {"simulated_us", 15 * kDay}},
       Standing::kWorse,
       false},
  };
  for (const auto& row : rows) {
    Values now = old;
    now.insert(now.end(), row.changes.begin(), row.changes.end());
    const Judgement found = judged(run_with(old), run_with(now));
    EXPECT_EQ(found.standing, row.standing) << row.why;
    EXPECT_EQ(found.length_changed, row.other) << row.why;
  }
}

}  // namespace
}  // namespace aftershock::reports
