#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <ostream>
#include <random>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/scenario/read/read.h"
#include "sim/simulate/simulate.h"
#include "tests/validation/renewal.h"

// The published ETTRs of Meta's RSC-1 as scenarios with expectations, scenarios/meta. Each expects
// the published figure, within its rounding and the gap that the paper's first order leaves; and,
// far closer, what the process without approximation gives. Here the figures in the files are held
// to what they are said to be.
namespace aftershock::sim::validation {
namespace {

struct Published {
  const char* name;
  double nodes;
  double dt;
  double q;
  double figure;
  double rounding;
  bool of_each_run;  ///< the figure is expected of; else of all seeds together
};

void PrintTo(const Published& row, std::ostream* out) { *out << row.name; }

class Meta : public testing::TestWithParam<Published> {};

constexpr double kMetaRestart = 5;

// The standard deviation of the ETTR of 180 days, from a loop with a generator of its own.
double deviation_of(const Process& process, double mtbf) {
  std::vector<double> ettrs;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    std::mt19937_64 engine(seed);
    double t = 0;
    const Played played = play(process, [&] {
      t -= mtbf * std::log((static_cast<double>(engine() >> 11U) + 0.5) * 0x1p-53);
      return minutes(t);
    });
    ettrs.push_back(static_cast<double>(played.productive_us) /
                    static_cast<double>(played.wall_us));
  }
  return std::sqrt(Moments(ettrs).variance);
}

TEST_P(Meta, IsWhatTheFileExpects) {
  const Published& row = GetParam();
  scenario::ReadResult read =
      scenario::read_scenario_file(std::string("scenarios/meta/") + row.name + ".json");
  ASSERT_TRUE(std::holds_alternative<scenario::ReadScenario>(read));
  const std::vector<scenario::Expression> together =
      std::get<scenario::ReadScenario>(read).check.that;
  ASSERT_FALSE(together.empty());
  const auto scenario = std::make_shared<const scenario::Scenario>(
      std::move(std::get<scenario::ReadScenario>(read).scenario));

  const double lam = row.nodes * 6.5e-3 / 1440;
  const double first_order = ettr_v2(lam, row.dt, 0, kMetaRestart) / (1 + lam * row.q);
  const double exact = efficiency(lam, row.dt, 0, kMetaRestart, row.q);
  // A failure in training is seen at the next of the polls, which begin with training: 1 s later.
  const double cycle = std::exp(lam * kMetaRestart) * (1 / lam + row.q);
  const double lag = exact * (1 / 60.0) / cycle;
  const double deviation = deviation_of({.tau_us = minutes(row.dt),
                                         .downtime_us = minutes(row.q),
                                         .restart_us = minutes(kMetaRestart),
                                         .until_us = minutes(180 * 1440)},
                                        1 / lam);
  const double within = row.rounding + std::abs(exact - first_order);
  if (row.of_each_run) {
    ASSERT_EQ(scenario->expect.size(), 2U);
    const scenario::Expectation& published = scenario->expect.front();
    EXPECT_EQ(published.near, row.figure);
    EXPECT_NEAR(published.within, within, 1e-4);
  } else {
    ASSERT_EQ(scenario->expect.size(), 1U);
    EXPECT_EQ(together.back().text, fmt::format("ettr >= {:.4f} and ettr <= {:.4f}",
                                                row.figure - within, row.figure + within));
  }
  const scenario::Expectation& theory = scenario->expect.back();
  expect_printed("exact, less the lag", exact - lag, *theory.near, 4);
  EXPECT_NEAR(theory.within, 4 * deviation, 0.4 * deviation);

  const reports::RunSummary summary = simulate::simulate(scenario, {});
  EXPECT_EQ(summary.verdict, reports::Verdict::kPassed) << summary.verdict_reason;
  std::printf("%s: published %g, first order %.4f, exact %.4f, simulated %.4f +- %.4f\n", row.name,
              row.figure, first_order, exact, summary.jobs.front().ettr, deviation);
}

INSTANTIATE_TEST_SUITE_P(Rows, Meta,
                         testing::Values(Published{"rsc1_16k_hourly", 2000, 60, 0, 0.70, 0.005,
                                                   true},
                                         Published{"rsc1_16k_5min", 2000, 5, 0, 0.93, 0.005, false},
                                         Published{"rsc1_8k_30min", 1000, 30, 1, 0.9, 0.05, true}),
                         [](const auto& row) { return row.param.name; });

// Where saves block: Meta's 12k jobs, at the interval that its formula has as the best, and the
// parts that MegaScale publishes.
struct Blocking {
  const char* file;
  double nodes;
  double rate;  ///< failures of a node in 1000 days
  double dt;
  double save;
  double q;
  double days;
  std::optional<double> formula;  ///< the paper's, as the notes print it
};

void PrintTo(const Blocking& row, std::ostream* out) { *out << row.file; }

class Saves : public testing::TestWithParam<Blocking> {};

// The published figure, which the file expects before the exact one.
void expect_published(const scenario::Expectation& published, const Blocking& row, double lam) {
  if (!row.formula) {
    EXPECT_EQ(published.min, 0.9) << "a bound is published";
    return;
  }
  EXPECT_EQ(published.near, 0.9);
  EXPECT_EQ(published.within, 0.05) << "half of the only digit";
  const double best = std::sqrt(2 * row.save / lam);
  EXPECT_NEAR(best, row.dt, 10 / 60.0) << "whole steps";
  const double formula = (1 - lam * (kMetaRestart + best / 2)) / (1 + row.save / best);
  expect_printed("the paper's formula", formula, *row.formula, 3);
  EXPECT_LT(std::abs(formula - 0.9), 0.05);
}

TEST_P(Saves, AreWhatTheFileExpects) {
  const Blocking& row = GetParam();
  scenario::ReadResult read =
      scenario::read_scenario_file(std::string("scenarios/") + row.file + ".json");
  ASSERT_TRUE(std::holds_alternative<scenario::ReadScenario>(read));
  const auto scenario = std::make_shared<const scenario::Scenario>(
      std::move(std::get<scenario::ReadScenario>(read).scenario));
  const scenario::JobSpec& job = scenario->jobs.front();
  EXPECT_EQ(job.checkpoint->every_us, minutes(row.dt));
  EXPECT_EQ(job.checkpoint->blocking_us, minutes(row.save));
  EXPECT_EQ(job.fixed_detection_us, minutes(row.q));
  EXPECT_EQ(scenario->until_us, minutes(row.days * 1440));

  const double lam = row.nodes * row.rate / 1000 / 1440;
  const double exact = efficiency(lam, row.dt, row.save, kMetaRestart, row.q);
  const double cycle = std::exp(lam * kMetaRestart) * (1 / lam + row.q);
  const double lag = exact * (1 / 60.0) / cycle;
  const double deviation = deviation_of({.tau_us = minutes(row.dt),
                                         .save_us = minutes(row.save),
                                         .downtime_us = minutes(row.q),
                                         .restart_us = minutes(kMetaRestart),
                                         .until_us = minutes(row.days * 1440)},
                                        1 / lam);
  ASSERT_GE(scenario->expect.size(), 2U);
  expect_published(scenario->expect[scenario->expect.size() - 2], row, lam);
  const scenario::Expectation& theory = scenario->expect.back();
  expect_printed("exact, less the lag", exact - lag, *theory.near, 4);
  EXPECT_NEAR(theory.within, 4 * deviation, 0.4 * deviation);

  // All seeds together are closer to it than one is.
  const std::uint64_t count = seeds(100);
  const Moments simulated(over_seeds(
      *scenario, count, [](const FinishedRun& run) { return run.summary.jobs.front().ettr; }));
  const double error = std::sqrt(simulated.variance / static_cast<double>(count));
  // Training that is not yet saved at the end counts, too.
  const double unsaved = row.dt / 2 / (row.days * 1440);
  EXPECT_NEAR(simulated.mean, exact - lag, 4 * error + unsaved);
  std::printf("%s: exact %.4f, simulated %.5f +- %.5f\n", row.file, exact, simulated.mean, error);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, Saves,
    testing::Values(Blocking{"meta/rsc1_12k_10s_save", 1536, 6.5, 7, 10 / 60.0, 0, 180, 0.919},
                    Blocking{"meta/rsc1_12k_5min_save", 1536, 1, 5810 / 60.0, 5, 0, 180, 0.897},
                    Blocking{"published/megascale", 1536, 2.325149, 10, 5 / 60.0, 10, 28,
                             std::nullopt}),
    [](const auto& row) {
      const std::string file = row.param.file;
      return file.substr(file.find('/') + 1);
    });

}  // namespace
}  // namespace aftershock::sim::validation
