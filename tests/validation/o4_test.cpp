#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <numeric>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sim/scenario/read.h"
#include "sim/world/simulate.h"
#include "sim/world/summarise.h"

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
// 1 us more than its segments. `replayed_wall_us` holds every single run to exactly that.
namespace aftershock::sim {
namespace {

using reports::Bucket;

constexpr std::int64_t kMinute = 60'000'000;
constexpr std::int64_t kEndSeenLater_us = 1;

struct Setting {
  const char* file;
  std::int64_t segments;
  double tau_min;
  double d_min;
  double r_min;
  double mtbf_min;
  std::uint64_t seeds;  ///< 1, 2, ...
  // What oracles.md prints for Ts minutes of compute, which need not be whole segments.
  double ts_min = 0;
  double printed_wall_min = 0;
  double printed_efficiency = 0;
  double printed_failures = 0;
};

std::shared_ptr<const Scenario> read(const std::string& file, std::uint64_t seed) {
  ReadOptions options;
  options.seed = seed;
  ReadResult result = read_scenario_file("tests/validation/" + file, options);
  if (const auto* errors = std::get_if<std::vector<ScenarioError>>(&result)) {
    ADD_FAILURE() << format(errors->front());
    return nullptr;
  }
  return std::make_shared<const Scenario>(std::move(std::get<ReadScenario>(result).scenario));
}

void PrintTo(const Setting& setting, std::ostream* out) { *out << setting.file; }

struct FinishedRun {
  reports::RunSummary summary;
  std::vector<std::int64_t> failures_us;
};

FinishedRun run(const std::shared_ptr<const Scenario>& scenario) {
  World world(scenario, make_hosts(*scenario), {});
  drive(world, Driver::kAutomatic);
  world.finish();
  FinishedRun done{summarise(world, {}), {}};
  for (const FaultRecord& fault : world.faults()) {
    done.failures_us.push_back(fault.t_us);
  }
  return done;
}

/// When the run ends that these failures strike, by the oracle's own rules.
std::int64_t replayed_wall_us(const Setting& setting,
                              const std::vector<std::int64_t>& failures_us) {
  const auto us = [](double minutes) { return std::llround(minutes * kMinute); };
  const std::int64_t segment_us = us(setting.tau_min) + us(setting.d_min);
  const std::int64_t restart_us = us(setting.r_min);
  std::int64_t begin_us = 0;
  std::int64_t done = 0;
  std::int64_t restarting_us = 0;
  for (std::size_t next = 0; done < setting.segments;) {
    const std::int64_t end_us = begin_us + restarting_us + segment_us;
    if (next < failures_us.size() && failures_us[next] < end_us) {
      begin_us = failures_us[next++];
      restarting_us = restart_us;
    } else {
      begin_us = end_us;
      restarting_us = 0;
      ++done;
    }
  }
  return begin_us + kEndSeenLater_us;
}

struct Moments {
  explicit Moments(const std::vector<double>& values) : count(static_cast<double>(values.size())) {
    mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
    double fourth = 0;
    for (const double value : values) {
      const double off = value - mean;
      variance += off * off / (count - 1);
      fourth += off * off * off * off / count;
    }
    variance_error = std::sqrt(std::max(0.0, fourth - variance * variance) / count);
  }

  [[nodiscard]] double mean_error() const { return std::sqrt(variance / count); }

  double count;
  double mean = 0;
  double variance = 0;
  double variance_error = 0;  ///< standard error of the variance
};

class O4 : public testing::TestWithParam<Setting> {
 protected:
  void SetUp() override {
    const Setting& setting = GetParam();
    for (std::uint64_t seed = 1; seed <= setting.seeds; ++seed) {
      const auto scenario = read(setting.file, seed);
      ASSERT_TRUE(scenario);
      const FinishedRun done = run(scenario);
      const reports::JobSummary& job = done.summary.jobs.front();
      ASSERT_EQ(done.summary.verdict, reports::Verdict::kPassed)
          << setting.file << ", seed " << seed << ": " << done.summary.verdict_reason;
      ASSERT_EQ(job.ledger_us[static_cast<std::size_t>(Bucket::kProductive)],
                std::llround(setting.tau_min * kMinute) * setting.segments);
      ASSERT_EQ(job.wall_us, replayed_wall_us(setting, done.failures_us))
          << setting.file << ", seed " << seed;
      walls_min_.push_back(static_cast<double>(job.wall_us - kEndSeenLater_us) / kMinute);
      failures_.push_back(static_cast<double>(done.failures_us.size()));
    }
  }

  void expect_within_four_errors(const char* what, double got, double wanted, double error) {
    const double z = (got - wanted) / error;
    std::printf("%-22s %-11s %14.6f, expected %14.6f, z %+.2f\n", GetParam().file, what, got,
                wanted, z);
    EXPECT_LT(std::abs(z), 4) << what << ": " << got << " instead of " << wanted;
  }

  std::vector<double> walls_min_;
  std::vector<double> failures_;
};

TEST_P(O4, TellsTheWallTime) {
  const Setting& setting = GetParam();
  const double lam = 1 / setting.mtbf_min;
  const double failures =
      std::exp(lam * setting.r_min) * std::expm1(lam * (setting.tau_min + setting.d_min));
  const double segment_min = failures / lam;
  const auto segments = static_cast<double>(setting.segments);

  if (setting.ts_min > 0) {
    // The formulas above are those of the table.
    const double table_segments = setting.ts_min / setting.tau_min;
    EXPECT_NEAR(segment_min * table_segments, setting.printed_wall_min, 1e-6);
    EXPECT_NEAR(setting.tau_min / segment_min, setting.printed_efficiency, 1e-9);
    EXPECT_NEAR(failures * table_segments, setting.printed_failures, 1e-6);
  }

  const Moments wall(walls_min_);
  expect_within_four_errors("wall min", wall.mean, segments * segment_min, wall.mean_error());

  // The ratio of the means; its error by the first order of its one random term.
  const double efficiency = segments * setting.tau_min / wall.mean;
  expect_within_four_errors("efficiency", efficiency, setting.tau_min / segment_min,
                            efficiency * wall.mean_error() / wall.mean);

  const Moments struck(failures_);
  expect_within_four_errors("failures", struck.mean, segments * failures, struck.mean_error());

  if (setting.r_min == 0) {
    const double x = lam * (setting.tau_min + setting.d_min);
    const double variance = segments * (std::exp(2 * x) - 2 * x * std::exp(x) - 1) / (lam * lam);
    expect_within_four_errors("variance", wall.variance, variance, wall.variance_error);
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
  const auto scenario = read("o4_no_failures.json", 1);
  ASSERT_TRUE(scenario);
  const FinishedRun done = run(scenario);
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
}  // namespace aftershock::sim
