// Sources in a world: laws of gaps, racks, bursts, maintenance, and clocks that do not always go
// on.

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/faults/source.h"
#include "sim/scenario/read/read.h"
#include "sim/simulate/simulate.h"
#include "tests/unit/sim/world/harness.h"

namespace aftershock::sim::world {
namespace {

std::shared_ptr<const scenario::Scenario> scenario_with(const std::string& patch) {
  return std::make_shared<const scenario::Scenario>(
      std::get<scenario::ReadScenario>(
          scenario::read_scenario_text(scenario_text(patch), "test.json"))
          .scenario);
}

/// The faults of a whole run that fired.
std::vector<faults::FaultRecord> faults_of(const std::string& patch) {
  const auto scenario = scenario_with(patch);
  World world(scenario, simulate::make_hosts(*scenario), {});
  while (!world.over() && !world.calendar().empty()) {
    world.play(world.calendar().pop());
  }
  const auto records = world.faults.records();
  return {records.begin(), records.end()};
}

// A pool beside the job's, whose nodes' disks fill and are free again at once.
std::string beside(const char* source, const char* more = "") {
  return fmt::format(
      R"({{"until": "100d", "job": {{"pool": "p", "steps": null, "policy": {{"config": {{"max_failures": -1}}}}}},
          "cluster": {{"pools": [{{"name": "p", "nodes": 2, "accelerators": {{"kind": "gpu", "per_node": 2}}}},
                                 {{"name": "q", "nodes": 6, "racks": 3, "power_domains": 2}}]}},
          "faults": [{{"kind": "full_disk", "id": "f", "target": "pool:q", "lasts": "0s", "source": {}{}}}]}})",
      source, more);
}

// Decisions of a policy change nothing of them: same draws for another job.
TEST(WorldSources, AreFunctionsOfScenarioAndSeed) {
  for (const char* law :
       {R"({"weibull": {"mtbf": "5d", "shape": 0.7, "per": "node"}})",
        R"({"lognormal": {"median": "5d", "sigma": 1, "per": "node"}})",
        R"({"gamma": {"mtbf": "5d", "shape": 3, "per": "accelerator"}})",
        R"({"empirical": {"gaps": ["1d", "3d", "8d"], "per": "node"}})",
        R"({"exponential": {"mtbf": "5d", "per": "node"}, "mixed": {"shape": 0.5}})",
        R"({"exponential": {"mtbf": "5d", "per": "node"},
            "bursts": {"more": 3, "within": "1h", "share": 0.5}})"}) {
    const auto idle = faults_of(beside(law));
    const auto busy = faults_of(beside(
        law, R"(}, {"kind": "worker_crash", "target": "job:a", "source": {"rate": "2/job-day"})"));
    std::vector<faults::FaultRecord> same;
    std::ranges::copy_if(busy, std::back_inserter(same),
                         [](const faults::FaultRecord& fault) { return fault.spec == 0; });
    ASSERT_GT(idle.size(), 20U) << law;
    ASSERT_EQ(idle.size(), same.size()) << law;
    for (std::size_t i = 0; i < idle.size(); ++i) {
      EXPECT_EQ(idle[i].t_us, same[i].t_us) << law;
      EXPECT_EQ(idle[i].node, same[i].node) << law;
    }
  }
}

// Constant gaps of 8 days: every node at 8, 16, ... 96 days.
TEST(WorldSources, GiveEveryUnitItsOwnSeries) {
  const auto faults = faults_of(beside(R"({"empirical": {"gaps": ["8d"], "per": "node"}})"));
  ASSERT_EQ(faults.size(), 12U * 6);
  for (std::size_t i = 0; i < faults.size(); ++i) {
    EXPECT_EQ(faults[i].t_us, static_cast<std::int64_t>(i / 6 + 1) * 8 * 86'400_s);
    EXPECT_EQ(faults[i].node, i % 6);
  }
}

// First after a day, then every 10 days: 0 and 1, 2 and 3, ... and 0 and 1 again.
TEST(WorldSources, TakeNodesInTurnForMaintenance) {
  const auto faults =
      faults_of(beside(R"({"maintenance": {"first": "1d", "every": "10d", "nodes": 2}})"));
  ASSERT_EQ(faults.size(), 20U);
  const auto scenario = scenario_with(beside(R"({"maintenance": {"every": "10d"}})"));
  for (std::size_t i = 0; i < faults.size(); ++i) {
    EXPECT_EQ(faults[i].t_us, static_cast<std::int64_t>(1 + i / 2 * 10) * 86'400_s);
    EXPECT_EQ(faults[i].node, i % 6);
    EXPECT_EQ(faults::fault_id(*scenario, faults[i]), fmt::format("f#{}", i));
  }
}

TEST(WorldSources, BringOthersWithThem) {
  const std::string patch = beside(R"({"exponential": {"mtbf": "10d", "per": "pool"},
                                       "bursts": {"more": 2, "within": "1h"}})");
  const auto faults = faults_of(patch);
  const auto scenario = scenario_with(patch);
  std::map<std::uint64_t, std::vector<faults::FaultRecord>> by_primary;
  for (const faults::FaultRecord& fault : faults) {
    by_primary[faults::follower(fault.nth, 0)].push_back(fault);
  }
  ASSERT_GT(by_primary.size(), 3U);
  for (const auto& [nth, burst] : by_primary) {
    ASSERT_EQ(burst.size(), 3U) << nth;
    EXPECT_EQ(faults::fault_id(*scenario, burst[0]), fmt::format("f#{}", nth));
    std::set<std::string> ids;
    for (const faults::FaultRecord& fault : burst) {
      EXPECT_LE(fault.t_us - burst[0].t_us, 3600_s);
      ids.insert(faults::fault_id(*scenario, fault));
    }
    EXPECT_EQ(ids, (std::set{fmt::format("f#{}", nth), fmt::format("f#{}.1", nth),
                             fmt::format("f#{}.2", nth)}));
  }
}

// Racks of q are its nodes 0 and 1, 2 and 3, 4 and 5; its power domains 0 to 2 and 3 to 5.
TEST(WorldSources, StrikeRacksAndPowerDomainsAsAWhole) {
  for (const char* per : {"rack", "power_domain"}) {
    std::string patch =
        beside(fmt::format(R"({{"exponential": {{"mtbf": "10d", "per": "{}"}}}})", per).c_str());
    patch.replace(patch.find("full_disk"), 9, "node_crash");
    const auto faults = faults_of(patch);
    const auto scenario = scenario_with(patch);
    const std::uint32_t size = per == std::string("rack") ? 2 : 3;
    std::set<std::uint32_t> struck;
    ASSERT_GT(faults.size(), 10U);
    for (const faults::FaultRecord& fault : faults) {
      ASSERT_TRUE(fault.domain);
      EXPECT_EQ(fault.nodes, size);
      EXPECT_EQ(fault.node, *fault.domain * size);
      EXPECT_EQ(faults::fault_place(*scenario, fault), fmt::format("{}:q/{}", per, *fault.domain));
      struck.insert(*fault.domain);
    }
    EXPECT_EQ(struck.size(), 6 / size);
  }
}

// The switch of a rack parts each of its nodes from all others; its nodes stay up.
TEST(WorldSources, StrikeSwitchesOfRacks) {
  std::string patch = beside(R"({"exponential": {"mtbf": "10d", "per": "switch"}})");
  patch.replace(patch.find("full_disk"), 9, "partition");
  const auto faults = faults_of(patch);
  const auto scenario = scenario_with(patch);
  std::set<std::uint32_t> struck;
  ASSERT_GT(faults.size(), 10U);
  for (const faults::FaultRecord& fault : faults) {
    ASSERT_TRUE(fault.domain && fault.at_switch && fault.fired);
    EXPECT_EQ(faults::fault_place(*scenario, fault), fmt::format("switch:q/{}", *fault.domain));
    struck.insert(*fault.domain);
  }
  EXPECT_EQ(struck.size(), 3U);
}

// A job on two nodes of a rack: parted, though the rack is whole to all others. As where the switch
// itself is the target, 151 s in.
TEST(WorldSources, AStruckSwitchPartsItsNodes) {
  const auto run = [](const char* fault) {
    return simulated(fmt::format(
        R"({{"pool": {{"racks": 1}}, "job": {{"steps": 95}}, "faults": [{{"kind": "partition",
            "lasts": "10s", {}}}]}})",
        fault));
  };
  const Outcomes named = run(R"("target": "switch:p/0", "at": "151s")");
  const Outcomes listed = run(R"("target": "pool:p", "source": {"occurrences": [
      {"nth": 0, "at": "151s", "target": "switch:p/0", "lasts": "10s"}]})");
  EXPECT_EQ(named.ledger()["undetected"], 10_s);
  EXPECT_EQ(listed.ledger(), named.ledger());
}

std::string held(const char* clock) {
  return fmt::format(
      R"({{"until": "1d", "pool": {{"spares": 6}}, "job": {{"submit": "6h", "steps": null}},
          "faults": [{{"kind": "full_disk", "target": "pool:p", "lasts": "0s",
                       "source": {{"exponential": {{"mtbf": "1h", "per": "node"}}, "clock": "{}"}}}}]}})",
      clock);
}

// Two of eight nodes are held, and only from 6 h on: the gaps, of one unit, pass twice as fast.
TEST(WorldSources, OfAllocatedNodesStrikeThose) {
  const auto scenario = scenario_with(held("allocated"));
  const auto faults = faults_of(held("allocated"));
  ASSERT_GT(faults.size(), 10U);
  std::int64_t exposed_us = 0;
  for (const faults::FaultRecord& fault : faults) {
    exposed_us += faults::draw_gap_us(*scenario, 0, fault.nth, 0, 1);
    EXPECT_LT(fault.node, 2U);
    EXPECT_EQ(fault.t_us, 6 * 3600_s + (exposed_us + 1) / 2);
  }
}

TEST(WorldSources, OfPoweredNodesPassAsFastAsNodesAreUp) {
  const auto scenario = scenario_with(held("powered"));
  const auto faults = faults_of(held("powered"));
  ASSERT_GT(faults.size(), 50U);
  std::int64_t exposed_us = 0;
  for (const faults::FaultRecord& fault : faults) {
    exposed_us += faults::draw_gap_us(*scenario, 0, fault.nth, 0, 1);
    EXPECT_EQ(fault.t_us, (exposed_us + 7) / 8);
  }
}

// Each node that is lost for good slows the process; with none left it stands still.
TEST(WorldSources, OfPoweredNodesStandStillWithoutAny) {
  std::string patch =
      beside(R"({"exponential": {"mtbf": "1h", "per": "node"}, "clock": "powered"})");
  patch.replace(patch.find("full_disk"), 9, "node_crash");
  patch.erase(patch.find(R"("lasts": "0s", )"), std::string_view(R"("lasts": "0s", )").size());
  const auto scenario = scenario_with(patch);
  const auto faults = faults_of(patch);
  ASSERT_EQ(faults.size(), 6U);
  std::int64_t at_us = 0;
  std::set<std::uint32_t> nodes;
  for (std::uint64_t nth = 0; nth < 6; ++nth) {
    at_us += faults::draw_gap_us(*scenario, 0, nth, 0, 1) / static_cast<std::int64_t>(6 - nth);
    EXPECT_NEAR(static_cast<double>(faults[nth].t_us), static_cast<double>(at_us), 6);
    nodes.insert(faults[nth].node);
  }
  EXPECT_EQ(nodes.size(), 6U);
}

// The n-th gap of a unit in training is that of the same source on the calendar.
TEST(WorldSources, WithAMemoryGoOnWithTraining) {
  const auto run_of = [](const char* clock) {
    return simulated(fmt::format(
        R"({{"until": "1d", "job": {{"steps": null, "restart_phases": {{"launching": "30s"}},
                                     "detection": {{"fixed": "0s"}},
                                     "policy": {{"config": {{"max_failures": 2}}}}}},
            "faults": [{{"kind": "worker_crash", "target": "job:a",
                         "source": {{"empirical": {{"gaps": ["300s"], "per": "job"}}, "clock": "{}"}}}}]}})",
        clock));
  };
  // 300 s of training, 30 s of a start, 300 s, 30 s, 300 s.
  EXPECT_EQ(run_of("training").wall(), 960_s);
  EXPECT_EQ(run_of("calendar").wall(), 900_s);
}

}  // namespace
}  // namespace aftershock::sim::world
