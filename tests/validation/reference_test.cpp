#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "tests/unit/times.h"
#include "tests/validation/renewal.h"

// The reference workload, scenarios/reference_54_days.json, against a loop that knows nothing of
// the simulator.
namespace aftershock::sim::validation {
namespace {

constexpr double kSpan = 54 * 86400.0;  // seconds, as all doubles below
constexpr double kLam = 419 / kSpan;
constexpr double kLoopTau = 1800;
constexpr double kSave = 30;
constexpr double kDetection = 60;
constexpr double kLoopRestart = 600;
constexpr double kWarmingUp = 75;  // the part of a restart in which the controller polls
constexpr double kPoll = 2;

constexpr Process kLoop{.tau_us = 1800 * kSecond,
                        .save_us = 30 * kSecond,
                        .downtime_us = 60 * kSecond,
                        .restart_us = 600 * kSecond,
                        .until_us = std::int64_t{54} * 86400 * kSecond};

constexpr Process polled(Process process) {
  process.poll_us = 2 * kSecond;
  process.polled_us = 75 * kSecond;
  return process;
}

double ettr_of(const Played& played) {
  return static_cast<double>(played.productive_us) / static_cast<double>(played.wall_us);
}

/// The ETTR of a long run whose controller sees failures `seen_later` after their detection while
/// it polls, and commits checkpoints `committed_later` after they are durable.
///
/// From the begin of training to the next one: a failure strikes after X, exponential; checkpoint j
/// counts if X > j L + committed_later, so the mean of the work kept is a geometric sum. Detection
/// follows, and then restarts until one is through, each of which a failure may end: in its first
/// part, in which nobody polls, or in its last.
double long_run_ettr(double seen_later, double committed_later) {
  const double kept =
      kLoopTau * std::exp(-kLam * committed_later) / std::expm1(kLam * (kLoopTau + kSave));
  const double fails = -std::expm1(-kLam * kLoopRestart);
  const double fails_polled =
      std::exp(-kLam * (kLoopRestart - kWarmingUp)) - std::exp(-kLam * kLoopRestart);
  const double restarts = (fails / kLam + fails * kDetection + fails_polled * seen_later) /
                          std::exp(-kLam * kLoopRestart);
  return kept / (1 / kLam + kDetection + seen_later + restarts);
}

/// The cost of polls every 2 s. A failure is detected anywhere between two polls: half of 2 s. In
/// all attempts but the first the polls begin 75 s before training, so that checkpoints, 1830 s
/// apart, are durable at odd seconds: 1 s before a poll.
double ettr_lag() { return long_run_ettr(0, 0) - long_run_ettr(kPoll / 2, 1); }

/// Exponential failures from a generator of our own.
class Failures {
 public:
  explicit Failures(std::uint64_t seed) : engine_(seed) {}
  std::int64_t operator()() {
    const double unit = (static_cast<double>(engine_() >> 11U) + 0.5) * 0x1p-53;
    t_ -= std::log(unit) / kLam;
    if (t_ < kSpan) {
      ++count_;
    }
    return std::llround(t_ * 1e6);
  }
  /// How many there are within 54 days: `next()` has been called beyond them.
  [[nodiscard]] double count() const { return static_cast<double>(count_); }

 private:
  std::mt19937_64 engine_;
  double t_ = 0;
  std::int64_t count_ = 0;
};

struct Loop {
  double ettr = 0;
  double error = 0;
};

// The mean ETTR of the loop. Most of its variance is that of the number of failures, whose mean is
// known to be 419; what they explain is taken out, which needs a tenth of the runs.
const Loop& loop() {
  static const Loop kResult = [] {
    std::vector<double> ettrs;
    std::vector<double> counts;
    for (std::uint64_t seed = 1; seed <= 10'000; ++seed) {
      Failures failures(seed);
      ettrs.push_back(ettr_of(play(kLoop, [&failures] { return failures(); })));
      while (failures() < kLoop.until_us) {
      }
      counts.push_back(failures.count());
    }
    const Moments ettr(ettrs);
    const Moments count(counts);
    double covariance = 0;
    for (std::size_t i = 0; i < ettrs.size(); ++i) {
      covariance += (ettrs[i] - ettr.mean) * (counts[i] - count.mean) / (ettr.count - 1);
    }
    const double slope = covariance / count.variance;
    for (std::size_t i = 0; i < ettrs.size(); ++i) {
      ettrs[i] -= slope * (counts[i] - 419);
    }
    const Moments explained(ettrs);
    return Loop{explained.mean, explained.mean_error()};
  }();
  return kResult;
}

TEST(Reference, LoopGivesTheFigure) {
  std::printf("loop: %.6f +- %.6f; a long run's: %.6f; lag of polls %.6f\n", loop().ettr,
              loop().error, long_run_ettr(0, 0), ettr_lag());
  EXPECT_LT(4 * loop().error, 0.0001);
  EXPECT_NEAR(loop().ettr, 0.85285, 0.0001);
  // Without polls the long run's is O4 with detection as downtime; 54 days differ by their ends.
  EXPECT_NEAR(long_run_ettr(0, 0), efficiency(kLam, kLoopTau, kSave, kLoopRestart, kDetection),
              1e-12);
  EXPECT_NEAR(loop().ettr, long_run_ettr(0, 0), (kLoopTau + kSave + kLoopRestart) / kSpan);
  // About 2 s a failure.
  EXPECT_NEAR(ettr_lag() / loop().ettr, 2 * kLam, 0.1 * 2 * kLam);
}

struct EttrPair {
  double ours = 0;
  double loops = 0;  ///< on the same failures
};

TEST(Reference, FourThousandRuns) {
  const auto scenario = read("scenarios/reference_54_days.json");
  ASSERT_TRUE(scenario);
  const auto runs = over_seeds(*scenario, seeds(4000), [](const FinishedRun& run) {
    const Played with_polls = play(polled(kLoop), FailuresOf(run));
    const bool as_played = run.job().wall_us == with_polls.wall_us &&
                           run.productive_us() == with_polls.productive_us &&
                           run.summary.verdict == reports::Verdict::kPassed;
    return as_played ? EttrPair{run.job().ettr, ettr_of(play(kLoop, FailuresOf(run)))} : EttrPair{};
  });
  std::vector<double> ours;
  std::vector<double> lags;
  for (const EttrPair& run : runs) {
    ASSERT_GT(run.ours, 0) << "seed " << ours.size() + 1
                           << ": not as the loop with polls plays it, or an expectation failed";
    ours.push_back(run.ours);
    lags.push_back(run.loops - run.ours);
  }
  const Moments ettr(ours);
  expect_within_four_errors("ETTR, with the lag", ettr.mean + ettr_lag(), loop().ettr,
                            std::hypot(ettr.mean_error(), loop().error));
  expect_within_four_errors("ETTR, against the printed one", ettr.mean + ettr_lag(), 0.85285,
                            std::hypot(ettr.mean_error(), 0.0001));
  // On the same failures the lag is nearly all of the difference, so this sees it.
  const Moments lag(lags);
  expect_within_four_errors("lag", lag.mean, ettr_lag(), lag.mean_error());
  EXPECT_LT(lag.mean_error(), 0.1 * ettr_lag());
}

TEST(Reference, KinDoesTheSame) {
  const auto reference = read("scenarios/reference_54_days.json");
  ASSERT_TRUE(reference);
  for (const char* kin : {"scenarios/reference_54_days_half_step.json",
                          "scenarios/reference_54_days_8192_nodes.json"}) {
    const auto scenario = read(kin);
    ASSERT_TRUE(scenario);
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const FinishedRun first = run_once(*reference, seed);
      const FinishedRun second = run_once(*scenario, seed);
      EXPECT_EQ(second.summary.verdict, reports::Verdict::kPassed);
      EXPECT_EQ(first.job().ledger_us, second.job().ledger_us) << kin << ", seed " << seed;
      EXPECT_EQ(first.job().attempts, second.job().attempts) << kin << ", seed " << seed;
      EXPECT_EQ(first.job().lost_us, second.job().lost_us) << kin << ", seed " << seed;
    }
  }
}

}  // namespace
}  // namespace aftershock::sim::validation
