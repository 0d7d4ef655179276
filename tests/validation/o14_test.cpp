#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/validation/run.h"
#include "tests/validation/statistics.h"

// Oracle O14: nodes that are not alike, and nodes that fail together.
namespace aftershock::sim::validation {
namespace {

struct Heterogeneous {
  const char* until;
  double mean;
  double printed_none;
  double printed_variance;
  double printed_dispersion;
};

class O14Mixed : public testing::TestWithParam<Heterogeneous> {};

// Rates that are gamma among nodes make counts negative binomial.
TEST_P(O14Mixed, CountsAreNegativeBinomial) {
  const Heterogeneous& row = GetParam();
  constexpr double kShape = 0.926;
  constexpr std::uint32_t kNodes = 2000;
  const double none = std::pow(1 + row.mean / kShape, -kShape);
  const double variance = row.mean + row.mean * row.mean / kShape;
  expect_printed("P0", none, row.printed_none, 6);
  expect_printed("variance", variance, row.printed_variance, 6);
  expect_printed("dispersion", variance / row.mean, row.printed_dispersion, 6);

  const auto scenario =
      read("tests/validation/o14_mixed.json", {std::string("/until=") + row.until});
  ASSERT_TRUE(scenario);
  const auto by_run = over_seeds(*scenario, seeds(16), [](const FinishedRun& run) {
    std::vector<double> counts(kNodes, 0);
    for (const faults::FaultRecord& fault : run.faults) {
      ++counts[fault.node];
    }
    EXPECT_EQ(run.masked(), 0);
    return counts;
  });
  std::vector<double> counts;
  for (const std::vector<double>& run : by_run) {
    counts.insert(counts.end(), run.begin(), run.end());
  }
  const Moments got(counts);
  const std::string name = std::string("mixed, ") + row.until;
  expect_share(name + ", nodes without a failure", std::count(counts.begin(), counts.end(), 0.0),
               counts.size(), none);
  expect_within_four_errors(name + ", mean", got.mean, row.mean, std::sqrt(variance / got.count));
  expect_within_four_errors(name + ", variance", got.variance, variance, got.variance_error);
  // Its error is that of the variance: the mean is known ten times as well.
  expect_within_four_errors(name + ", dispersion", got.variance / got.mean, variance / row.mean,
                            got.variance_error / row.mean);
}

INSTANTIATE_TEST_SUITE_P(Rows, O14Mixed,
                         testing::Values(Heterogeneous{"365d", 1.46, 0.416255, 3.761944, 2.576674},
                                         Heterogeneous{"755.1h", 0.12585, 0.888695, 0.142954,
                                                       1.135907}));

// 2,048 nodes in racks of 4: 5.5e-3 a day of each node, 2e-3 of each rack.
TEST(O14, RacksFailAsOne) {
  constexpr double kDays = 54;
  constexpr double kNodes = 2048;
  constexpr double kEvents = kNodes * 5.5e-3 + kNodes / 4 * 2e-3;
  constexpr double kPerEvent = (5.5e-3 + 2e-3) * kNodes / kEvents;
  expect_printed("events a day", kEvents, 12.288, 3);
  expect_printed("nodes an event", kPerEvent, 1.25, 2);
  const auto scenario = read("tests/validation/o14_racks.json");
  ASSERT_TRUE(scenario);
  struct Lost {
    double events = 0;
    double racks = 0;
    double nodes = 0;
  };
  const auto runs = over_seeds(*scenario, seeds(100), [](const FinishedRun& run) {
    Lost lost;
    for (const faults::FaultRecord& fault : run.faults) {
      ++lost.events;
      lost.racks += fault.nodes == 4 ? 1 : 0;
      lost.nodes += fault.nodes;
    }
    EXPECT_EQ(run.masked(), 0);
    return lost;
  });
  double events = 0;
  double racks = 0;
  double nodes = 0;
  for (const Lost& lost : runs) {
    events += lost.events;
    racks += lost.racks;
    nodes += lost.nodes;
  }
  const double days = kDays * static_cast<double>(runs.size());
  expect_within_four_errors("events a day", events / days, kEvents, std::sqrt(kEvents / days));
  expect_share("events that are racks", std::llround(racks),
               static_cast<std::uint64_t>(std::llround(events)), 1.024 / kEvents);
  // An event loses one node or four: a share that is stretched by three.
  const double share = 1.024 / kEvents;
  expect_within_four_errors("nodes an event", nodes / events, kPerEvent,
                            3 * std::sqrt(share * (1 - share) / events));
}

}  // namespace
}  // namespace aftershock::sim::validation
