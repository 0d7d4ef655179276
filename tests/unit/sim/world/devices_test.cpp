// Accelerators that fail, and nodes that are isolated for them. Every phase of a start is 0 s long,
// and work is saved every 100 s at no cost: what begins at 151 s goes on from 100 s of work.

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/unit/sim/world/harness.h"

namespace aftershock::sim::world {
namespace {

constexpr const char* kModelArts =
    R"({"steps": 95, "checkpoint": {"every": "100s", "at_end": false},
  "policy": {"name": "modelarts", "config": {"max_failures": null,
    "fault-tolerance/job-retry-num": "8", "fault-tolerance/job-unconditional-retry": "true",
    "fault-tolerance/hang-retry": "true"}}})";
constexpr const char* kRay = R"({"steps": 95, "checkpoint": {"every": "100s", "at_end": false}})";

Outcomes run(const std::string& pool, const std::string& faults, const char* job = kModelArts) {
  return simulated(fmt::format(R"({{"pool": {}, "job": {}, "faults": [{}]}})", pool, job, faults));
}

std::string npus(const std::string& more, const std::string& accelerators = "{}") {
  std::string kind = R"({"kind": "npu", )" + accelerators.substr(1);
  if (accelerators == "{}") {
    kind = R"({"kind": "npu"})";
  }
  return R"({"accelerators": )" + kind + (more.empty() ? "" : ", " + more) + "}";
}

std::string chip(const std::string& more) {
  return R"({"kind": "accelerator_fault", "target": "accelerator:p-1/1", "at": "151s", )" + more +
         "}";
}

constexpr const char* kMultiBit = R"("code": "hbm_multi_bit_ecc")";
constexpr const char* kSeparated = R"("code": "80E18402")";

std::string with(const char* code, const std::string& more) { return code + (", " + more); }

struct HealRow {
  const char* name;
  const char* accelerators;
  std::string fault;
  std::int64_t healing_us;
  int job_retries;  ///< 1: it did not heal
};

TEST(WorldDevices, HealingGoesByClassUnlessTheFaultSaysOtherwise) {
  const HealRow rows[] = {
      {"as preset", "{}", kMultiBit, 15_s, 0},
      {"default", R"({"self_healing": {"default": {"takes": "20s"}}})", kMultiBit, 20_s, 0},
      {"its class",
       R"({"self_healing": {"default": {"takes": "20s"}, "hardware": {"takes": "60s"}}})",
       kMultiBit, 60_s, 0},
      {"another class",
       R"({"self_healing": {"default": {"takes": "20s"}, "hardware": {"takes": "60s"}}})",
       R"("code": "tsdaemon_heartbeat_lost")", 20_s, 0},
      {"its class fails", R"({"self_healing": {"hardware": {"takes": "60s", "fails": 1}}})",
       kMultiBit, 60_s, 1},
      {"its own length", R"({"self_healing": {"hardware": {"takes": "60s", "fails": 1}}})",
       with(kMultiBit, R"("heal": "5s")"), 5_s, 1},
      {"its own outcome", R"({"self_healing": {"hardware": {"takes": "60s", "fails": 1}}})",
       with(kMultiBit, R"("heal_fails": 0)"), 60_s, 0},
  };
  for (const HealRow& row : rows) {
    const Outcomes outcomes = run(npus(R"("spares": 1)", row.accelerators), chip(row.fault));
    EXPECT_EQ(outcomes.ledger()["self_healing"], row.healing_us) << row.name;
    EXPECT_EQ(outcomes.used("job-retry-num"), row.job_retries) << row.name;
    EXPECT_EQ(outcomes.wall(), 1001_s + row.healing_us) << row.name;
  }
}

// A node is left after its first failure, or at its third report: reports are 1, 2 or 3 with 0.4,
// 0.24 and 0.36, which is 1.96 in the mean, with a deviation of 0.871. There are 129 nodes.
TEST(WorldDevices, HealingFailsAsOftenAsItsClassSays) {
  const Outcomes outcomes = simulated(R"({
    "pool": {"nodes": 1, "spares": 128, "accelerators": {"kind": "npu", "self_healing":
             {"hardware": {"takes": "1s", "fails": 0.4}}}},
    "job": {"workers": 2, "steps": 100000, "policy": {"name": "modelarts", "config":
            {"max_failures": null, "fault-tolerance/job-retry-num": "1",
             "fault-tolerance/pod-retry-num": "128"}}},
    "faults": [{"kind": "accelerator_fault", "code": "hbm_multi_bit_ecc", "at_step": 1,
                "target": "job:a/rank:0", "every_attempt": true}]})");
  const auto fired = outcomes.summary["faults"]["accelerator_fault"]["fired"].get<double>();
  EXPECT_EQ(outcomes.used("pod-retry-num"), 128);
  EXPECT_EQ(outcomes.job()["reason"], "gave_up(modelarts.queue.no_resource_timeout)");
  constexpr double kNodes = 129;
  EXPECT_NEAR(fired / kNodes, 1.96, 4 * 0.871 / 11.36);
}

struct RepairRow {
  const char* name;
  const char* pool;
  std::string fault;
  std::int64_t isolated_us;
};

constexpr const char* kLaws =
    R"("spares": 1, "repairs": {"reset": "30s", "reboot": "60s", "replacement": "90s"})";

TEST(WorldDevices, AnIsolatedNodeIsRepairedByWhatItNeeds) {
  const RepairRow rows[] = {
      {"separated", kLaws, kSeparated, 90_s},
      {"as it says", kLaws, with(kSeparated, R"("needs": "reset")"), 30_s},
      {"a reboot", kLaws, with(kSeparated, R"("needs": "reboot")"), 60_s},
      {"not healed", kLaws, with(kMultiBit, R"("heal_fails": 1)"), 30_s},
      {"another law than the pool's own",
       R"("spares": 1, "repair": "40s", "repairs": {"replacement": "90s"})", kSeparated, 90_s},
      {"the pool's own", R"("spares": 1, "repair": "40s", "repairs": {"reset": "90s"})", kSeparated,
       40_s},
      {"none: until the end", R"("spares": 1)", kSeparated, 850_s},
      // Repaired at 201: what the fault says of itself is over with that.
      {"a fault that would last longer", R"("spares": 1, "repairs": {"replacement": "50s"})",
       with(kSeparated, R"("lasts": "200s")"), 50_s},
      // Out of order from 151 until it is healed, under a job that keeps its node.
      {"healed, though it would last longer", kLaws, with(kMultiBit, R"("lasts": "10min")"), 0_s},
  };
  for (const RepairRow& row : rows) {
    const Outcomes outcomes = run(npus(row.pool), chip(row.fault));
    EXPECT_EQ(outcomes.summary["cluster"]["idle_us"]["isolated"], row.isolated_us) << row.name;
    EXPECT_EQ(outcomes.job()["outcome"], "completed") << row.name;
  }
}

// Both are bad when the node is isolated, at 155; the one that was healed before is not.
TEST(WorldDevices, TheWorstOfWhatIsBadOnTheNodeDecides) {
  const std::string first = chip(with(kMultiBit, R"("needs": "replacement")"));
  const auto second = [](const char* at) {
    return fmt::format(R"(, {{"kind": "accelerator_fault", "code": "80E18402", "needs": "reset",
                              "target": "accelerator:p-1/0", "at": "{}"}})",
                       at);
  };
  const auto isolated = [&](const char* at) {
    return run(npus(kLaws), first + second(at)).summary["cluster"]["idle_us"]["isolated"];
  };
  EXPECT_EQ(isolated("155s"), 90_s);
  EXPECT_EQ(isolated("251s"), 30_s);
}

// Nobody isolates anything: the accelerator itself is away for so long.
TEST(WorldDevices, AFaultLastsUntilItsNeedIsMet) {
  const std::string fault = R"({"kind": "accelerator_fault", "code": "xid:79", "lasts": "repair",
                                "target": "accelerator:p-1/1", "at": "151s"})";
  const Outcomes outcomes =
      run(R"({"spares": 1, "repairs": {"reset": "20s", "reboot": "30s"}})", fault, kRay);
  // Its job gives the node back at the poll of 152.
  EXPECT_EQ(outcomes.summary["cluster"]["idle_us"]["isolated"], 29_s);
}

struct RepairedRow {
  const char* name;
  const char* pool;
  const char* fault;
  Buckets waiting;
};

// Lost at 151, known at 165.
TEST(WorldDevices, RepairedNodesReturnOrStayAway) {
  const char* crash = R"({"kind": "node_crash", "target": "node:p-1", "at": "151s"})";
  const RepairedRow rows[] = {
      {"returns at 181",
       R"({"repair": "30s", "replacement": "provision", "provision": "50s"})",
       crash,
       {{"provisioning", 16_s}}},
      {"stays away: the new machine is there at 215",
       R"({"repair": "30s", "repaired": "stays_away", "replacement": "provision",
           "provision": "50s"})",
       crash,
       {{"provisioning", 50_s}}},
      {"was not repaired",
       R"({"repair": "90s", "repaired": "stays_away", "replacement": "provision",
           "provision": "50s"})",
       R"({"kind": "node_crash", "target": "node:p-1", "at": "151s", "lasts": "30s"})",
       {{"provisioning", 16_s}}},
      {"given back by its market",
       R"({"repair": "40s", "repaired": "stays_away", "market": "spot"})",
       R"({"kind": "preemption", "target": "node:p-1", "at": "151s"})",
       {{"waiting_for_capacity", 26_s}}},
  };
  for (const RepairedRow& row : rows) {
    const Outcomes outcomes = run(row.pool, row.fault, kRay);
    Buckets waiting = outcomes.ledger();
    for (const char* bucket : {"productive", "rolled_back", "undetected"}) {
      waiting.erase(bucket);
    }
    EXPECT_EQ(waiting, row.waiting) << row.name;
  }
  EXPECT_EQ(run(R"({"repair": "30s", "repaired": "stays_away"})", crash, kRay).summary["verdict"],
            "stuck");
}

// It is repaired at 241 and gone: neither isolated nor idle any more.
TEST(WorldDevices, AnIsolatedNodeThatStaysAwayLeaves) {
  const std::string pool = npus(std::string(kLaws) + R"(, "repaired": "stays_away")");
  const Outcomes outcomes = run(pool, chip(kSeparated));
  EXPECT_EQ(outcomes.summary["cluster"]["idle_us"]["isolated"], 90_s);
  EXPECT_EQ(outcomes.summary["cluster"]["idle_us"]["spares"], 151_s);
}

// A new machine takes the place of one that is isolated, as of one that is lost: asked for at 151.
TEST(WorldDevices, AnIsolatedNodeCanBeReplaced) {
  const Outcomes outcomes =
      run(npus(R"("replacement": "provision", "provision": "40s")"), chip(kSeparated));
  EXPECT_EQ(outcomes.ledger()["provisioning"], 40_s);
  EXPECT_EQ(outcomes.summary["cluster"]["idle_us"]["isolated"], 40_s);
}

struct StormRow {
  const char* name;
  const char* storm;
  const char* others;
  int job_retries;
  const char* counts;
};

// Errors at 151, 161 and 171; what comes of them at 181.
TEST(WorldDevices, AStormEscalatesOrIsOver) {
  const StormRow rows[] = {
      {"stays corrected", R"("target": "accelerator:p-1/1")", "", 0, "fired 1 masked 0 detected 1"},
      {"escalates", R"("target": "accelerator:p-1/1", "then": "80E18402")", "", 1,
       "fired 1 masked 0 detected 1"},
      {"no storm does", R"("target": "accelerator:p-1/1", "then": "80E18402", "then_share": 0)", "",
       0, "fired 1 masked 0 detected 1"},
      {"of a rank", R"("target": "job:a/rank:3", "then": "80E18402")", "", 1,
       "fired 1 masked 0 detected 1"},
      {"over when its node goes down, if only for a second",
       R"("target": "accelerator:p-1/1", "then": "80E18402")",
       R"(, {"kind": "node_crash", "target": "node:p-1", "at": "165s", "lasts": "1s"})", 1,
       "fired 1 masked 0 detected 1"},
      {"over when its node is isolated", R"("target": "accelerator:p-1/1", "then": "80E18402")",
       R"(, {"kind": "accelerator_fault", "code": "80E0020B", "target": "accelerator:p-1/0",
             "at": "165s"})",
       1, "fired 1 masked 0 detected 1"},
      {"on a spare nobody sees it", R"("target": "accelerator:p-spare-0/0", "then": "80E18402")",
       "", 0, "fired 1 masked 0 detected 0"},
      {"nothing to break on a node that is down",
       R"("target": "accelerator:p-1/1", "then": "80E18402")",
       R"(, {"kind": "node_crash", "target": "node:p-1", "at": "150s", "lasts": "1h"})", 1,
       "fired 0 masked 1 detected 0"},
  };
  for (const StormRow& row : rows) {
    const Outcomes outcomes =
        run(npus(kLaws), fmt::format(R"({{"kind": "corrected_ecc_storm", "at": "151s",
                                          "every": "10s", "times": 3, {}}} {})",
                                     row.storm, row.others));
    EXPECT_EQ(outcomes.used("job-retry-num"), row.job_retries) << row.name;
    EXPECT_EQ(outcomes.faults("corrected_ecc_storm"), row.counts) << row.name;
  }
}

// It is the fault's cost, from 181 on: 1 s of work and what had not been saved.
TEST(WorldDevices, WhatComesOfAStormIsTheStorms) {
  const Outcomes outcomes =
      run(npus(kLaws), R"({"id": "s", "kind": "corrected_ecc_storm", "at": "151s", "every": "10s",
                           "times": 3, "target": "accelerator:p-1/1", "then": "hbm_uce_storm",
                           "heal": "25s"})");
  EXPECT_EQ(outcomes.ledger(),
            (Buckets{{"productive", 950_s}, {"rolled_back", 81_s}, {"self_healing", 25_s}}));
  EXPECT_EQ(outcomes.job()["recoveries"][0]["fault"], "s");
  EXPECT_EQ(outcomes.detected(), 181_s);
}

struct PoisonRow {
  const char* name;
  const char* pool;
  const char* config;
  const char* faults;
  int fired;
  int attempts;
  const char* reason;
};

// A step that brings down whoever computes it does so in every kind of attempt.
TEST(WorldDevices, APoisonStepHitsAgain) {
  constexpr const char* kByUser = R"("code": "80C98002")";
  const PoisonRow rows[] = {
      // Twice in place, then the job anew, as often as it may.
      {"in place, and the job anew", "", R"("fault-tolerance/job-retry-num": "1")", kByUser, 6, 6,
       "exhausted(job-retry-num)"},
      {"after a hang restart", "",
       R"("fault-tolerance/job-retry-num": "1", "fault-tolerance/hang-retry": "true")",
       R"("code": "80C98002"}, {"kind": "hang", "target": "job:a/rank:1", "at_step": 20)", 6, 7,
       "exhausted(job-retry-num)"},
      {"on another node, with its pod anew", R"("spares": 1)",
       R"("fault-tolerance/job-retry-num": "1", "fault-tolerance/pod-retry-num": "9")", kSeparated,
       2, 4, "gave_up(modelarts.queue.no_resource_timeout)"},
      {"on another node, with the job anew", R"("spares": 1)",
       R"("fault-tolerance/job-retry-num": "2")", kSeparated, 2, 3,
       "gave_up(modelarts.queue.no_resource_timeout)"},
  };
  for (const PoisonRow& row : rows) {
    const Outcomes outcomes = simulated(fmt::format(
        R"({{"pool": {}, "job": {{"collective_timeout": "1h", "policy": {{"name": "modelarts",
             "config": {{"max_failures": null, {}}}}}}},
             "faults": [{{"kind": "accelerator_fault", "target": "job:a/rank:1", "at_step": 30,
                          "every_attempt": true, {}}}]}})",
        npus(row.pool), row.config, row.faults));
    EXPECT_EQ(outcomes.faults("accelerator_fault"),
              fmt::format("fired {0} masked 0 detected {0}", row.fired))
        << row.name;
    EXPECT_EQ(outcomes.job()["attempts"], row.attempts) << row.name;
    EXPECT_EQ(outcomes.job()["reason"], row.reason) << row.name;
  }
}

}  // namespace
}  // namespace aftershock::sim::world
