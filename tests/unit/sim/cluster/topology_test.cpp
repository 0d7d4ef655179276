#include "sim/cluster/topology.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace aftershock::sim {
namespace {

// One head, one storage; pool 0 of eight nodes in four racks, pool 1 of two in one.
ClusterSpec cluster() {
  ClusterSpec spec;
  spec.heads.push_back({.name = "head-0", .restart = {}});
  spec.storage.push_back({});
  PoolSpec first;
  first.nodes = 6;
  first.spares = 1;
  first.max_nodes = 8;
  first.racks = 4;
  PoolSpec second;
  second.nodes = 2;
  second.max_nodes = 2;
  spec.pools = {first, second};
  return spec;
}

/// Who can talk to whom, as one letter a place: h s 0..7 (pool 0) a b (pool 1); places with the
/// same letter are together. Letters go by first appearance.
std::string together(const Topology& topology, const std::vector<Cut>& cuts) {
  const std::vector<std::uint32_t> groups = topology.groups(cuts);
  std::vector<NetPlace> places{topology.head(0), topology.storage(0)};
  for (std::uint32_t i = 0; i < 8; ++i) {
    places.push_back(topology.node(0, i));
  }
  places.push_back(topology.node(1, 0));
  places.push_back(topology.node(1, 1));
  std::vector<std::uint32_t> seen;
  std::string letters;
  for (const NetPlace place : places) {
    const std::uint32_t group = groups[place];
    auto found = std::find(seen.begin(), seen.end(), group);
    if (found == seen.end()) {
      seen.push_back(group);
      found = seen.end() - 1;
    }
    letters += static_cast<char>('A' + (found - seen.begin()));
  }
  return letters;
}

TEST(Topology, CutsByHand) {
  const Topology net(cluster());
  const auto node = [&](std::uint32_t i) { return Cut{1, {net.node(0, i)}}; };
  const auto rack = [&](std::uint32_t i) { return Cut{2, net.rack(0, i)}; };
  const Cut pool{3, net.pool(0)};
  const Cut other_pool{4, net.pool(1)};
  struct Row {
    const char* name;
    std::vector<Cut> cuts;
    // head storage, 0 1 2 3 4 5 6 7, a b
    std::string wanted;
  };
  const Row rows[] = {
      {"whole", {}, "AAAAAAAAAAAA"},
      {"one node", {node(3)}, "AAAAABAAAAAA"},
      {"two nodes, each for itself", {node(2), node(3)}, "AAAABCAAAAAA"},
      {"a rack stays together", {rack(1)}, "AAAABBAAAAAA"},
      {"two racks, each for itself", {rack(0), rack(1)}, "AABBCCAAAAAA"},
      {"a pool stays together", {pool}, "AABBBBBBBBAA"},
      {"both pools, each for itself", {pool, other_pool}, "AABBBBBBBBCC"},
      {"a node of a cut rack", {rack(1), node(2)}, "AAAABCAAAAAA"},
      {"a rack of a cut pool", {pool, rack(1)}, "AABBCCBBBBAA"},
      {"a node and its rack and its pool", {node(4), rack(2), pool}, "AABBBBCDBBAA"},
      {"the same twice", {rack(1), rack(1)}, "AAAABBAAAAAA"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(together(net, row.cuts), row.wanted) << row.name;
  }
}

TEST(Topology, RacksHoldTheirSwitchAndTheirNodes) {
  const Topology net(cluster());
  for (std::uint32_t rack = 0; rack < 4; ++rack) {
    const std::vector<NetPlace> places = net.rack(0, rack);
    ASSERT_EQ(places.size(), 3U);
    EXPECT_TRUE(std::is_sorted(places.begin(), places.end()));
    EXPECT_EQ(places[1], net.node(0, 2 * rack));
    EXPECT_EQ(places[2], net.node(0, 2 * rack + 1));
  }
}

TEST(Topology, RackOfSpreadsInRunsOfEvenLength) {
  PoolSpec pool;
  pool.max_nodes = 10;
  pool.racks = 4;  // 10 / 4: runs of 3 2 3 2
  const std::uint32_t wanted[] = {0, 0, 0, 1, 1, 2, 2, 2, 3, 3};
  for (std::uint32_t i = 0; i < 10; ++i) {
    EXPECT_EQ(rack_of(pool, i), wanted[i]) << i;
  }
  pool.racks = 1;
  EXPECT_EQ(rack_of(pool, 9), 0U);
  pool.racks = 10;
  EXPECT_EQ(rack_of(pool, 9), 9U);
  pool.max_nodes = 1'000'000;
  pool.racks = 1'000'000;
  EXPECT_EQ(rack_of(pool, 999'999), 999'999U);
}

}  // namespace
}  // namespace aftershock::sim
