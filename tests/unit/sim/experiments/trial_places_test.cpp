#include "sim/experiments/trial_places.h"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "sim/experiments/trial_shape.h"
#include "sim/machines/pool.h"
#include "sim/scenario/scenario.h"

namespace aftershock::sim::experiments {
namespace {

using Numbers = std::vector<std::uint32_t>;

constexpr std::uint32_t kHolder = 3;
constexpr std::uint32_t kFree = TrialPlaces::kFree;

machines::Pool pool_of(std::uint32_t nodes) {
  scenario::PoolSpec spec;
  spec.name = "p";
  spec.nodes = nodes;
  spec.max_nodes = nodes;
  return machines::Pool(spec);
}

Numbers trials_on(const TrialPlaces& places, std::uint32_t held) {
  const auto trials = places.trials_on(held);
  return {trials.begin(), trials.end()};
}

/// The pool's number of the trial's only node; its place must be there.
std::uint32_t node_of(const TrialPlaces& places, const TrialPlace& place) {
  EXPECT_EQ(place.held.size(), 1U);
  return places.node(place.held.front());
}

/// The places of trials 0, 1, ..., for which there must be room.
std::vector<TrialPlace> take(TrialPlaces& places, machines::Pool& pool, std::uint32_t trials) {
  std::vector<TrialPlace> taken(trials);
  for (std::uint32_t trial = 0; trial < trials; ++trial) {
    EXPECT_TRUE(places.take(pool, kHolder, trial, 0, taken[trial]));
  }
  return taken;
}

TEST(TrialPlaces, PackTrialsOntoTheFewestNodes) {
  machines::Pool pool = pool_of(2);
  TrialPlaces places({.trials_per_node = 2});
  const std::vector<TrialPlace> taken = take(places, pool, 4);
  for (std::uint32_t trial = 0; trial < 4; ++trial) {
    EXPECT_EQ(node_of(places, taken[trial]), trial / 2);
    EXPECT_EQ(taken[trial].slot, trial % 2);
  }
  TrialPlace more;
  EXPECT_FALSE(places.take(pool, kHolder, 4, 0, more));
  EXPECT_TRUE(more.empty());
  EXPECT_EQ(pool.node(1).job, kHolder);
}

// The node with room comes before a free one, and its lowest slot before the others.
TEST(TrialPlaces, AGapIsFilledBeforeANewNodeIsTaken) {
  machines::Pool pool = pool_of(3);
  TrialPlaces places({.trials_per_node = 3});
  std::vector<TrialPlace> taken = take(places, pool, 3);
  places.give_back(pool, 0, taken[1]);
  EXPECT_TRUE(taken[1].empty());
  EXPECT_EQ(trials_on(places, 0), (Numbers{0, kFree, 2}));
  TrialPlace again;
  ASSERT_TRUE(places.take(pool, kHolder, 7, 0, again));
  EXPECT_EQ(trials_on(places, 0), (Numbers{0, 7, 2}));
  EXPECT_EQ(pool.available(), 2U);
}

TEST(TrialPlaces, TheLastTrialGivesItsNodeBackToThePool) {
  machines::Pool pool = pool_of(1);
  TrialPlaces places({.trials_per_node = 2});
  TrialPlace first;
  TrialPlace second;
  ASSERT_TRUE(places.take(pool, kHolder, 0, 0, first));
  ASSERT_TRUE(places.take(pool, kHolder, 1, 0, second));
  places.give_back(pool, 0, first);
  EXPECT_EQ(pool.available(), 0U);
  places.give_back(pool, 0, second);
  EXPECT_EQ(pool.available(), 1U);
}

// Numbers of held nodes are those of trials that are there: they stay when another one goes.
TEST(TrialPlaces, AHeldNodeKeepsItsNumberWhenAnotherIsGivenBack) {
  machines::Pool pool = pool_of(3);
  TrialPlaces places(TrialShape{});
  std::vector<TrialPlace> taken = take(places, pool, 3);
  places.give_back(pool, 0, taken[0]);
  EXPECT_EQ(trials_on(places, taken[2].held.front()), Numbers{2});
  TrialPlace again;
  ASSERT_TRUE(places.take(pool, kHolder, 9, 0, again));
  EXPECT_EQ(node_of(places, again), 0U);
  EXPECT_EQ(trials_on(places, again.held.front()), Numbers{9});
}

TEST(TrialPlaces, ATrialOfWholeNodesHasAllOfThemOrNone) {
  machines::Pool pool = pool_of(3);
  TrialPlaces places({.nodes_per_trial = 2});
  TrialPlace first;
  TrialPlace second;
  ASSERT_TRUE(places.take(pool, kHolder, 0, 0, first));
  EXPECT_EQ(first.held.size(), 2U);
  EXPECT_FALSE(places.take(pool, kHolder, 1, 0, second));
  EXPECT_TRUE(second.empty());
  EXPECT_EQ(pool.available(), 1U);
  places.give_back(pool, 0, first);
  EXPECT_EQ(pool.available(), 3U);
}

TEST(TrialPlaces, NodesThatAreDrainingTakeNoMoreTrials) {
  machines::Pool pool = pool_of(2);
  TrialPlaces places({.trials_per_node = 2});
  TrialPlace first;
  ASSERT_TRUE(places.take(pool, kHolder, 0, 0, first));
  pool.update(0, 0, [](machines::Node& node) { node.draining = true; });
  TrialPlace second;
  ASSERT_TRUE(places.take(pool, kHolder, 1, 0, second));
  EXPECT_EQ(node_of(places, second), 1U);
}

TEST(TrialPlaces, TrialsTakeWholeNodesFromThePool) {
  struct Row {
    TrialShape shape;
    std::uint64_t trials;
    std::uint64_t nodes;
  };
  const Row rows[] = {{{.nodes_per_trial = 2}, 3, 6},
                      {{.trials_per_node = 4}, 8, 2},
                      {{.trials_per_node = 4}, 9, 3},
                      {{.trials_per_node = 4}, 0, 0}};
  for (const Row& row : rows) {
    EXPECT_EQ(TrialPlaces(row.shape).nodes_for(row.trials), row.nodes);
  }
}

}  // namespace
}  // namespace aftershock::sim::experiments
