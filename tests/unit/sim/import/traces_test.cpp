#include "tests/unit/sim/import/traces.h"

#include <cmath>

#include <gtest/gtest.h>

#include "sim/import/fit.h"
#include "sim/import/import.h"
#include "sim/scenario/read/read.h"
#include "sim/simulate/simulate.h"

// Figures of ../shared/traces/README.md and reliability.md 5, about the traces.
namespace aftershock::sim::imports {
namespace {

constexpr double kHour = 3.6e9;

Trace trace_of(const std::string& format, const std::string& path) {
  auto read = read_trace(format, text_of(path), path);
  EXPECT_TRUE(std::holds_alternative<Trace>(read));
  return std::get<Trace>(std::move(read));
}

Imported imported(const std::string& path) {
  auto read = import_faults({.path = path, .text = text_of(path)});
  EXPECT_TRUE(std::holds_alternative<Imported>(read));
  return std::get<Imported>(std::move(read));
}

TEST(Traces, InfinitehbdHasThePublishedCounts) {
  AFTERSHOCK_NEEDS_TRACE(path, "infinitehbd/fault_trace.json");
  const TraceFigures figures = figures_of(trace_of("infinitehbd", path), 400);
  EXPECT_EQ(figures.faults, 584);
  EXPECT_EQ(figures.outages, 582);
  EXPECT_EQ(figures.nodes_named, 231U);
  EXPECT_NEAR(figures.repair_mean_us / kHour, 132.8, 0.05);
  EXPECT_NEAR(figures.repair_median_us / kHour, 20.39, 0.005);
  EXPECT_NEAR(figures.longer_than_day * 100, 47.6, 0.05);
  EXPECT_NEAR(figures.unavailability * 100, 2.32, 0.005);
  EXPECT_NEAR(figures.down_mean, 9.36, 0.005);
  EXPECT_EQ(figures.down_p99, 31);
}

struct SpotCase {
  const char* file;
  std::int64_t adds;
  std::int64_t removes;
  double hours;
  double mean_up;
  std::int64_t most;  ///< -1: not published
};

TEST(Traces, SpotTracesHaveThePublishedCounts) {
  const SpotCase cases[] = {{"bamboo/p3-trace.csv", 177, 167, 11.37, 24.0, 32},
                            {"bamboo/g4dn-trace.csv", 79, 74, 10.77, 12.6, -1}};
  for (const SpotCase& each : cases) {
    AFTERSHOCK_NEEDS_TRACE(path, each.file);
    const Trace trace = trace_of("bamboo", path);
    const TraceFigures figures = figures_of(trace, static_cast<std::uint32_t>(trace.nodes.size()));
    EXPECT_EQ(trace.counts[0].second, each.adds);
    EXPECT_EQ(trace.counts[1].second, each.removes);
    EXPECT_NEAR(static_cast<double>(figures.until_last_us) / kHour, each.hours, 0.005);
    EXPECT_NEAR(figures.up_mean, each.mean_up, 0.05);
    if (each.most >= 0) {
      EXPECT_EQ(figures.up_most, each.most);
    }
    EXPECT_TRUE(trace.dropped.empty());
  }
}

TEST(Traces, CountsOverTimeHaveThePublishedMeansAndAreSorted) {
  struct Case {
    const char* file;
    double hours;
    double mean_up;
    std::int64_t most;
    bool sorted;
  };
  const Case cases[] = {{"bamboo/a100x1-east1b.txt", 27.0, 57.3, 64, true},
                        {"bamboo/v100x1-east1c.txt", 24.2, 76.3, 80, false}};
  for (const Case& each : cases) {
    AFTERSHOCK_NEEDS_TRACE(path, each.file);
    const Trace trace = trace_of("bamboo", path);
    const TraceFigures figures = figures_of(trace, static_cast<std::uint32_t>(trace.nodes.size()));
    EXPECT_NEAR(static_cast<double>(figures.until_last_us) / kHour, each.hours, 0.05);
    EXPECT_NEAR(figures.up_mean, each.mean_up, 0.05) << each.file;
    EXPECT_EQ(figures.up_most, each.most);
    EXPECT_EQ(trace.dropped.empty(), each.sorted) << each.file;
  }
}

TEST(Traces, ReplayedOutagesTakeAsMuchNodeTimeAsInTheTrace) {
  AFTERSHOCK_NEEDS_TRACE(path, "infinitehbd/fault_trace.json");
  const Imported trace = imported(path);
  const auto summary =
      simulate::simulate(std::make_shared<const scenario::Scenario>(trace.read), {});
  EXPECT_EQ(std::lround(summary.unavailability * 10'000), 232);
  // The job that stands for all nodes may well be stuck: the outages are what is looked at.
  EXPECT_NE(summary.verdict, reports::Verdict::kInvalid);
  EXPECT_TRUE(summary.violations.empty());
  std::int64_t fired = 0;
  for (const auto& [kind, counts] : summary.faults) {
    fired += counts.fired;
  }
  EXPECT_EQ(fired, static_cast<std::int64_t>(trace.faults.faults.size()));
  // 582 outages, of which some begin after the 348th day.
  std::size_t late = 0;
  for (const Dropped& dropped : trace.faults.dropped) {
    late += dropped.lines.size();
  }
  EXPECT_EQ(trace.faults.faults.size() + late, 582U);
}

TEST(Traces, ReplayedSpotMarketHasAsManyNodesUp) {
  AFTERSHOCK_NEEDS_TRACE(path, "bamboo/p3-trace.csv");
  const Imported trace = imported(path);
  EXPECT_EQ(trace.format, "bamboo");
  const auto summary =
      simulate::simulate(std::make_shared<const scenario::Scenario>(trace.read), {});
  EXPECT_NEAR((1 - summary.unavailability) * 32, 24.0, 0.05);
}

TEST(Traces, LognormalRepairsAreThePublishedBadFit) {
  AFTERSHOCK_NEEDS_TRACE(path, "infinitehbd/fault_trace.json");
  const std::vector<CauseFit> fits = fit_causes(trace_of("infinitehbd", path), 400).causes;
  ASSERT_FALSE(fits.empty());
  EXPECT_EQ(fits.front().outages, 584);
  const auto lognormal = std::ranges::find(fits.front().repair, Law::kLognormal, &Fitted::law);
  ASSERT_NE(lognormal, fits.front().repair.end());
  // Published: mu 2.739, sigma 2.484, mean 338 h, with the few shortest of 584 left out; here only
  // the 14 without a length are.
  EXPECT_NEAR(std::log(lognormal->scale), 2.739, 0.04);
  EXPECT_NEAR(lognormal->shape, 2.484, 0.05);
  EXPECT_NEAR(mean_of(*lognormal), 338, 30);
  EXPECT_LT(lognormal->p, kBadFit);
}

}  // namespace
}  // namespace aftershock::sim::imports
