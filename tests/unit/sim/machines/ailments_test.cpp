#include "sim/machines/ailments.h"

#include <cstdint>
#include <optional>

#include <gtest/gtest.h>

#include "sim/core/entry_kind.h"
#include "tests/unit/sim/machines/room.h"

namespace aftershock::sim::machines {
namespace {

/// Takes the first so many nodes for one holder.
Placement gang_of(Room& room, std::uint32_t nodes) {
  Placement gang;
  EXPECT_TRUE(room.machines.pool(0).take(0, nodes, gang, room.core.now_us()));
  return gang;
}

TEST(Ailments, SlowestThatIsUsedSetsThePace) {
  Room room(three_nodes_and_a_spare());
  Ailments ailments;
  const Placement gang = gang_of(room, 2);
  const Share all{0, gang, 4};
  const Share three{0, gang, 3};
  EXPECT_EQ(ailments.slowest(room.machines, 2, all), nullptr);
  ailments.slow_down(room.core,
                     {.pool = 0, .node = 0, .accelerator = {}, .fault = 1, .ppm = 1'200'000});
  ailments.slow_down(room.core,
                     {.pool = 0, .node = 1, .accelerator = 1, .fault = 2, .ppm = 2'000'000});
  ailments.slow_down(room.core,
                     {.pool = 0, .node = 2, .accelerator = {}, .fault = 3, .ppm = 9'000'000});
  EXPECT_EQ(ailments.slowest(room.machines, 2, all)->fault, 2U);
  EXPECT_EQ(ailments.slowest(room.machines, 2, three)->fault, 1U)
      << "nobody computes on the second accelerator of the second node";
  EXPECT_TRUE(ailments.end_slowness(room.core, 2));
  EXPECT_FALSE(ailments.end_slowness(room.core, 2));
  EXPECT_EQ(ailments.slowest(room.machines, 2, all)->fault, 1U);
  EXPECT_TRUE(ailments.forget_slowness(room.core, 0, 0));
  EXPECT_FALSE(ailments.forget_slowness(room.core, 0, 0));
  EXPECT_EQ(ailments.slowest(room.machines, 2, all), nullptr);
}

TEST(Ailments, LemonFailsAgainAsOftenAsItsFaultSays) {
  auto scenario = three_nodes_and_a_spare();
  scenario::FaultEffect effect = of_kind(scenario::FaultKind::kLemonNode);
  effect.times = 2;
  effect.every = scenario::Distribution::constant(1'000'000);
  const std::uint32_t spec = add_fault(*scenario, effect);
  Room room(scenario);
  Ailments ailments;
  const std::uint32_t number = room.strike(spec, 0);
  ailments.add_defect({.pool = 0, .node = 0, .fault = number, .shown = 1});
  ailments.plan_lemons(room.core, room.faults, room.machines, 0, 1);
  EXPECT_TRUE(room.core.calendar().empty()) << "another node is back";
  ailments.plan_lemons(room.core, room.faults, room.machines, 0, 0);
  const engine::Entry shows = room.next();
  EXPECT_EQ(core::kind_of(shows), core::EntryKind::kDefectShows);
  const auto defect = ailments.show_defect(*room.scenario, room.faults, room.machines, shows);
  ASSERT_TRUE(defect);
  EXPECT_EQ(defect->shown, 1U);
  ailments.plan_lemons(room.core, room.faults, room.machines, 0, 0);
  EXPECT_TRUE(room.core.calendar().empty()) << "it has failed twice";
}

TEST(Ailments, RepairCuresALemonWithTheChanceOfItsFault) {
  constexpr int kLemons = 4000;
  auto scenario = three_nodes_and_a_spare();
  scenario::FaultEffect effect = of_kind(scenario::FaultKind::kLemonNode);
  effect.machine.for_ever = true;
  effect.machine.cured_ppm = 250'000;
  const std::uint32_t spec = add_fault(*scenario, effect);
  Room room(scenario);
  int cured = 0;
  for (int i = 0; i < kLemons; ++i) {
    faults::FaultRecord fault;
    fault.spec = spec;
    fault.nth = static_cast<std::uint64_t>(i);
    fault.pool = 0;
    Ailments ailments;
    ailments.add_defect({.pool = 0, .node = 0, .fault = room.faults.open(fault), .shown = 1});
    ailments.cure_lemons(room.core, room.faults, 0, 1);
    ASSERT_TRUE(ailments.any_defect()) << "another node was repaired";
    ailments.cure_lemons(room.core, room.faults, 0, 0);
    cured += ailments.any_defect() ? 0 : 1;
  }
  // A quarter of 4,000, and four standard errors: 4 sqrt(4000 x 0.25 x 0.75) = 110.
  EXPECT_NEAR(cured, kLemons / 4, 110);
}

TEST(Ailments, BadBatchSpoilsTheNextMachinesOfItsKind) {
  auto scenario = three_nodes_and_a_spare();
  scenario::FaultEffect effect = of_kind(scenario::FaultKind::kBadReplacement);
  effect.every = scenario::Distribution::constant(1'000'000);
  effect.machine.machines = scenario::NewMachines::kSpares;
  const std::uint32_t spec = add_fault(*scenario, effect);
  Room room(scenario);
  Ailments ailments;
  ailments.add_bad_batch({.pool = 0, .fault = room.strike(spec, 0), .left = 1});
  ailments.put_to_use(*room.scenario, room.faults, 0, 4, scenario::NewMachines::kProvisioned);
  EXPECT_FALSE(ailments.any_defect());
  ailments.put_to_use(*room.scenario, room.faults, 0, 3, scenario::NewMachines::kSpares);
  EXPECT_TRUE(ailments.any_defect());
  const Placement gang = gang_of(room, 4);
  ailments.plan_bad_replacements(room.core, room.faults, room.machines, 0, gang.nodes);
  const engine::Entry shows = room.next();
  EXPECT_EQ(shows.entity, 3U);
  EXPECT_TRUE(ailments.show_defect(*room.scenario, room.faults, room.machines, shows));
  EXPECT_FALSE(ailments.any_defect()) << "a bad replacement fails once";
  EXPECT_FALSE(ailments.show_defect(*room.scenario, room.faults, room.machines, shows));
}

TEST(Ailments, DenialsOverlapAndTheLastGivesSparesBack) {
  auto scenario = three_nodes_and_a_spare();
  scenario::FaultEffect effect = of_kind(scenario::FaultKind::kCapacityDenial);
  effect.machine.spares_too = true;
  const std::uint32_t spec = add_fault(*scenario, effect);
  Room room(scenario);
  Ailments ailments;
  const std::uint32_t first = room.strike(spec, 0);
  const std::uint32_t second = room.strike(spec, 0);
  ailments.deny(room.core, room.faults, room.machines, first);
  ailments.deny(room.core, room.faults, room.machines, second);
  EXPECT_TRUE(ailments.denied(0));
  EXPECT_FALSE(room.machines.pool(0).placeable(3));
  ailments.end_denial(room.core, room.faults, room.machines, first);
  EXPECT_TRUE(ailments.denied(0));
  EXPECT_FALSE(room.machines.pool(0).placeable(3));
  ailments.end_denial(room.core, room.faults, room.machines, second);
  EXPECT_FALSE(ailments.denied(0));
  EXPECT_TRUE(room.machines.pool(0).placeable(3));
}

}  // namespace
}  // namespace aftershock::sim::machines
