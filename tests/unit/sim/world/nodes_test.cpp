// The fate of nodes: notices, spares, repair, replacement, waiting. The job of detection_test:
// 950 s of work, saved every 100 s at no cost.

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "policies/api/json_as_text.h"
#include "tests/unit/sim/world/harness.h"

namespace aftershock::sim::world {
namespace {

struct NodeRow {
  const char* name;
  const char* pool;
  const char* faults;
  Buckets ledger;
  int attempts;
};

Outcomes run_row(const NodeRow& row) {
  return simulated(fmt::format(
      R"({{"pool": {}, "job": {{"steps": 95, "checkpoint": {{"every": "100s", "at_end": false}}}}, "faults": [{}]}})",
      row.pool, row.faults));
}

void expect_rows(std::initializer_list<NodeRow> rows) {
  for (const NodeRow& row : rows) {
    const Outcomes run = run_row(row);
    EXPECT_EQ(run.ledger(), row.ledger) << row.name;
    EXPECT_EQ(run.job()["attempts"], row.attempts) << row.name;
    EXPECT_EQ(run.job()["outcome"], "completed") << row.name;
  }
}

constexpr const char* kLost = R"({"kind": "node_crash", "target": "node:p-1", "at": "151s"})";

// The loss of 151 s is known at 165 s: 14 s undetected, 51 s of work lost.
TEST(WorldNodes, WhatTakesThePlaceOfALostNode) {
  expect_rows({
      {"a spare",
       R"({"spares": 1})",
       kLost,
       {{"productive", 950_s}, {"rolled_back", 51_s}, {"undetected", 14_s}},
       2},
      {"a new machine at once",
       R"({"replacement": "now"})",
       kLost,
       {{"productive", 950_s}, {"rolled_back", 51_s}, {"undetected", 14_s}},
       2},
      {"a new machine, 40 s after it was asked for",
       R"({"replacement": "provision", "provision": "40s"})",
       kLost,
       {{"productive", 950_s}, {"rolled_back", 51_s}, {"undetected", 14_s}, {"provisioning", 40_s}},
       2},
      {"a free slot is filled where the old one is lost too",
       R"({"max_nodes": 4, "replacement": "provision", "provision": "40s"})",
       kLost,
       {{"productive", 950_s}, {"rolled_back", 51_s}, {"undetected", 14_s}, {"provisioning", 40_s}},
       2},
      {"the spare first, nothing is asked for",
       R"({"spares": 1, "replacement": "provision", "provision": "40s"})",
       kLost,
       {{"productive", 950_s}, {"rolled_back", 51_s}, {"undetected", 14_s}},
       2},
      // Back at 191: 26 s after the start that could not be placed.
      {"itself, repaired",
       R"({"repair": "40s"})",
       kLost,
       {{"productive", 950_s},
        {"rolled_back", 51_s},
        {"undetected", 14_s},
        {"waiting_for_capacity", 26_s}},
       2},
      {"itself, after what the fault says",
       R"({"repair": "40s"})",
       R"({"kind": "node_crash", "target": "node:p-1", "at": "151s", "lasts": "30s"})",
       {{"productive", 950_s},
        {"rolled_back", 51_s},
        {"undetected", 14_s},
        {"waiting_for_capacity", 16_s}},
       2},
      // Back before the new machine, which goes back.
      {"itself, repaired before the new one is there",
       R"({"repair": "40s", "replacement": "provision", "provision": "50s"})",
       kLost,
       {{"productive", 950_s}, {"rolled_back", 51_s}, {"undetected", 14_s}, {"provisioning", 26_s}},
       2},
  });
}

// Asked for at 165, there at 265. The start gives up after 60 s and is tried again: 225, and waits
// on for the same machine.
TEST(WorldNodes, AStartThatWaitsTooLongIsTriedAgain) {
  const NodeRow row{"", R"({"replacement": "provision", "provision": "100s"})", kLost, {}, 3};
  const Outcomes run = run_row(row);
  EXPECT_EQ(run.ledger(), (Buckets{{"productive", 950_s},
                                   {"rolled_back", 51_s},
                                   {"undetected", 14_s},
                                   {"provisioning", 100_s}}));
  EXPECT_EQ(run.job()["attempts"], 3);
  EXPECT_EQ(run.used("max_failures"), 1);
  EXPECT_EQ(run.used("controller_failure_limit"), 1);
  EXPECT_EQ(run.job()["budgets"]["controller_failure_limit"]["charges"][0]["t_us"], 225_s);
  EXPECT_EQ(run.job()["budgets"]["controller_failure_limit"]["charges"][0]["cause"], "controller");
}

// No spare, no repair, no replacement: every start fails the same way, at 225, 285, ...
TEST(WorldNodes, WithoutCapacityAndWithoutLimitItIsStuck) {
  const NodeRow row{"", "{}", kLost, {}, 0};
  const Outcomes run = run_row(row);
  EXPECT_EQ(run.summary["verdict"], "stuck");
  EXPECT_EQ(run.job()["outcome"], "running");
  EXPECT_EQ(run.summary["simulated_us"], 285_s);
}

// The same with a limit of 2: 225, 285 and 345 use it up.
TEST(WorldNodes, WithoutCapacityALimitEndsTheJob) {
  const Outcomes run = simulated(fmt::format(
      R"({{"job": {{"steps": 95, "checkpoint": {{"every": "100s", "at_end": false}},
                    "policy": {{"config": {{"controller_failure_limit": 2}}}}}},
           "faults": [{}]}})",
      kLost));
  EXPECT_EQ(run.summary["verdict"], "passed");
  EXPECT_EQ(run.job()["outcome"], "failed");
  EXPECT_EQ(run.job()["reason"], "exhausted(controller_failure_limit)");
  EXPECT_EQ(run.ledger(), (Buckets{{"productive", 100_s},
                                   {"rolled_back", 51_s},
                                   {"undetected", 14_s},
                                   {"waiting_for_capacity", 180_s}}));
  EXPECT_EQ(run.job()["stranded"]["steps"], 10);
  EXPECT_EQ(run.used("controller_failure_limit"), 3);
}

// Announced at 151 for 211: training goes on until then, the poll of 212 sees the end, and only the
// work since 200 is lost.
TEST(WorldNodes, PreemptionWithNotice) {
  const NodeRow row{"",
                    R"({"spares": 1, "market": "spot"})",
                    R"({"id": "spot", "kind": "preemption", "target": "node:p-1", "at": "151s",
                    "notice": "60s"})",
                    {},
                    2};
  const Outcomes run = run_row(row);
  EXPECT_EQ(run.ledger(),
            (Buckets{{"productive", 950_s}, {"rolled_back", 11_s}, {"undetected", 1_s}}));
  EXPECT_EQ(run.detected(), 212_s);
  EXPECT_EQ(run.job()["budgets"]["max_failures"]["charges"][0]["cause"], "preemption");
  EXPECT_EQ(run.faults("preemption"), "fired 1 masked 0 detected 1");
}

// Vanished, it is a lost node to everybody.
TEST(WorldNodes, PreemptionWithoutNotice) {
  const NodeRow row{"",
                    R"({"spares": 1, "market": "spot"})",
                    R"({"kind": "preemption", "target": "node:p-1", "at": "151s"})",
                    {},
                    2};
  const Outcomes run = run_row(row);
  EXPECT_EQ(run.detected(), 165_s);
  EXPECT_EQ(run.job()["budgets"]["max_failures"]["charges"][0]["cause"], "node");
}

// A gang that restarts during the notice is not put on the node that will go.
TEST(WorldNodes, ADrainingNodeTakesNoNewWork) {
  expect_rows({{"",
                R"({"spares": 1})",
                R"({"kind": "preemption", "target": "node:p-1", "at": "141s", "notice": "10min"},
                   {"kind": "worker_crash", "target": "job:a/rank:0", "at": "151s"})",
                {{"productive", 950_s}, {"rolled_back", 51_s}, {"undetected", 1_s}},
                2}});
}

// Announced for 700, but the machine dies at 110 and is back at 130. A second notice for 1,340 does
// not bring the first one's date back. Declared dead at 125, between the rounds 122..124 and 126.
TEST(WorldNodes, ANoticeDiesWithItsMachine) {
  expect_rows({{"",
                "{}",
                R"({"kind": "preemption", "target": "node:p-1", "at": "100s", "notice": "10min"},
                   {"kind": "node_crash", "target": "node:p-1", "at": "110s", "lasts": "20s"},
                   {"kind": "preemption", "target": "node:p-1", "at": "140s", "notice": "20min"})",
                {{"productive", 950_s},
                 {"rolled_back", 10_s},
                 {"undetected", 16_s},
                 {"waiting_for_capacity", 4_s}},
                2}});
}

TEST(WorldNodes, AcceleratorFaults) {
  const char* brief =
      R"({"kind": "accelerator_fault", "code": "xid:94", "target": "job:a/rank:3", "at": "151s"})";
  const char* lasting =
      R"({"kind": "accelerator_fault", "code": "xid:79", "target": "accelerator:p-1/1",
          "at": "151s", "lasts": "30s"})";
  expect_rows({
      {"over at once: the same nodes again",
       "{}",
       brief,
       {{"productive", 950_s}, {"rolled_back", 51_s}, {"undetected", 1_s}},
       2},
      {"lasting, with a spare",
       R"({"spares": 1})",
       lasting,
       {{"productive", 950_s}, {"rolled_back", 51_s}, {"undetected", 1_s}},
       2},
      {"lasting, without: until 181",
       "{}",
       lasting,
       {{"productive", 950_s},
        {"rolled_back", 51_s},
        {"undetected", 1_s},
        {"waiting_for_capacity", 29_s}},
       2},
  });
  const Outcomes run = run_row({"", R"({"spares": 1})", lasting, {}, 2});
  // From 152, when its job gives the node back.
  EXPECT_EQ(run.summary["cluster"]["idle_us"]["isolated"], 29_s);
  EXPECT_EQ(run.job()["budgets"]["max_failures"]["charges"][0]["cause"], "node");
}

// Nobody there: the fault finds nothing to break.
TEST(WorldNodes, FaultsThatFindNothingToBreakAreMasked) {
  const char* rows[] = {
      R"({"kind": "worker_crash", "target": "node:p-spare-0", "at": "151s"})",
      R"({"kind": "accelerator_fault", "code": "xid:94", "target": "node:p-spare-0", "at": "151s"})",
      R"({"kind": "hang", "target": "node:p-spare-0", "at": "151s"})",
  };
  for (const char* fault : rows) {
    const Outcomes run = run_row({"", R"({"spares": 1})", fault, {}, 1});
    EXPECT_EQ(run.ledger(), (Buckets{{"productive", 950_s}})) << fault;
    const std::string kind = run.summary["faults"].begin().key();
    EXPECT_EQ(run.faults(kind), "fired 0 masked 1 detected 0") << fault;
  }
}

// Down from 151 to 211, known at 165. A fault at 160 is masked, and keeps it down for
// longer where it lasts longer.
TEST(WorldNodes, ASecondFaultOnANodeThatIsDown) {
  const std::string first =
      R"({"kind": "node_crash", "target": "node:p-1", "at": "151s", "lasts": "60s"},)";
  struct SecondRow {
    const char* second;
    const char* kind;
    std::int64_t waiting_us;
    int attempts;
    const char* counts;
  };
  const SecondRow rows[] = {
      {R"({"kind": "node_crash", "target": "node:p-1", "at": "160s", "lasts": "20s"})",
       "node_crash", 46_s, 2, "fired 1 masked 1 detected 1"},
      {R"({"kind": "node_crash", "target": "node:p-1", "at": "160s", "lasts": "100s"})",
       "node_crash", 95_s, 3, "fired 1 masked 1 detected 1"},
      {R"({"kind": "preemption", "target": "node:p-1", "at": "160s", "lasts": "100s"})",
       "preemption", 95_s, 3, "fired 0 masked 1 detected 0"},
      {R"({"kind": "worker_crash", "target": "node:p-1", "at": "160s"})", "worker_crash", 46_s, 2,
       "fired 0 masked 1 detected 0"},
  };
  for (const SecondRow& row : rows) {
    const std::string faults = first + row.second;
    const Outcomes run = run_row({"", "{}", faults.c_str(), {}, 0});
    EXPECT_EQ(run.ledger()["waiting_for_capacity"], row.waiting_us) << row.second;
    EXPECT_EQ(run.ledger()["undetected"], 14_s) << row.second;
    EXPECT_EQ(run.job()["attempts"], row.attempts) << row.second;
    EXPECT_EQ(run.faults(row.kind), row.counts) << row.second;
  }
}

// It finds nothing to break, and says nothing of a length: what ends the first ends it, too.
TEST(WorldNodes, ASecondLossWithoutALengthAddsNothing) {
  const NodeRow row{"",
                    "{}",
                    R"({"kind": "node_crash", "target": "node:p-1", "at": "151s", "lasts": "60s"},
                   {"kind": "node_crash", "target": "node:p-1", "at": "160s"})",
                    {},
                    0};
  EXPECT_EQ(run_row(row).ledger()["waiting_for_capacity"], 46_s);
}

// The first is over at 211: from then on the second keeps the job from the node.
TEST(WorldNodes, TheFaultThatHoldsANodeIsNamed) {
  const Outcomes run = simulated(
      R"({"job": {"steps": 95, "checkpoint": {"every": "100s", "at_end": false},
                  "policy": {"config": {"controller_failure_limit": 2}}},
          "faults": [
            {"kind": "node_crash", "target": "node:p-1", "at": "151s", "lasts": "60s"},
            {"kind": "preemption", "target": "node:p-1", "at": "160s", "lasts": "1h"}]})");
  EXPECT_EQ(run.job()["outcome"], "failed");
  const std::string words = policies::text_from_json(run.summary);
  EXPECT_NE(words.find("1 down by preemption node:p-1"), std::string::npos) << words;
}

// Whether a gang gives its slot back or keeps it, the provider sends a machine for the dead one.
// Its peers give up at 211.
TEST(WorldNodes, ADeadMachineOfAGangThatIsKeptIsReplaced) {
  for (const char* policy :
       {R"("torchrun", "config": {"max_failures": null, "max_restarts": 3})",
        R"("kubeflow", "config": {"max_failures": null, "runPolicy": {"backoffLimit": 9}})",
        R"("job", "config": {"max_failures": null, "spec": {"backoffLimit": 9}})"}) {
    const Outcomes run = simulated(fmt::format(
        R"({{"pool": {{"replacement": "provision", "provision": "40s"}},
             "job": {{"steps": 95, "checkpoint": {{"every": "100s", "at_end": false}},
                      "collective_timeout": "60s", "policy": {{"name": {}}}}},
             "faults": [{}]}})",
        policy, kLost));
    EXPECT_EQ(run.job()["outcome"], "completed") << policy;
    EXPECT_LE(run.wall(), 1600_s) << policy;
  }
}

// Arrivals by the calendar are the same whatever a policy does; one on a node that is down finds
// nothing to break, and adds nothing to its repair.
TEST(WorldNodes, ARandomFaultDoesNotLengthenARepair) {
  const Outcomes run = simulated(
      R"({"pool": {"spares": 9, "repair": "1000s"}, "until": "100000s",
          "job": {"steps": 1000000, "policy": {"config": {"max_failures": -1}}},
          "faults": [{"kind": "node_crash", "target": "pool:p",
                      "source": {"exponential": {"mtbf": "1000s", "per": "node"}}}]})");
  // Without a rate while it is down half of all node time is repair; if each arrival began its
  // repair anew it would be 1 - 1/e = 63 %.
  const double share = run.summary["cluster"]["idle_us"]["repairing"].get<double>() / (11 * 1e11);
  EXPECT_NEAR(share, 0.5, 0.06);
}

// 2 nodes up to 151, one until it is repaired at 191, two to the end at 1,041: priced by the hour.
TEST(WorldNodes, CostCountsNodesThatAreUp) {
  const NodeRow row{"", R"({"repair": "40s", "price_per_node_hour": 36})", kLost, {}, 2};
  const Outcomes run = run_row(row);
  EXPECT_EQ(run.wall(), 1041_s);
  EXPECT_NEAR(run.summary["cluster"]["cost"].get<double>(), (2 * 1041 - 40) * 0.01, 1e-9);
  EXPECT_EQ(run.summary["cluster"]["idle_us"]["repairing"], 40_s);
  EXPECT_NEAR(run.summary["cluster"]["unavailability"].get<double>(), 40.0 / (2 * 1041), 1e-12);
}

// It is given no node that is to go, and counts on it until it is gone: 10 s of notice, 60 s for a
// new one, 1,000 s of work.
TEST(WorldNodes, WhoWaitsAsksAgainWhenANodeIsGone) {
  const Outcomes run = simulated(R"({
    "pool": {"replacement": "provision", "provision": "60s"},
    "faults": [{"kind": "preemption", "target": "node:p-1", "notice": "10s",
                "when": {"enter": "deciding", "job": "a", "nth": 1, "offset": "0s"}}]})");
  EXPECT_EQ(run.job()["outcome"], "completed");
  EXPECT_EQ(run.wall(), 1070_s);
  EXPECT_EQ(run.ledger()["provisioning"], 60_s);
}

// A rack that dies takes no repair away from what was down in it: both are back by 140 s.
TEST(WorldNodes, ARackThatDiesLeavesRepairsAsTheyAre) {
  const Outcomes run = simulated(R"({
    "pool": {"racks": 1, "repair": "30s"},
    "faults": [{"kind": "node_crash", "target": "node:p-1", "at": "100s"},
               {"kind": "node_crash", "target": "rack:p/0", "at": "110s"}]})");
  EXPECT_EQ(run.job()["outcome"], "completed");
}

}  // namespace
}  // namespace aftershock::sim::world
