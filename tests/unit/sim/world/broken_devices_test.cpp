// Attempts that start on accelerators which are out of order, and the health check that keeps work
// from them. A start takes 30 s: 20 s of launching, 10 s of rendezvous.

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/unit/sim/world/harness.h"

namespace aftershock::sim::world {
namespace {

constexpr const char* kInPlace =
    R"("phases": {"launching": "20s", "rendezvous": "10s"}, "steps": 95,
       "checkpoint": {"every": "100s", "at_end": false},
       "policy": {"name": "torchrun", "config": {"max_failures": null, "max_restarts": 9, "monitor_interval": 1}})";

struct BrokenRow {
  const char* name;
  const char* pool;
  const char* fault;  ///< of an accelerator of node 1, at 200 s
  std::int64_t charges;
  const char* outcome;
};

Outcomes break_device(const char* pool, const char* fault, const char* cluster = "{}",
                      const char* job = kInPlace) {
  return simulated(fmt::format(
      R"({{"pool": {}, "cluster": {}, "job": {{{}}}, "until": "1h",
           "faults": [{{"kind": "accelerator_fault", "target": "accelerator:p-1/1", "at": "200s", {}}}]}})",
      pool, cluster, job, fault));
}

// Each start on it fails: at the end of launching where the device does not answer its driver, at
// the first step where it needs no more than a reset. Then the next start is 20 or 30 s later.
TEST(WorldBrokenDevices, AStartInPlaceFailsUntilTheDeviceIsWell) {
  const BrokenRow rows[] = {
      {"a passing one ends with its process", "{}", R"("code": "xid:13")", 1, "completed"},
      {"65 s without an answer: at 200, 220, 240, 260", "{}", R"("code": "xid:79", "lasts": "65s")",
       4, "completed"},
      {"65 s in which kernels fail: at 200, 230, 260", "{}", R"("code": "xid:13", "lasts": "65s")",
       3, "completed"},
      {"without a length, and nobody repairs it", "{}", R"("code": "xid:79")", 10, "failed"},
      {"without a length, by the pool's law for what it needs",
       R"({"repairs": {"reset": "5s", "reboot": "65s", "replacement": "500s"}})",
       R"("code": "xid:79")", 4, "completed"},
      {"as it says that it needs", R"({"repairs": {"replacement": "25s", "reboot": "500s"}})",
       R"("code": "xid:79", "needs": "replacement")", 2, "completed"},
  };
  for (const BrokenRow& row : rows) {
    const Outcomes outcomes = break_device(row.pool, row.fault);
    EXPECT_EQ(outcomes.used("max_restarts"), row.charges) << row.name;
    EXPECT_EQ(outcomes.job()["outcome"], row.outcome) << row.name;
  }
}

// A job that trains on the node does not let it idle.
TEST(WorldBrokenDevices, ANodeThatIsHeldDoesNotIdle) {
  const Outcomes outcomes = break_device("{}", R"("code": "xid:79", "lasts": "65s")");
  EXPECT_EQ(outcomes.summary["cluster"]["idle_us"]["isolated"], 0);
}

struct CheckRow {
  const char* name;
  const char* cluster;
  std::int64_t charges;
};

constexpr const char* kNewGroup =
    R"("phases": {"launching": "20s", "rendezvous": "10s"}, "steps": 95,
       "checkpoint": {"every": "100s", "at_end": false})";

// A new attempt of a Ray job takes the first free nodes, and runs its script after 30 s: at 232,
// 264 and 296. The one with the broken device is taken again where no health check has found that.
TEST(WorldBrokenDevices, TheHealthCheckKeepsNewWorkAway) {
  const CheckRow rows[] = {
      {"before each placement", "{}", 1},
      {"never: it fails until the device is well", R"({"health_check": {"when": "none"}})", 3},
      {"in rounds: at 220 s", R"({"health_check": {"when": "periodic", "every": "110s"}})", 2},
      {"it does not see what needs a reboot",
       R"({"health_check": {"finds": ["reset", "replacement"]}})", 3},
  };
  for (const CheckRow& row : rows) {
    const Outcomes outcomes = break_device(
        R"({"spares": 1})", R"("code": "xid:79", "lasts": "75s")", row.cluster, kNewGroup);
    EXPECT_EQ(outcomes.used("max_failures"), row.charges) << row.name;
    EXPECT_EQ(outcomes.job()["outcome"], "completed") << row.name;
  }
}

TEST(WorldBrokenDevices, ATrialThatStartsOnOneFails) {
  const Outcomes outcomes = simulated(
      R"({"pool": {"nodes": 1, "accelerators": {"per_node": 4}},
          "cluster": {"health_check": {"when": "none"}},
          "experiments": [{"policy": {"config": {"max_failures": 2}}}],
          "faults": [{"kind": "accelerator_fault", "target": "accelerator:p-0/1", "at": "25s",
                      "code": "xid:79", "lasts": "1h"}]})");
  EXPECT_EQ(outcomes.trial(1).substr(0, 18), "ERROR 2 failures 3");
  EXPECT_EQ(outcomes.trial(0).substr(0, 24), "TERMINATED 10 failures 0");
}

}  // namespace
}  // namespace aftershock::sim::world
