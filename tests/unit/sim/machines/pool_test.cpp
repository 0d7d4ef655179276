#include "sim/machines/pool.h"

#include <vector>

#include <gtest/gtest.h>

namespace aftershock::sim::machines {
namespace {

using Slots = std::vector<std::uint32_t>;

scenario::PoolSpec spec(std::uint32_t nodes, std::uint32_t spares = 0, std::uint32_t more = 0) {
  scenario::PoolSpec pool;
  pool.name = "p";
  pool.nodes = nodes;
  pool.spares = spares;
  pool.max_nodes = nodes + spares + more;
  return pool;
}

void crash(Pool& pool, std::uint32_t node, std::int64_t now_us, bool known = true,
           bool returns = false) {
  pool.update(node, now_us, [&](Node& changed) {
    changed.up = false;
    changed.known_down = known;
    changed.returns = returns;
  });
}

void repair(Pool& pool, std::uint32_t node, std::int64_t now_us) {
  pool.update(node, now_us, [](Node& changed) {
    changed.up = true;
    changed.known_down = false;
    changed.returns = false;
  });
}

void expect_held(const Pool& pool, std::uint32_t job, const Placement& placement) {
  for (std::uint32_t slot = 0; slot < placement.slots.size(); ++slot) {
    const std::uint32_t node = placement.slots[slot];
    EXPECT_TRUE(pool.taken(node)) << node;
    EXPECT_TRUE(placement.nodes[node]) << node;
    EXPECT_EQ(pool.node(node).job, job) << node;
    EXPECT_EQ(pool.node(node).slot, slot) << node;
  }
  EXPECT_EQ(placement.nodes.count(), placement.slots.size());
}

TEST(Pool, TakesTheLowestAndSparesLast) {
  Pool pool(spec(3, 2));
  Placement placement;
  ASSERT_TRUE(pool.take(0, 4, placement, 0));
  EXPECT_EQ(placement.slots, (Slots{0, 1, 2, 3}));
  EXPECT_EQ(pool.available(), 1U);
  expect_held(pool, 0, placement);
}

TEST(Pool, RefusesWhatDoesNotFitAndChangesNothing) {
  Pool pool(spec(3));
  Placement placement;
  EXPECT_FALSE(pool.take(0, 4, placement, 0));
  EXPECT_TRUE(placement.slots.empty());
  EXPECT_EQ(pool.available(), 3U);
  // A gang that held two and lost one, with none to replace it.
  ASSERT_TRUE(pool.take(0, 3, placement, 0));
  pool.release(placement, 1);
  crash(pool, 1, 2);
  EXPECT_FALSE(pool.take(0, 3, placement, 3));
  EXPECT_EQ(placement.slots, (Slots{0, 1, 2}));
  EXPECT_EQ(pool.available(), 2U);
}

TEST(Pool, KeepsAPlacementThatItCanHaveAgain) {
  Pool pool(spec(4));
  Placement first;
  Placement second;
  ASSERT_TRUE(pool.take(0, 1, first, 0));
  ASSERT_TRUE(pool.take(1, 2, second, 0));
  EXPECT_EQ(second.slots, (Slots{1, 2}));
  pool.release(first, 1);
  pool.release(second, 1);
  // Node 0 is free and lower, but the job had 1 and 2.
  ASSERT_TRUE(pool.take(1, 2, second, 2));
  EXPECT_EQ(second.slots, (Slots{1, 2}));
  expect_held(pool, 1, second);
}

TEST(Pool, ReplacesOnlyTheLostSlot) {
  Pool pool(spec(3, 1));
  Placement placement;
  ASSERT_TRUE(pool.take(0, 3, placement, 0));
  crash(pool, 1, 1);
  pool.release(placement, 2);
  ASSERT_TRUE(pool.take(0, 3, placement, 2));
  EXPECT_EQ(placement.slots, (Slots{0, 3, 2}));
  EXPECT_FALSE(pool.taken(1));
  expect_held(pool, 0, placement);
  // The spare stays when the first one is repaired.
  repair(pool, 1, 3);
  pool.release(placement, 4);
  ASSERT_TRUE(pool.take(0, 3, placement, 4));
  EXPECT_EQ(placement.slots, (Slots{0, 3, 2}));
}

TEST(Pool, ReplacesTwoLostSlotsInOrder) {
  Pool pool(spec(4, 3));
  Placement placement;
  ASSERT_TRUE(pool.take(0, 4, placement, 0));
  pool.release(placement, 1);
  crash(pool, 0, 1);
  crash(pool, 2, 1);
  ASSERT_TRUE(pool.take(0, 4, placement, 1));
  EXPECT_EQ(placement.slots, (Slots{4, 1, 5, 3}));
  expect_held(pool, 0, placement);
}

// Two jobs take turns on nodes: each must find its own name on its nodes.
TEST(Pool, AnotherJobsNameOnANodeIsWrittenOver) {
  Pool pool(spec(3));
  Placement first;
  Placement second;
  ASSERT_TRUE(pool.take(0, 2, first, 0));
  pool.release(first, 1);
  ASSERT_TRUE(pool.take(1, 3, second, 1));
  pool.release(second, 2);
  ASSERT_TRUE(pool.take(0, 2, first, 2));
  EXPECT_EQ(first.slots, (Slots{0, 1}));
  expect_held(pool, 0, first);
}

// The same where the other one still holds some of them: it must keep its name there.
TEST(Pool, ANodeThatAnotherJobHoldsKeepsThatJobsName) {
  Pool pool(spec(3, 1));
  Placement first;
  Placement second;
  ASSERT_TRUE(pool.take(0, 2, first, 0));
  EXPECT_EQ(first.slots, (Slots{0, 1}));
  pool.release(first, 1);
  ASSERT_TRUE(pool.take(1, 1, second, 1));
  EXPECT_EQ(second.slots, (Slots{0}));
  ASSERT_TRUE(pool.take(0, 2, first, 2));
  EXPECT_EQ(first.slots, (Slots{2, 1})) << "node 0 is taken, the lowest free one is 2";
  expect_held(pool, 0, first);
  expect_held(pool, 1, second);
  // And again, with nobody in between.
  pool.release(first, 3);
  ASSERT_TRUE(pool.take(0, 2, first, 3));
  expect_held(pool, 0, first);
  expect_held(pool, 1, second);
}

// A slot number that the other job left in the node must not be taken for one's own.
TEST(Pool, LostSlotsAreOnesOwnNotWhatAnotherJobLeftThere) {
  Pool pool(spec(4, 2));
  Placement first;
  Placement second;
  ASSERT_TRUE(pool.take(0, 3, first, 0));  // 0 1 2
  pool.release(first, 1);
  ASSERT_TRUE(pool.take(1, 1, second, 1));  // node 0 as its slot 0
  pool.release(second, 2);
  crash(pool, 0, 2);
  ASSERT_TRUE(pool.take(1, 1, second, 3));  // its slot 0 is node 1 now
  EXPECT_EQ(second.slots, (Slots{1}));
  // Of 0, 1, 2 the first is down and the second taken.
  ASSERT_TRUE(pool.take(0, 3, first, 4));
  EXPECT_EQ(first.slots, (Slots{3, 4, 2}));
  expect_held(pool, 0, first);
  expect_held(pool, 1, second);
}

struct StateRow {
  const char* name;
  void (*change)(Node&);
  DeviceState wanted;
  bool placeable;
};

TEST(Pool, StateOfANode) {
  const StateRow rows[] = {
      {"untouched", [](Node&) {}, DeviceState::kFree, true},
      {"down and unknown", [](Node& n) { n.up = false; }, DeviceState::kLost, true},
      {"down for good",
       [](Node& n) {
         n.up = false;
         n.known_down = true;
       },
       DeviceState::kLost, false},
      {"down, will be back",
       [](Node& n) {
         n.up = false;
         n.known_down = true;
         n.returns = true;
       },
       DeviceState::kRepairing, false},
      {"down, new one comes",
       [](Node& n) {
         n.up = false;
         n.known_down = true;
         n.provisioning = true;
       },
       DeviceState::kRepairing, false},
      {"cut and unknown", [](Node& n) { n.cut = true; }, DeviceState::kFree, true},
      {"cut and known",
       [](Node& n) {
         n.cut = true;
         n.known_down = true;
       },
       DeviceState::kIsolated, false},
      {"bad accelerator", [](Node& n) { n.bad_accelerators = 1; }, DeviceState::kIsolated, false},
      {"draining", [](Node& n) { n.draining = true; }, DeviceState::kDraining, false},
      {"empty slot",
       [](Node& n) {
         n.present = false;
         n.up = false;
         n.known_down = true;
       },
       DeviceState::kRetired, false},
  };
  for (const StateRow& row : rows) {
    Pool pool(spec(1));
    pool.update(0, 0, row.change);
    EXPECT_EQ(pool.state(0), row.wanted) << row.name;
    EXPECT_EQ(pool.available(), row.placeable ? 1U : 0U) << row.name;
    Placement placement;
    EXPECT_EQ(pool.take(0, 1, placement, 0), row.placeable) << row.name;
  }
  Pool pool(spec(1));
  Placement placement;
  ASSERT_TRUE(pool.take(0, 1, placement, 0));
  EXPECT_EQ(pool.state(0), DeviceState::kAllocated);
}

TEST(Pool, HiddenFaultsAreThoseThatNobodyKnows) {
  Pool pool(spec(3));
  EXPECT_EQ(pool.hidden_faults(), 0U);
  crash(pool, 0, 1, false);
  pool.update(1, 1, [](Node& node) { node.cut = true; });
  EXPECT_EQ(pool.hidden_faults(), 2U);
  pool.update(0, 2, [](Node& node) { node.known_down = true; });
  EXPECT_EQ(pool.hidden_faults(), 1U);
  pool.update(1, 3, [](Node& node) { node.cut = false; });
  EXPECT_EQ(pool.hidden_faults(), 0U);
}

TEST(Pool, FullDisksAreCounted) {
  Pool pool(spec(3));
  EXPECT_EQ(pool.full_disks(), 0U);
  pool.update(0, 1, [](Node& node) { node.full_disk = 7; });
  pool.update(2, 1, [](Node& node) { node.full_disk = 8; });
  pool.update(2, 2, [](Node& node) { node.full_disk = 9; });
  EXPECT_EQ(pool.full_disks(), 2U);
  pool.update(0, 3, [](Node& node) { node.full_disk.reset(); });
  EXPECT_EQ(pool.full_disks(), 1U);
}

TEST(Pool, ReplaceableSlots) {
  Pool pool(spec(4, 0, 2));
  EXPECT_EQ(pool.replaceable(9), (Slots{4, 5})) << "empty slots may be filled";
  EXPECT_EQ(pool.replaceable(1), (Slots{4}));
  crash(pool, 1, 1);         // known
  crash(pool, 2, 1, false);  // nobody knows
  EXPECT_EQ(pool.replaceable(9), (Slots{1, 4, 5}));
  pool.update(3, 2, [](Node& node) { node.bad_accelerators = 1; });
  EXPECT_EQ(pool.replaceable(9), (Slots{1, 3, 4, 5}));
  pool.update(1, 3, [](Node& node) { node.provisioning = true; });
  EXPECT_EQ(pool.replaceable(9), (Slots{3, 4, 5}));
  EXPECT_EQ(pool.provisioning(), 1U);
  pool.update(0, 4, [](Node& node) { node.draining = true; });
  EXPECT_EQ(pool.replaceable(9), (Slots{3, 4, 5})) << "it still works";
}

// Node time, worked out by hand: two nodes, two spares, one empty slot.
TEST(Pool, AccountsForNodeTime) {
  Pool pool(spec(2, 2, 1));
  Placement placement;
  ASSERT_TRUE(pool.take(0, 3, placement, 100));  // spares idle: 2 x 100; then 1
  crash(pool, 0, 200, true, true);               // repairing from 200; up 3
  pool.update(1, 300, [](Node& node) { node.bad_accelerators = 1; });  // its holder may train on
  pool.update(2, 350, [](Node& node) { node.isolated = true; });       // isolated from 350
  pool.release(placement, 400);  // node 1 is kept from work, too; spares idle: 2 from 500
  pool.update(1, 500, [](Node& node) { node.bad_accelerators = 0; });
  pool.update(2, 500, [](Node& node) { node.isolated = false; });
  repair(pool, 0, 600);
  pool.account(1'000);
  EXPECT_EQ(pool.usage().spares_idle_us, 2 * 100 + 1 * 400 + 2 * 500);
  EXPECT_EQ(pool.usage().isolated_us, 100 + 150);
  EXPECT_EQ(pool.usage().repairing_us, 400);
  EXPECT_EQ(pool.usage().up_us, 4 * 200 + 3 * 400 + 4 * 400);
  EXPECT_EQ(pool.nodes_up(), 4);
}

TEST(Pool, ASpareThatIsDownOrDrainingIsNotIdle) {
  Pool pool(spec(1, 1));
  crash(pool, 1, 10);
  repair(pool, 1, 30);
  pool.update(1, 60, [](Node& node) { node.draining = true; });
  pool.account(100);
  EXPECT_EQ(pool.usage().spares_idle_us, 10 + 30);
}

}  // namespace
}  // namespace aftershock::sim::machines
