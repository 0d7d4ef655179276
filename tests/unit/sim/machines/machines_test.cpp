#include "sim/machines/machines.h"

#include <cstdint>
#include <optional>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/core/entry_kind.h"
#include "tests/unit/sim/machines/room.h"

namespace aftershock::sim::machines {
namespace {

constexpr std::int64_t kMinuteUs = 60'000'000;

TEST(Machines, NodeThatFallsComesBackWhenItsFaultSaysSo) {
  auto scenario = three_nodes_and_a_spare();
  const std::uint32_t crash = add_fault(*scenario, of_kind(scenario::FaultKind::kNodeCrash));
  Room room(scenario);
  const std::uint32_t number = room.strike(crash, 1);
  EXPECT_EQ(room.machines.fall(room.core, {0, 1, number, kMinuteUs, false}), kMinuteUs);
  const Node& node = room.machines.pool(0).node(1);
  EXPECT_FALSE(node.up);
  EXPECT_FALSE(node.known_down) << "nobody has told the cluster";
  const engine::Entry back = room.next();
  EXPECT_EQ(core::kind_of(back), core::EntryKind::kNodeBack);
  EXPECT_EQ(room.core.now_us(), kMinuteUs);
  EXPECT_EQ(back.epoch, node.epoch);
  EXPECT_TRUE(room.machines.come_back(room.core, room.faults, 0, 1));
  EXPECT_TRUE(node.up);
  EXPECT_NE(back.epoch, node.epoch) << "later entries about the fall are recognised";
}

TEST(Machines, LaterFaultKeepsADownNodeDownForLonger) {
  auto scenario = three_nodes_and_a_spare();
  const std::uint32_t crash = add_fault(*scenario, of_kind(scenario::FaultKind::kNodeCrash));
  Room room(scenario);
  const std::uint32_t number = room.strike(crash, 0);
  const std::uint32_t later = room.strike(crash, 0);
  room.machines.fall(room.core, {0, 0, number, kMinuteUs, false});
  EXPECT_FALSE(room.machines.stay_down(room.core, 0, 0, later, kMinuteUs / 2)) << "it is shorter";
  EXPECT_EQ(room.machines.pool(0).node(0).down_fault, number);
  EXPECT_TRUE(room.machines.stay_down(room.core, 0, 0, later, 2 * kMinuteUs));
  EXPECT_EQ(room.machines.pool(0).node(0).down_fault, later) << "it holds the node now";
  const engine::Entry stale = room.next();
  EXPECT_NE(stale.epoch, room.machines.pool(0).node(0).epoch);
  const engine::Entry back = room.next();
  EXPECT_EQ(back.epoch, room.machines.pool(0).node(0).epoch);
  EXPECT_EQ(room.core.now_us(), 2 * kMinuteUs);
}

TEST(Machines, IsolationUntilReleasedOutlastsTheReturn) {
  for (const bool until_released : {false, true}) {
    auto scenario = three_nodes_and_a_spare();
    const std::uint32_t crash = add_fault(*scenario, of_kind(scenario::FaultKind::kNodeCrash));
    Room room(scenario);
    room.machines.fall(room.core, {0, 1, room.strike(crash, 1), kMinuteUs, false});
    room.machines.isolate(room.core, 0, 1, 0, until_released);
    room.next();
    EXPECT_TRUE(room.machines.come_back(room.core, room.faults, 0, 1));
    EXPECT_EQ(room.machines.pool(0).node(1).isolated, until_released);
    EXPECT_EQ(room.machines.pool(0).placeable(1), !until_released);
  }
}

TEST(Machines, DeathIsDeclaredOnceAndOfSilentNodesAlone) {
  auto scenario = three_nodes_and_a_spare();
  const std::uint32_t crash = add_fault(*scenario, of_kind(scenario::FaultKind::kNodeCrash));
  Room room(scenario);
  EXPECT_FALSE(room.machines.declare_dead(room.core, 0, 2)) << "it is up and heard";
  room.machines.fall(room.core, {0, 2, room.strike(crash, 2), {}, false});
  EXPECT_TRUE(room.machines.declare_dead(room.core, 0, 2));
  EXPECT_FALSE(room.machines.declare_dead(room.core, 0, 2));
}

struct ReplacementRow {
  scenario::Replacement replacement;
  std::vector<std::uint32_t> at_once;
  std::uint32_t provisioning;
};

TEST(Machines, AskForNoMoreThanAreLacking) {
  const ReplacementRow rows[] = {
      {scenario::Replacement::kNone, {}, 0},
      {scenario::Replacement::kNow, {0}, 0},
      {scenario::Replacement::kProvision, {}, 1},
  };
  for (const ReplacementRow& row : rows) {
    auto scenario = three_nodes_and_a_spare();
    scenario->cluster.pools[0].replacement = row.replacement;
    scenario->cluster.pools[0].provision = scenario::Distribution::constant(kMinuteUs);
    const std::uint32_t crash = add_fault(*scenario, of_kind(scenario::FaultKind::kNodeCrash));
    Room room(scenario);
    room.fall(0, room.strike(crash, 0));
    EXPECT_THAT(room.machines.ask(room.core, 0, 3), testing::IsEmpty()) << "the spare is there";
    EXPECT_EQ(room.machines.ask(room.core, 0, 4), row.at_once);
    EXPECT_EQ(room.machines.pool(0).provisioning(), row.provisioning);
    EXPECT_EQ(room.core.calendar().empty(), row.provisioning == 0);
    room.machines.ask(room.core, 0, 4);
    EXPECT_EQ(room.machines.pool(0).provisioning(), row.provisioning) << "it is on its way";
  }
}

TEST(Machines, NewMachineHasNothingOfTheOneBefore) {
  auto scenario = three_nodes_and_a_spare();
  const std::uint32_t crash = add_fault(*scenario, of_kind(scenario::FaultKind::kNodeCrash));
  Room room(scenario);
  const std::uint32_t number = room.strike(crash, 0);
  room.machines.break_device(room.core, {.pool = 0, .node = 0, .fault = number, .lasting = true});
  room.fall(0, number);
  EXPECT_TRUE(room.machines.renew(room.core, 0, 0));
  EXPECT_TRUE(room.machines.pool(0).placeable(0));
  EXPECT_THAT(room.machines.failed_devices(), testing::IsEmpty());
  EXPECT_FALSE(room.machines.renew(room.core, 0, 0)) << "the one that is there is well";
}

TEST(Machines, RepairedNodesStayAwayWherePoolsSaySoAndPreemptedOnesDoNot) {
  for (const bool preempted : {false, true}) {
    auto scenario = three_nodes_and_a_spare();
    scenario->cluster.pools[0].repaired_stay_away = true;
    scenario->cluster.pools[0].repair = scenario::Distribution::constant(kMinuteUs);
    const std::uint32_t fault = add_fault(
        *scenario,
        of_kind(preempted ? scenario::FaultKind::kPreemption : scenario::FaultKind::kNodeCrash));
    Room room(scenario);
    room.fall(1, room.strike(fault, 1));
    room.next();
    EXPECT_EQ(room.machines.come_back(room.core, room.faults, 0, 1), preempted);
    EXPECT_EQ(room.machines.pool(0).node(1).present, preempted);
  }
}

TEST(Machines, DeviceOutOfOrderKeepsItsNodeFromWorkUntilRepaired) {
  auto scenario = three_nodes_and_a_spare();
  const std::uint32_t spec = add_fault(*scenario, of_kind(scenario::FaultKind::kAcceleratorFault));
  Room room(scenario);
  const std::uint32_t lasting = room.strike(spec, 0);
  const std::uint32_t passing = room.strike(spec, 1);
  room.machines.break_device(room.core, {.pool = 0, .node = 0, .fault = lasting, .lasting = true});
  room.machines.break_device(room.core, {.pool = 0, .node = 1, .fault = passing});
  EXPECT_FALSE(room.machines.pool(0).placeable(0));
  EXPECT_TRUE(room.machines.pool(0).placeable(1));
  NodeBits both(5);
  both.set(0).set(1);
  room.machines.compute_resumed(0, both);
  EXPECT_EQ(room.machines.failed_devices().size(), 1U) << "the one that passes is well";
  EXPECT_EQ(room.machines.repair_device(room.core, lasting), std::optional<std::uint32_t>(0));
  EXPECT_TRUE(room.machines.pool(0).placeable(0));
  EXPECT_EQ(room.machines.repair_device(room.core, lasting), std::nullopt);
}

TEST(Machines, HealthCheckFindsAsTheClusterSays) {
  const struct {
    scenario::HealthCheckSpec check;
    bool at_once;
    std::optional<std::int64_t> found_us;
  } rows[] = {
      {{.when = scenario::HealthCheckWhen::kNone}, false, {}},
      {{.when = scenario::HealthCheckWhen::kPlacement}, true, {}},
      {{.when = scenario::HealthCheckWhen::kPlacement, .finds = {true, false, true}}, false, {}},
      {{.when = scenario::HealthCheckWhen::kPeriodic, .every_us = kMinuteUs}, false, kMinuteUs},
      {{.when = scenario::HealthCheckWhen::kPeriodic,
        .every_us = kMinuteUs,
        .finds = {true, false, true}},
       false,
       {}},
  };
  for (const auto& row : rows) {
    auto scenario = three_nodes_and_a_spare();
    scenario->cluster.health_check = row.check;
    const std::uint32_t spec =
        add_fault(*scenario, of_kind(scenario::FaultKind::kAcceleratorFault));
    Room room(scenario);
    const std::uint32_t number = room.strike(spec, 1);
    room.machines.break_device(room.core, {.pool = 0,
                                           .node = 1,
                                           .fault = number,
                                           .needs = policies::DeviceNeed::kReboot,
                                           .lasting = true});
    EXPECT_EQ(room.machines.pool(0).placeable(1), !row.at_once);
    EXPECT_EQ(room.core.calendar().empty(), !row.found_us.has_value());
    if (row.found_us) {
      EXPECT_EQ(core::kind_of(room.next()), core::EntryKind::kHealthCheck);
      EXPECT_EQ(room.core.now_us(), *row.found_us);
      room.machines.find_device(room.core, number);
      EXPECT_FALSE(room.machines.pool(0).placeable(1));
      EXPECT_EQ(room.machines.repair_device(room.core, number), std::optional<std::uint32_t>(0));
      room.machines.find_device(room.core, number);
      EXPECT_TRUE(room.machines.pool(0).placeable(1)) << "it is well: there is nothing to find";
    }
  }
}

TEST(Machines, IsolatedNodeIsRepairedByItsWorstDevice) {
  auto scenario = three_nodes_and_a_spare();
  scenario::PoolSpec& pool = scenario->cluster.pools[0];
  pool.repair = scenario::Distribution::constant(kMinuteUs);
  const auto need = policies::DeviceNeed::kReplacement;
  pool.device_repairs[static_cast<std::size_t>(need)] =
      scenario::Distribution::constant(9 * kMinuteUs);
  scenario::FaultEffect effect = of_kind(scenario::FaultKind::kAcceleratorFault);
  effect.needs = need;
  const std::uint32_t spec = add_fault(*scenario, effect);
  Room room(scenario);
  room.machines.isolate(room.core, 0, 0, 7, false);
  EXPECT_EQ(room.machines.begin_repair(room.core, 0, 0), kMinuteUs);
  room.machines.break_device(
      room.core,
      {.pool = 0, .node = 1, .fault = room.strike(spec, 1), .needs = need, .lasting = true});
  room.machines.isolate(room.core, 0, 1, 7, false);
  EXPECT_EQ(room.machines.begin_repair(room.core, 0, 1), 9 * kMinuteUs);
}

}  // namespace
}  // namespace aftershock::sim::machines
