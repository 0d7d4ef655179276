#include <cmath>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/times.h"
#include "tests/validation/renewal.h"

// Oracle O4: the exact expected time of a run that saves, fails and restarts. Its lines, with lam
// the rate of failures, tau the compute time between saves, d the length of a save, R that of a
// restart, K segments, and no downtime in which failures could not strike:
//
//   E[segment]   = exp(lam R) (exp(lam (tau + d)) - 1) / lam
//   E[failures]  = lam E[segment], a segment
//   Var[segment] = (exp(2x) - 2x exp(x) - 1) / lam^2, x = lam (tau + d), where R = 0
//
// The segments are independent, so K of them have K times both.
//
// What is left of the controller's polls. It looks at its workers every microsecond from the moment
// at which they run on, and every entry of the calendar lies on a whole microsecond. So a failure
// that strikes at t, and a save that ends at t, are seen at t, and decision, teardown, replacement
// and start all follow within t. Only the end comes later: a poll takes one report, and a worker
// whose report it takes still counts as running, so the last save's report is taken at the poll in
// which that save ends, the workers are seen to have finished at the next one, and the run takes
// 1 us more than its segments. Every single run is held to exactly that, by the loop of process.h.
namespace aftershock::sim::validation {
namespace {

using reports::Bucket;

struct Setting {
  const char* file;
  std::int64_t segments;
  double tau_min;
  double d_min;
  double r_min;
  double mtbf_min;
  std::uint64_t seeds;  ///< 1, 2, ...
  // The figures that oracles.md prints for Ts minutes of compute, which need not be whole segments.
  double ts_min = 0;
  double printed_wall_min = 0;
  double printed_efficiency = 0;
  double printed_failures = 0;
};

void PrintTo(const Setting& setting, std::ostream* out) { *out << setting.file; }

class O4 : public testing::TestWithParam<Setting> {
 protected:
  void SetUp() override {
    const Setting& setting = GetParam();
    const auto scenario = read(std::string("tests/validation/") + setting.file);
    ASSERT_TRUE(scenario);
    const Process process{.tau_us = minutes(setting.tau_min),
                          .save_us = minutes(setting.d_min),
                          .restart_us = minutes(setting.r_min),
                          .segments = setting.segments};
    const auto runs = over_seeds(*scenario, seeds(setting.seeds), [&](const FinishedRun& run) {
      const Played played = play(process, FailuresOf(run));
      return RenewalRun{run.summary.verdict == reports::Verdict::kPassed &&
                            run.job().outcome == "completed" && run.masked() == 0 &&
                            run.productive_us() == played.productive_us &&
                            run.job().wall_us == played.wall_us + kEndSeenLaterUs,
                        static_cast<double>(played.wall_us) / kMicrosPerMinute,
                        static_cast<double>(run.faults.size())};
    });
    for (const RenewalRun& run : runs) {
      ASSERT_TRUE(run.as_played) << setting.file << ", seed " << walls_min_.size() + 1;
      walls_min_.push_back(run.wall);
      failures_.push_back(run.failures);
    }
  }

  std::vector<double> walls_min_;
  std::vector<double> failures_;
};

TEST_P(O4, TellsTheWallTime) {
  const Setting& setting = GetParam();
  const double lam = 1 / setting.mtbf_min;
  const double failures = segment_failures(lam, setting.tau_min, setting.d_min, setting.r_min);
  const double segment_min = segment_time(lam, setting.tau_min, setting.d_min, setting.r_min);
  const auto segments = static_cast<double>(setting.segments);

  if (setting.ts_min > 0) {
    // The formulas above are those of the table.
    const double table_segments = setting.ts_min / setting.tau_min;
    EXPECT_NEAR(segment_min * table_segments, setting.printed_wall_min, 1e-6);
    EXPECT_NEAR(setting.tau_min / segment_min, setting.printed_efficiency, 1e-9);
    EXPECT_NEAR(failures * table_segments, setting.printed_failures, 1e-6);
  }

  const Moments wall(walls_min_);
  expect_within_four_errors(std::string(setting.file) + ", wall min", wall.mean,
                            segments * segment_min, wall.mean_error());

  // The ratio of the means; its error by the first order of its one random term.
  const double efficiency = segments * setting.tau_min / wall.mean;
  expect_within_four_errors(std::string(setting.file) + ", efficiency", efficiency,
                            setting.tau_min / segment_min,
                            efficiency * wall.mean_error() / wall.mean);

  const Moments struck(failures_);
  expect_within_four_errors(std::string(setting.file) + ", failures", struck.mean,
                            segments * failures, struck.mean_error());

  if (setting.r_min == 0) {
    const double variance = segments * segment_variance(lam, setting.tau_min, setting.d_min);
    expect_within_four_errors(std::string(setting.file) + ", variance", wall.variance, variance,
                              wall.variance_error);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Rows, O4,
    testing::Values(Setting{"o4_day.json", 256, 117, 5, 10, 1440, 1000,  //
                            30000, 32872.916319, 0.912605371, 22.828414},
                    Setting{"o4_six_hours.json", 526, 57, 5, 10, 360, 800,  //
                            30000, 36613.057400, 0.819379810, 101.702937},
                    Setting{"o4_quarter_hour.json", 100, 9.1, 5, 10, 15, 800,  //
                            30000, 150251.979160, 0.199664591, 10016.798611},
                    Setting{"o4_llama.json", 48, 30, 1, 5, 185.58472553699284, 2000,  //
                            1440, 1663.721459, 0.865529498, 8.964754},
                    Setting{"o4_free_restart.json", 500, 27, 5, 0, 60, 1000}),
    [](const auto& row) {
      const std::string file = row.param.file;
      return file.substr(0, file.find('.'));
    });

TEST(O4WithoutFailures, IsExact) {
  const auto scenario = read("tests/validation/o4_no_failures.json");
  ASSERT_TRUE(scenario);
  const FinishedRun done = run_once(*scenario, 1);
  const reports::JobSummary& job = done.summary.jobs.front();
  ASSERT_EQ(done.summary.verdict, reports::Verdict::kPassed) << done.summary.verdict_reason;
  constexpr std::int64_t kTau = 117 * kMinute;
  constexpr std::int64_t kD = 5 * kMinute;
  const std::int64_t productive_us = job.ledger_us[static_cast<std::size_t>(Bucket::kProductive)];
  EXPECT_EQ(job.wall_us, 64 * (kTau + kD));
  // In minutes: the products of microseconds do not fit.
  EXPECT_EQ(job.wall_us % kMinute, 0);
  EXPECT_EQ(productive_us % kMinute, 0);
  EXPECT_EQ(productive_us / kMinute * (kTau + kD), job.wall_us / kMinute * kTau);
  // Both are the double nearest to the same fraction.
  EXPECT_EQ(job.ettr, static_cast<double>(kTau) / static_cast<double>(kTau + kD));
}

}  // namespace
}  // namespace aftershock::sim::validation
