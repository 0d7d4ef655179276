#include <ostream>

#include <gtest/gtest.h>

#include "tests/validation/renewal.h"

// Oracle O7: a total budget of k restarts. Ray's max_failures is one: the (k+1)th failure ends the
// run. Restarts take no time, so all time is exposure, except in the row that says otherwise.
namespace aftershock::sim::validation {
namespace {

std::vector<std::string> budget_sets(double per_day, int k) {
  return {"/jobs/0/checkpoint=null", "/jobs/0/steps=null", "/jobs/0/restart_phases/launching=0s",
          fmt::format("/jobs/0/policy/config/max_failures={}", k),
          fmt::format("/faults/0/source/exponential/mtbf={}us", minutes(1440 / per_day))};
}

/// Whether the budget ended the run: 1, 0; -1 when the result contradicts itself.
int exhausted_in(const FinishedRun& run, int k) {
  const auto& [name, budget] = run.job().budgets.front();
  const bool failed = run.job().outcome == "failed";
  const bool sound = name == "max_failures" && budget.exhausted == failed && budget.limit == k &&
                     budget.used == static_cast<std::int64_t>(budget.charges.size()) &&
                     (failed ? budget.used == k + 1 && run.job().reason == "exhausted(max_failures)"
                             : budget.used <= k && run.job().outcome == "running");
  return sound ? static_cast<int>(failed) : -1;
}

struct Budget {
  const char* name;
  double per_day;
  double days;
  int k;
  double printed;
  int digits;
  double printed_days;  ///< mean time to exhaustion; 0: not printed
  std::uint64_t runs;
};

void PrintTo(const Budget& row, std::ostream* out) { *out << row.name; }

class O7 : public testing::TestWithParam<Budget> {};

TEST_P(O7, TotalBudget) {
  const Budget& row = GetParam();
  const double p = exhausted(row.per_day, row.days, row.k);
  expect_printed("P(exhausted)", p, row.printed, row.digits);
  auto sets = budget_sets(row.per_day, row.k);
  sets.push_back(fmt::format("/until={}us", minutes(row.days * 1440)));
  const auto scenario = read("tests/validation/renewal.json", sets);
  ASSERT_TRUE(scenario);
  const auto ends = over_seeds(*scenario, seeds(row.runs),
                               [&](const FinishedRun& run) { return exhausted_in(run, row.k); });
  std::int64_t count = 0;
  for (const int end : ends) {
    ASSERT_GE(end, 0);
    count += end;
  }
  expect_share(std::string(row.name) + ", P(exhausted)", count, ends.size(), p);

  if (row.printed_days == 0) {
    return;
  }
  // With a horizon that no run reaches every one ends so, after k + 1 gaps.
  const double mean = (row.k + 1) / row.per_day;
  expect_printed("mean time to exhaustion", mean, row.printed_days, 6);
  sets.back() = "/until=3650d";
  const auto open = read("tests/validation/renewal.json", sets);
  ASSERT_TRUE(open);
  const auto days = over_seeds(*open, ends.size(), [&](const FinishedRun& run) {
    return exhausted_in(run, row.k) == 1 ? static_cast<double>(run.job().wall_us) / 8.64e10 : -1.0;
  });
  for (std::size_t i = 0; i < days.size(); ++i) {
    ASSERT_GE(days[i], 0);
    EXPECT_EQ(days[i] <= row.days, ends[i] == 1) << "seed " << i + 1;
  }
  const Moments got(days);
  const double deviation = std::sqrt(row.k + 1.0) / row.per_day;  // of an Erlang variable
  expect_within_four_errors(std::string(row.name) + ", days to exhaustion", got.mean, mean,
                            deviation / std::sqrt(got.count));
}

INSTANTIATE_TEST_SUITE_P(
    Rows, O7,
    testing::Values(Budget{"llama_day_10", 419 / 54.0, 1, 10, 0.160957756948, 12, 1.417661, 2000},
                    Budget{"llama_day_15", 419 / 54.0, 1, 15, 0.00627595199556, 14, 2.062053, 4000},
                    Budget{"rsc1_half_day_10", 13.312, 0.5, 10, 0.0759071461204, 13, 0.826322,
                           2000},
                    Budget{"rsc1_1024_gpus_10", 0.832, 7, 10, 0.0357715239125, 13, 13.221154, 2000},
                    Budget{"rsc1_1024_gpus_3", 0.832, 7, 3, 0.832386306851, 12, 4.807692, 2000},
                    Budget{"llama_54_days_450", 419 / 54.0, 54, 450, 0.0632290406, 9, 0, 600},
                    Budget{"llama_54_days_460", 419 / 54.0, 54, 460, 0.0225744027, 9, 0, 600}),
    [](const auto& row) { return row.param.name; });

// Where a failure is masked by the ten minutes that the one before takes, the budget is charged at
// their end: the (k+1)th is after k + 1 gaps and k + 1 times ten minutes.
TEST(O7Masked, TotalBudget) {
  constexpr double kPerDay = 13.312;
  constexpr double kDays = 0.5;
  constexpr int kBudget = 8;
  constexpr double kDown = 10 / 1440.0;
  auto sets = budget_sets(kPerDay, kBudget);
  sets.emplace_back("/jobs/0/detection/fixed=10min");
  sets.emplace_back("/until=12h");
  const auto scenario = read("tests/validation/renewal.json", sets);
  ASSERT_TRUE(scenario);
  const auto ends = over_seeds(*scenario, seeds(4000),
                               [](const FinishedRun& run) { return exhausted_in(run, kBudget); });
  std::int64_t count = 0;
  for (const int end : ends) {
    ASSERT_GE(end, 0);
    count += end;
  }
  const double p = exhausted(kPerDay, kDays - (kBudget + 1) * kDown, kBudget);
  EXPECT_LT(p, exhausted(kPerDay, kDays, kBudget));
  expect_share("P(exhausted), ten minutes masked", count, ends.size(), p);
}

}  // namespace
}  // namespace aftershock::sim::validation
