#include "sim/experiments/trial_shape.h"

#include <utility>

#include <gtest/gtest.h>

#include "sim/scenario/scenario.h"

namespace aftershock::sim::experiments {
namespace {

constexpr std::uint32_t kPerNode = 8;

TrialShape shaped(std::int64_t accelerators_e4) {
  scenario::ClusterSpec cluster;
  scenario::PoolSpec& pool = cluster.pools.emplace_back();
  pool.max_nodes = 4;
  pool.accelerators_per_node = kPerNode;
  scenario::ExperimentSpec spec;
  spec.accelerators_e4 = accelerators_e4;
  return shape_of_trials(spec, cluster);
}

struct Case {
  std::int64_t accelerators_e4;
  std::uint32_t nodes_per_trial;
  std::uint32_t trials_per_node;
};

class TrialShapes : public testing::TestWithParam<Case> {};

TEST_P(TrialShapes, FollowFromWhatATrialTakes) {
  const TrialShape shape = shaped(GetParam().accelerators_e4);
  EXPECT_EQ(shape.nodes_per_trial, GetParam().nodes_per_trial);
  EXPECT_EQ(shape.trials_per_node, GetParam().trials_per_node);
}

INSTANTIATE_TEST_SUITE_P(Resources, TrialShapes,
                         testing::Values(Case{10'000, 0, 8}, Case{5'000, 0, 16}, Case{3'000, 0, 24},
                                         Case{9'999, 0, 8}, Case{30'000, 0, 2}, Case{50'000, 0, 1},
                                         Case{80'000, 1, 1}, Case{240'000, 3, 1}));

TEST(TrialSlots, OfHalvesSharePairwise) {
  const TrialShape shape = shaped(5'000);
  EXPECT_EQ(first_accelerator(shape, 0), 0U);
  EXPECT_EQ(first_accelerator(shape, 1), 0U);
  EXPECT_EQ(first_accelerator(shape, 15), 7U);
  EXPECT_EQ(slots_using(shape, 7), (std::pair<std::uint32_t, std::uint32_t>{14, 16}));
}

TEST(TrialSlots, OfThreesLeaveTwoAcceleratorsOver) {
  const TrialShape shape = shaped(30'000);
  EXPECT_EQ(first_accelerator(shape, 1), 3U);
  EXPECT_EQ(slots_using(shape, 2), (std::pair<std::uint32_t, std::uint32_t>{0, 1}));
  EXPECT_EQ(slots_using(shape, 5), (std::pair<std::uint32_t, std::uint32_t>{1, 2}));
  const auto [first, end] = slots_using(shape, 6);
  EXPECT_EQ(first, end);
}

TEST(TrialSlots, OfAWholeNodeUseAllOfIt) {
  const TrialShape shape = shaped(160'000);
  EXPECT_EQ(slots_using(shape, 7), (std::pair<std::uint32_t, std::uint32_t>{0, 1}));
}

}  // namespace
}  // namespace aftershock::sim::experiments
