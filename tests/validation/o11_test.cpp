#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/validation/run.h"
#include "tests/validation/statistics.h"

// Oracle O11: shards that are kept in the memory of two nodes. Such checkpoints are none of the
// model's; which nodes are lost together is, and that is what decides whether they survive.
namespace aftershock::sim::validation {
namespace {

/// C(N/2, k) 2^k / C(N, k): no two of k nodes are a pair.
double survival(int nodes, int lost) {
  double probability = 1;
  for (int i = 0; i < lost; ++i) {
    probability *= static_cast<double>(nodes - 2 * i) / (nodes - i);
  }
  return probability;
}

/// Whether no pair is among the first so many that are lost; `partner(node)` has the other copy.
template <class Partner>
bool survives(const FinishedRun& run, std::size_t count, Partner partner) {
  std::set<std::uint32_t> lost;
  for (const faults::FaultRecord& fault : run.faults) {
    for (std::uint32_t node = fault.node; node < fault.node + fault.nodes && lost.size() < count;
         ++node) {
      lost.insert(node);
    }
  }
  EXPECT_EQ(lost.size(), count);
  return std::ranges::none_of(lost,
                              [&](std::uint32_t node) { return lost.contains(partner(node)); });
}

struct Pairs {
  int nodes;
  int lost;
  double printed;
  std::uint64_t runs;
};

class O11 : public testing::TestWithParam<Pairs> {};

TEST_P(O11, PairsSurviveAsOftenAsRandomNodesAllow) {
  const Pairs& row = GetParam();
  expect_printed("survival", survival(row.nodes, row.lost), row.printed, 9);
  const auto scenario = read("tests/validation/o11_first_losses.json",
                             {"/cluster/pools/1/nodes=" + std::to_string(row.nodes),
                              "/until=" + std::to_string(16'000 / row.nodes) + "d"});
  ASSERT_TRUE(scenario);
  const auto neighbour = [](std::uint32_t node) { return node ^ 1U; };
  const auto runs = over_seeds(*scenario, seeds(row.runs), [&](const FinishedRun& run) {
    return survives(run, static_cast<std::size_t>(row.lost), neighbour) ? 1 : 0;
  });
  std::int64_t survived = 0;
  for (const int run : runs) {
    survived += run;
  }
  expect_share("pairs, " + std::to_string(row.lost) + " of " + std::to_string(row.nodes), survived,
               runs.size(), survival(row.nodes, row.lost));
}

INSTANTIATE_TEST_SUITE_P(Rows, O11,
                         testing::Values(Pairs{16, 2, 0.933333333, 2000}, Pairs{16, 3, 0.8, 2000},
                                         Pairs{64, 2, 0.984126984, 2000},
                                         Pairs{1024, 2, 0.999022483, 400},
                                         Pairs{1024, 4, 0.994137770, 400},
                                         Pairs{1024, 8, 0.972830183, 400}));

// Four nodes go at once: copies within a rack are lost with it, copies across racks are not.
TEST(O11, CopiesInTwoRacksOutliveARack) {
  const auto scenario = read("tests/validation/o11_first_losses.json",
                             {"/cluster/pools/1/racks=4", "/faults/0/source/exponential/per=rack"});
  ASSERT_TRUE(scenario);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const FinishedRun run = run_once(*scenario, seed);
    EXPECT_FALSE(survives(run, 4, [](std::uint32_t node) { return node ^ 1U; })) << seed;
    EXPECT_TRUE(survives(run, 4, [](std::uint32_t node) { return (node + 8) % 16; })) << seed;
  }
}

}  // namespace
}  // namespace aftershock::sim::validation
