#include "sim/network/network.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/core/entry_kind.h"
#include "sim/core/run_core.h"

namespace aftershock::sim::network {
namespace {

/// A pool of four nodes on two racks, a head, two storages, and faults that cut or slow something.
std::shared_ptr<scenario::Scenario> four_nodes() {
  auto scenario = std::make_shared<scenario::Scenario>();
  scenario->until_us = 1'000'000'000;
  scenario->cluster.heads.resize(1);
  scenario->cluster.pools.resize(1);
  scenario::PoolSpec& pool = scenario->cluster.pools[0];
  pool.nodes = 4;
  pool.max_nodes = 4;
  pool.racks = 2;
  scenario->cluster.storage.resize(2);
  for (scenario::StorageSpec& storage : scenario->cluster.storage) {
    storage.read_bytes_per_s = 2000;
    storage.write_bytes_per_s = 1000;
  }
  return scenario;
}

/// Adds a fault of the kind, and gives an occurrence of it on a node.
faults::FaultRecord occurrence(scenario::Scenario& scenario, scenario::FaultKind kind,
                               scenario::Target target, std::uint32_t node = 0) {
  scenario::FaultSpec fault;
  fault.target = std::move(target);
  fault.effects.emplace_back();
  fault.effects.back().effect.kind = kind;
  scenario.faults.push_back(std::move(fault));
  faults::FaultRecord record;
  record.spec = static_cast<std::uint32_t>(scenario.faults.size() - 1);
  record.pool = 0;
  record.node = node;
  return record;
}

scenario::Target target_of(scenario::TargetKind kind) {
  scenario::Target target;
  target.kind = kind;
  return target;
}

constexpr std::uint32_t kGang[] = {0, 1};

TEST(Network, IsWholeAndHeardEverywhereWithoutCuts) {
  const auto scenario = four_nodes();
  const Network network(*scenario);
  EXPECT_TRUE(network.whole());
  EXPECT_EQ(network.hearing(0, 3), Hearing{});
  EXPECT_TRUE(network.all_connected(0, kGang));
  EXPECT_EQ(network.blocked_by(0, 0, kGang), std::nullopt);
}

TEST(Network, CutsOverlapAndEachEndsWithItsOwnFault) {
  const auto scenario = four_nodes();
  const faults::FaultRecord node_0 = occurrence(*scenario, scenario::FaultKind::kPartition,
                                                target_of(scenario::TargetKind::kNode), 0);
  const faults::FaultRecord rack_0 = occurrence(*scenario, scenario::FaultKind::kPartition,
                                                target_of(scenario::TargetKind::kRack));
  Network network(*scenario);
  network.cut(*scenario, node_0, 7);
  EXPECT_FALSE(network.all_connected(0, kGang));
  EXPECT_EQ(network.hearing(0, 1), Hearing{});
  network.cut(*scenario, rack_0, 9);
  EXPECT_EQ(network.cutting(0, 0), 9U) << "the newest";
  EXPECT_EQ(network.blocked_by(0, 0, kGang), 9U);
  network.mend(9);
  EXPECT_EQ(network.cutting(0, 0), 7U);
  EXPECT_EQ(network.hearing(0, 0), (Hearing{.mute = true, .deaf = true}));
  network.mend(7);
  EXPECT_TRUE(network.whole());
  EXPECT_EQ(network.hearing(0, 0), Hearing{});
}

TEST(Network, CutFromStorageLeavesNodesConnected) {
  const auto scenario = four_nodes();
  const faults::FaultRecord fault =
      occurrence(*scenario, scenario::FaultKind::kWorkerStoragePartition,
                 target_of(scenario::TargetKind::kNode), 1);
  Network network(*scenario);
  network.cut(*scenario, fault, 3);
  EXPECT_TRUE(network.all_connected(0, kGang));
  EXPECT_EQ(network.hearing(0, 1), Hearing{});
  EXPECT_EQ(network.blocked_by(1, 0, kGang), 3U);
  constexpr std::uint32_t kOthers[] = {2, 3};
  EXPECT_EQ(network.blocked_by(1, 0, kOthers), std::nullopt);
}

TEST(Network, OutageBlocksItsStorageAloneUntilItEnds) {
  const auto scenario = four_nodes();
  core::RunCore core(scenario, nullptr, nullptr, 1000);
  Network network(*scenario);
  network.begin_trouble(core, {.fault = 1, .storage = 0, .out = true, .fails = true});
  network.begin_trouble(core, {.fault = 2, .storage = 0, .out = true});
  ASSERT_NE(network.outage(0), nullptr);
  EXPECT_EQ(network.outage(0)->fault, 2U) << "the newest";
  EXPECT_EQ(network.outage(1), nullptr);
  EXPECT_EQ(network.blocked_by(0, 0, kGang), 2U);
  EXPECT_EQ(network.end_trouble(core, 2).fault, 2U);
  EXPECT_EQ(network.blocked_by(0, 0, kGang), 1U);
  EXPECT_TRUE(network.end_trouble(core, 1).fails);
  EXPECT_EQ(network.blocked_by(0, 0, kGang), std::nullopt);
}

TEST(Network, SlowFaultsOfAStorageMultiply) {
  const auto scenario = four_nodes();
  core::RunCore core(scenario, nullptr, nullptr, 1000);
  Network network(*scenario);
  EXPECT_EQ(network.write_speed(0), 1000);
  network.begin_trouble(core, {.fault = 1, .storage = 0, .factor = 2});
  network.begin_trouble(core, {.fault = 2, .storage = 0, .factor = 5});
  EXPECT_EQ(network.write_speed(0), 100);
  EXPECT_EQ(network.write_speed(1), 1000);
  network.end_trouble(core, 1);
  EXPECT_EQ(network.write_speed(0), 200);
  network.end_trouble(core, 2);
  EXPECT_EQ(network.write_speed(0), 1000);
}

// When the transfer that is alone on its storage is over.
std::int64_t end_of_transfer_us(core::RunCore& core, Network& network) {
  engine::TransferRequest request;
  while (!core.calendar().empty()) {
    const engine::Entry entry = core.calendar().pop();
    core.begin(entry);
    if (network.transfers().take_completion(entry, request)) {
      EXPECT_EQ(core::kind_of(entry), core::EntryKind::kTransferOver);
      return core.now_us();
    }
  }
  return -1;
}

TEST(Network, ReadsAndWritesHaveASpeedEach) {
  const auto scenario = four_nodes();
  core::RunCore core(scenario, nullptr, nullptr, 1000);
  Network network(*scenario);
  const engine::TransferRequest request{.bytes = 6000, .bound_bytes_per_s = 1'000'000};
  network.write(core, 1, request);
  network.read(core, 1, request);
  EXPECT_EQ(end_of_transfer_us(core, network), 3'000'000) << "the read";
  EXPECT_EQ(end_of_transfer_us(core, network), 6'000'000) << "the write";
  EXPECT_TRUE(network.transfers().idle());
}

TEST(Network, CopyGoesOnByItself) {
  const auto scenario = four_nodes();
  const faults::FaultRecord fault = occurrence(*scenario, scenario::FaultKind::kPartition,
                                               target_of(scenario::TargetKind::kNode), 2);
  Network network(*scenario);
  network.cut(*scenario, fault, 1);
  Network copy = network;
  copy.mend(1);
  EXPECT_FALSE(network.whole());
  EXPECT_TRUE(copy.whole());
}

TEST(NetworkDeathTest, AFaultCutsAndTroublesOnceUntilItEnds) {
  auto scenario = four_nodes();
  const faults::FaultRecord fault = occurrence(*scenario, scenario::FaultKind::kPartition,
                                               target_of(scenario::TargetKind::kNode));
  core::RunCore core(scenario, nullptr, nullptr, 100);
  Network network(*scenario);
  network.cut(*scenario, fault, 3);
  EXPECT_DEATH(network.cut(*scenario, fault, 3), "assertion failed");
  EXPECT_DEATH(network.end_trouble(core, 3), "assertion failed");
  network.begin_trouble(core, {.fault = 4, .storage = 1, .out = true});
  EXPECT_DEATH(network.begin_trouble(core, {.fault = 4, .storage = 1, .out = true}),
               "assertion failed");
}

}  // namespace
}  // namespace aftershock::sim::network
