#include "sim/machines/spread.h"

#include <vector>

#include <gtest/gtest.h>

namespace aftershock::sim::machines {
namespace {

using Nodes = std::vector<std::uint32_t>;

// Six nodes in three racks, two in each, and in two power domains, three in each.
scenario::PoolSpec three_racks() {
  scenario::PoolSpec pool;
  pool.name = "p";
  pool.nodes = 6;
  pool.max_nodes = 6;
  pool.racks = 3;
  pool.power_domains = 2;
  return pool;
}

void isolate(Pool& pool, std::uint32_t node) {
  pool.update(node, 0, [](Node& changed) { changed.isolated = true; });
}

TEST(Spread, TakesTheLowestThatTheRuleAllows) {
  const scenario::PoolSpec spec = three_racks();
  const Pool pool(spec);
  const Placement none;
  EXPECT_EQ(spread_gang(pool, spec, {scenario::SpreadOver::kRack, 1}, 3, none), (Nodes{0, 2, 4}));
  EXPECT_EQ(spread_gang(pool, spec, {scenario::SpreadOver::kPowerDomain, 2}, 4, none),
            (Nodes{0, 1, 3, 4}));
  EXPECT_EQ(spread_gang(pool, spec, {scenario::SpreadOver::kRack, 2}, 6, none),
            (Nodes{0, 1, 2, 3, 4, 5}));
  EXPECT_FALSE(spread_gang(pool, spec, {scenario::SpreadOver::kRack, 1}, 4, none).has_value());
}

TEST(Spread, KeepsWhatItCanHaveAgain) {
  const scenario::PoolSpec spec = three_racks();
  Pool pool(spec);
  Placement before;
  before.slots = {1, 2, 5};
  isolate(pool, 2);
  // Of the second rack only node 3 is left.
  EXPECT_EQ(spread_gang(pool, spec, {scenario::SpreadOver::kRack, 1}, 3, before), (Nodes{1, 3, 5}));
  isolate(pool, 3);
  EXPECT_FALSE(spread_gang(pool, spec, {scenario::SpreadOver::kRack, 1}, 3, before).has_value());
  EXPECT_EQ(spread_gang(pool, spec, {scenario::SpreadOver::kRack, 2}, 3, before), (Nodes{1, 0, 5}));
}

TEST(Spread, CountsThoseThatAreKept) {
  const scenario::PoolSpec spec = three_racks();
  Pool pool(spec);
  pool.take_node(0, 0, 0, 0);
  const Nodes kept{0};
  EXPECT_EQ(free_within(pool, spec, {scenario::SpreadOver::kRack, 1}, kept, 2), (Nodes{2, 4}));
  EXPECT_EQ(free_within(pool, spec, {scenario::SpreadOver::kRack, 2}, kept, 2), (Nodes{1, 2}));
  EXPECT_FALSE(free_within(pool, spec, {scenario::SpreadOver::kRack, 1}, kept, 3).has_value());
  EXPECT_EQ(free_within(pool, spec, {scenario::SpreadOver::kRack, 1}, kept, 0), Nodes{});
}

}  // namespace
}  // namespace aftershock::sim::machines
