#include <ostream>

#include <gtest/gtest.h>

#include "tests/validation/formulas.h"
#include "tests/validation/renewal.h"

// Oracle O4, its single segments: mean, failures, variance, downtime, and how often a restart is
// struck itself. A segment's mean is that of a run of many over their number.
namespace aftershock::sim::validation {
namespace {

struct Segment {
  Renewal renewal;
  // As printed; 0: not printed.
  double time = 0;
  double failures = 0;
  int digits = 9;
  double variance = 0;
  double efficiency = 0;
};

void PrintTo(const Segment& row, std::ostream* out) { *out << row.renewal.name; }

class O4Segment : public testing::TestWithParam<Segment> {};

TEST_P(O4Segment, TakesItsTime) {
  const Segment& row = GetParam();
  const Renewal& r = row.renewal;
  const double time = segment_time(r.lam(), r.tau, r.save, r.restart, r.downtime);
  if (row.time > 0) {
    expect_printed("time", time, row.time, row.digits);
  }
  if (row.failures > 0) {
    expect_printed("failures", segment_failures(r.lam(), r.tau, r.save, r.restart), row.failures,
                   row.digits);
  }
  if (row.efficiency > 0) {
    expect_printed("efficiency", r.efficiency(), row.efficiency, 9);
  }
  const std::vector<double> walls = expect_renewal(r);
  ASSERT_FALSE(walls.empty());
  if (row.variance > 0) {
    const double variance = segment_variance(r.lam(), r.tau, r.save);
    expect_printed("variance", variance, row.variance, 6);
    const Moments wall(walls);
    const auto segments = static_cast<double>(r.segments);
    expect_within_four_errors(std::string(r.name) + ", variance", wall.variance / segments,
                              variance, wall.variance_error / segments);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Rows, O4Segment,
    testing::Values(
        Segment{{"llama", 30, 1, 5, 0, kLlama, 200, 200}, 34.660863735, 0.186765714},
        Segment{{"hour", 30, 2, 10, 0, 60, 200, 200}, 49.943537676, 0.832392295},
        Segment{{"twenty_minutes", 10, 1, 3, 0, 20, 200, 200}, 17.038369295, 0.851918465},
        Segment{{"hour_variance", 30, 2, 0, 0, 60, 20, 2000}, 42.276292, 0, 6, 314.757206},
        Segment{{"llama_variance", 30, 1, 0, 0, kLlama, 20, 2000}, 33.739502, 0, 6, 63.324511},
        Segment{{"rsc1_downtime", 60, 0, 5, 10, 1440 / 13.0, 200, 200}, 0, 0, 9, 0, 0.660604409},
        Segment{{"llama_downtime", 30, 1, 5, 3, kLlama, 200, 200}, 0, 0, 9, 0, 0.851760682},
        Segment{{"llama_quick_save", 7.7545, 1 / 6.0, 10, 0, kLlama, 400, 100},
                0,
                0,
                9,
                0,
                0.907950027}),
    [](const auto& row) { return row.param.renewal.name; });

struct Restart {
  const char* name;
  double per_day;
  double minutes;
  double printed_struck;
  double printed_attempts;
};

void PrintTo(const Restart& row, std::ostream* out) { *out << row.name; }

class O4Restart : public testing::TestWithParam<Restart> {};

TEST_P(O4Restart, IsStruckItself) {
  const Restart& row = GetParam();
  const double lam = row.per_day / 1440;
  const double struck = -std::expm1(-lam * row.minutes);
  const double attempts = std::exp(lam * row.minutes);
  expect_printed("struck", struck, row.printed_struck, 6);
  expect_printed("attempts", attempts, row.printed_attempts, 6);
  const Renewal renewal{row.name, 10, 0, row.minutes, 0, 1 / lam, 1000, 40};
  const auto scenario = read("tests/validation/renewal.json", sets_of(renewal));
  ASSERT_TRUE(scenario);
  struct Restarts {
    std::int64_t all = 0;
    std::int64_t struck = 0;
  };
  Restarts sum;
  for (const Restarts& of_run :
       over_seeds(*scenario, seeds(renewal.runs), [](const FinishedRun& run) {
         // Failures whose restarts were struck are over with the last of them, at one time.
         Restarts found{run.job().attempts - 1, 0};
         for (std::size_t i = 1; i < run.recoveries.size(); ++i) {
           found.struck += run.recoveries[i - 1].running_us == run.recoveries[i].running_us ? 1 : 0;
         }
         return found;
       })) {
    sum.all += of_run.all;
    sum.struck += of_run.struck;
  }
  ASSERT_GT(sum.all, sum.struck);
  expect_share(row.name, sum.struck, static_cast<std::uint64_t>(sum.all), struck);
  const double got = static_cast<double>(sum.all) / static_cast<double>(sum.all - sum.struck);
  // Attempts until one is through are geometric.
  expect_within_four_errors(
      std::string(row.name) + ", attempts", got, attempts,
      std::sqrt(struck) * attempts / std::sqrt(static_cast<double>(sum.all - sum.struck)));
}

INSTANTIATE_TEST_SUITE_P(Rows, O4Restart,
                         testing::Values(Restart{"of_5min_at_13_a_day", 13, 5, 0.044135, 1.046173},
                                         Restart{"of_10min_at_80_a_day", 80, 10, 0.426247,
                                                 1.742909}),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace aftershock::sim::validation
