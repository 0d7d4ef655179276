#include "sim/network/topology.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace aftershock::sim::network {
namespace {

// One head, one storage; pool 0 of eight nodes in four racks, pool 1 of two in one.
scenario::ClusterSpec cluster() {
  scenario::ClusterSpec spec;
  spec.heads.push_back({.name = "head-0", .restart = {}});
  spec.storage.push_back({});
  scenario::PoolSpec first;
  first.nodes = 6;
  first.spares = 1;
  first.max_nodes = 8;
  first.racks = 4;
  scenario::PoolSpec second;
  second.nodes = 2;
  second.max_nodes = 2;
  spec.pools = {first, second};
  return spec;
}

/// The reach of each place, as one letter a place: h s 0..7 (pool 0) a b (pool 1); places with the
/// same letter talk to each other, both ways. Letters go by first appearance.
std::string together(const Topology& topology, const std::vector<Cut>& cuts) {
  std::vector<NetPlace> places{topology.head(0), topology.storage(0)};
  for (std::uint32_t i = 0; i < 8; ++i) {
    places.push_back(topology.node(0, i));
  }
  places.push_back(topology.node(1, 0));
  places.push_back(topology.node(1, 1));
  std::vector<NetPlace> firsts;
  std::string letters;
  for (const NetPlace place : places) {
    auto found =
        std::ranges::find_if(firsts, [&](NetPlace first) { return connected(cuts, first, place); });
    if (found == firsts.end()) {
      firsts.push_back(place);
      found = firsts.end() - 1;
    }
    letters += static_cast<char>('A' + (found - firsts.begin()));
  }
  return letters;
}

TEST(Topology, CutsByHand) {
  const Topology net(cluster());
  const auto around = [&](std::vector<NetPlace> inside) {
    return cut_around(1, std::move(inside), scenario::CutDirection::kBoth);
  };
  const auto node = [&](std::uint32_t i) { return around({net.node(0, i)}); };
  const auto rack = [&](std::uint32_t i) { return around(net.beyond(net.rack(0, i))); };
  const Cut pool = around(net.beyond(net.pool(0)));
  const Cut other_pool = around(net.beyond(net.pool(1)));
  const auto the_switch = [&](NetPlace place) {
    Cut cut{2, {}};
    for (const std::vector<NetPlace>& side : net.sides(place)) {
      for (const CutRule& rule : around(side).rules) {
        cut.rules.push_back(rule);
      }
    }
    return cut;
  };
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
      {"the switch of a rack: its nodes are alone", {the_switch(net.rack(0, 1))}, "AAAABCAAAAAA"},
      {"the switch of a pool: racks stay whole", {the_switch(net.pool(0))}, "AABBCCDDEEAA"},
      {"the core: heads and storage are alone", {the_switch(0)}, "ABCCCCCCCCDD"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(together(net, row.cuts), row.wanted) << row.name;
  }
}

// From whom to whom something arrives, for node 3, its peer 4, the head and the storage:
// "node>head head>node node>storage storage>node node>peer peer>node".
TEST(Topology, DirectedCutsByHand) {
  const Topology net(cluster());
  using enum scenario::CutDirection;
  const NetPlace node = net.node(0, 3);
  const auto heads = [&](scenario::CutDirection direction) {
    return cut_between(1, {node}, net.heads(), direction);
  };
  struct Row {
    const char* name;
    Cut cut;
    std::string wanted;
  };
  const Row rows[] = {
      {"both ways", cut_around(1, {node}, kBoth), "------"},
      {"outwards", cut_around(1, {node}, kOutwards), "-+-+-+"},
      {"inwards", cut_around(1, {node}, kInwards), "+-+-+-"},
      {"heads, both ways", heads(kBoth), "--++++"},
      {"heads, outwards", heads(kOutwards), "-+++++"},
      {"heads, inwards", heads(kInwards), "+-++++"},
      {"storage", cut_between(1, {node}, net.storages(), kBoth), "++--++"},
      {"a storage and all nodes", cut_between(1, net.storages(), net.nodes(), kBoth), "++--++"},
  };
  for (const Row& row : rows) {
    const std::vector<Cut> cuts{row.cut};
    std::string found;
    for (const NetPlace other : {net.head(0), net.storage(0), net.node(0, 4)}) {
      found += passes(cuts, node, other) ? '+' : '-';
      found += passes(cuts, other, node) ? '+' : '-';
    }
    EXPECT_EQ(found, row.wanted) << row.name;
    EXPECT_TRUE(passes(cuts, node, node)) << row.name;
    // A gang of the two is whole where both signs of the peer are plus.
    const std::vector<NetPlace> gang{node, net.node(0, 4)};
    EXPECT_EQ(all_connected(cuts, gang), row.wanted.substr(4) == "++") << row.name;
  }
}

TEST(Topology, BeyondARackAreItsSwitchAndItsNodes) {
  const Topology net(cluster());
  for (std::uint32_t rack = 0; rack < 4; ++rack) {
    EXPECT_EQ(net.beyond(net.rack(0, rack)),
              (std::vector{net.rack(0, rack), net.node(0, 2 * rack), net.node(0, 2 * rack + 1)}));
  }
  EXPECT_EQ(net.beyond(net.node(0, 5)), std::vector{net.node(0, 5)});
  EXPECT_EQ(net.beyond(net.storage(0)), std::vector{net.storage(0)});
}

TEST(Topology, RackOfSpreadsInRunsOfEvenLength) {
  scenario::PoolSpec pool;
  pool.max_nodes = 10;
  pool.racks = 4;  // 10 / 4: runs of 3 2 3 2
  const std::uint32_t wanted[] = {0, 0, 0, 1, 1, 2, 2, 2, 3, 3};
  for (std::uint32_t i = 0; i < 10; ++i) {
    EXPECT_EQ(scenario::rack_of(pool, i), wanted[i]) << i;
  }
  pool.racks = 1;
  EXPECT_EQ(scenario::rack_of(pool, 9), 0U);
  pool.racks = 10;
  EXPECT_EQ(scenario::rack_of(pool, 9), 9U);
  pool.max_nodes = 1'000'000;
  pool.racks = 1'000'000;
  EXPECT_EQ(scenario::rack_of(pool, 999'999), 999'999U);
}

TEST(TopologyDeathTest, APlaceIsOneOfTheCluster) {
  const Topology topology(cluster());
  EXPECT_DEATH(std::ignore = topology.node(0, 8), "assertion failed");
  EXPECT_DEATH(std::ignore = topology.rack(1, 1), "assertion failed");
  EXPECT_DEATH(std::ignore = topology.storage(1), "assertion failed");
}

}  // namespace
}  // namespace aftershock::sim::network
