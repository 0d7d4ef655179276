// Who notices what, and when. Work of 950 s from 0 on, saved every 100 s at no cost; faults strike
// at 151 s or near it, so a restart goes on from 100 s.

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/unit/sim/world/harness.h"

namespace aftershock::sim {
namespace {

struct Row {
  const char* name;
  const char* job;  ///< more members of the job
  const char* faults;
  std::int64_t detected_us;
  Buckets ledger;
};

Outcomes run_row(const Row& row) {
  return simulated(fmt::format(
      R"({{"pool": {{"spares": 1}}, "job": {{"steps": 95, "checkpoint": {{"every": "100s", "at_end": false}} {}}},
           "faults": [{}]}})",
      row.job, row.faults));
}

void expect_row(const Row& row) {
  const Outcomes run = run_row(row);
  EXPECT_EQ(run.detected(), row.detected_us) << row.name;
  EXPECT_EQ(run.ledger(), row.ledger) << row.name;
  EXPECT_EQ(run.job()["attempts"], 2) << row.name;
  EXPECT_EQ(run.used("max_failures"), 1) << row.name;
  EXPECT_EQ(run.used("controller_failure_limit"), 0) << row.name;
}

TEST(WorldDetection, ByExitAtTheNextPoll) {
  const Row rows[] = {
      {"exception",
       "",
       R"({"kind": "worker_crash", "target": "job:a/rank:2", "at": "151s"})",
       152_s,
       {{"productive", 950_s}, {"rolled_back", 51_s}, {"undetected", 1_s}}},
      {"oom",
       "",
       R"({"kind": "worker_crash", "how": "oom", "target": "node:p-1", "at": "151s"})",
       152_s,
       {{"productive", 950_s}, {"rolled_back", 51_s}, {"undetected", 1_s}}},
      {"exit code",
       "",
       R"({"kind": "worker_crash", "how": "exit", "exit_code": 7, "target": "accelerator:p-1/1",
           "at": "151s"})",
       152_s,
       {{"productive", 950_s}, {"rolled_back", 51_s}, {"undetected", 1_s}}},
      {"in the microsecond of a poll",
       "",
       R"({"kind": "worker_crash", "target": "job:a/rank:2", "at": "152s"})",
       152_s,
       {{"productive", 950_s}, {"rolled_back", 52_s}}},
      {"just after one",
       "",
       R"({"kind": "worker_crash", "target": "job:a/rank:2", "at": "152000001us"})",
       154_s,
       {{"productive", 950_s}, {"rolled_back", 52'000'001}, {"undetected", 1'999'999}}},
      {"polls of another period",
       R"(, "env": {"RAY_TRAIN_HEALTH_CHECK_INTERVAL_S": "10"})",
       R"({"kind": "worker_crash", "target": "job:a/rank:2", "at": "151s"})",
       160_s,
       {{"productive", 950_s}, {"rolled_back", 51_s}, {"undetected", 9_s}}},
      {"accelerator fault",
       "",
       R"({"kind": "accelerator_fault", "code": "xid:94", "target": "job:a/rank:3", "at": "151s"})",
       152_s,
       {{"productive", 950_s}, {"rolled_back", 51_s}, {"undetected", 1_s}}},
  };
  for (const Row& row : rows) {
    expect_row(row);
  }
}

// The dead workers leave the polls from the next even second on unanswered, so rounds of 2 s and 2
// s follow; the death known, the round under way ends, or the next poll sees it.
TEST(WorldDetection, ByMissedHeartbeats) {
  const Row rows[] = {
      // 155, 160, 165 missed; rounds from 152, ... 164..166.
      {"in a round",
       "",
       R"({"kind": "node_crash", "target": "node:p-1", "at": "151s"})",
       165_s,
       {{"productive", 950_s}, {"rolled_back", 51_s}, {"undetected", 14_s}}},
      // 150, 155, 160 missed; rounds from 148, ... 160..162.
      {"at the begin of one",
       "",
       R"({"kind": "node_crash", "target": "node:p-1", "at": "147s"})",
       160_s,
       {{"productive", 950_s}, {"rolled_back", 47_s}, {"undetected", 13_s}}},
      // 145, 150, 155 missed - 140 still came; rounds from 140, ... 152..154, 156.
      {"between two",
       "",
       R"({"kind": "node_crash", "target": "node:p-1", "at": "140s"})",
       156_s,
       {{"productive", 950_s}, {"rolled_back", 40_s}, {"undetected", 16_s}}},
      {"without notice a preemption is no different",
       "",
       R"({"kind": "preemption", "target": "node:p-1", "at": "140s"})",
       156_s,
       {{"productive", 950_s}, {"rolled_back", 40_s}, {"undetected", 16_s}}},
      // Back at 155: that it was away shows then; rounds from 152, 156.
      {"back before it is missed",
       "",
       R"({"kind": "node_crash", "target": "node:p-1", "at": "151s", "lasts": "4s"})",
       156_s,
       {{"productive", 950_s}, {"rolled_back", 51_s}, {"undetected", 5_s}}},
  };
  for (const Row& row : rows) {
    expect_row(row);
  }
}

// p-1 dies at 140, its rounds are 140..142, 144..146. Rank 0 raises at 141: the answer of 140 was
// given, so the round of 144 shows it at 146. The gang is started again on the same nodes, for p-1
// is not known to be dead; that start dies when it is declared at 155, and the next has the spare.
TEST(WorldDetection, AnExceptionDuringASilence) {
  const Outcomes run = simulated(R"({
    "pool": {"spares": 1}, "job": {"steps": 95, "checkpoint": {"every": "100s", "at_end": false}},
    "faults": [{"id": "node", "kind": "node_crash", "target": "node:p-1", "at": "140s"},
               {"id": "bug", "kind": "worker_crash", "target": "job:a/rank:0", "at": "141s"}]})");
  EXPECT_EQ(run.ledger(),
            (Buckets{{"productive", 950_s}, {"rolled_back", 40_s}, {"undetected", 6_s + 9_s}}));
  EXPECT_EQ(run.used("max_failures"), 1);
  EXPECT_EQ(run.used("controller_failure_limit"), 1);
  EXPECT_EQ(run.job()["attempts"], 3);
  EXPECT_EQ(run.faults("node_crash"), "fired 1 masked 0 detected 1");
  EXPECT_EQ(run.faults("worker_crash"), "fired 1 masked 0 detected 1");
}

TEST(WorldDetection, Hangs) {
  const Row rows[] = {
      // 151 + 600: the others raise; the poll of 752 sees it.
      {"by collective timeout",
       R"(, "collective_timeout": "10min")",
       R"({"kind": "hang", "target": "job:a/rank:1", "at": "151s"})",
       752_s,
       {{"productive", 950_s}, {"rolled_back", 51_s}, {"undetected", 601_s}}},
      // First unanswered poll 152; given up when that is strictly more than 600 s ago: at the end
      // of the round 752..754. A frozen worker cannot be asked to end: 5 s of patience.
      {"frozen",
       "",
       R"({"kind": "hang", "answers": false, "target": "job:a/rank:1",
                         "at": "151s"})",
       754_s,
       {{"productive", 950_s},
        {"rolled_back", 51_s},
        {"undetected", 603_s},
        {"tearing_down", 5_s}}},
      // The others raise at 451; rounds from 152, ... 448..450, 452..454.
      {"frozen, with a collective timeout before that",
       R"(, "collective_timeout": "5min")",
       R"({"kind": "hang", "answers": false, "target": "job:a/rank:1", "at": "151s"})",
       454_s,
       {{"productive", 950_s},
        {"rolled_back", 51_s},
        {"undetected", 303_s},
        {"tearing_down", 5_s}}},
  };
  for (const Row& row : rows) {
    expect_row(row);
  }
}

TEST(WorldDetection, AHangThatEndsByItself) {
  for (const char* answers : {"true", "false"}) {
    const Outcomes run = simulated(fmt::format(
        R"({{"job": {{"steps": 95, "checkpoint": {{"every": "100s", "at_end": false}}}},
             "faults": [{{"kind": "hang", "target": "job:a/rank:1", "at": "151s",
                          "answers": {}, "lasts": "100s"}}]}})",
        answers));
    Buckets wanted{{"productive", 950_s}, {"undetected", 100_s}};
    EXPECT_EQ(run.job()["attempts"], 1) << answers;
    EXPECT_EQ(run.used("max_failures"), 0) << answers;
    EXPECT_EQ(run.faults("hang"), "fired 1 masked 0 detected 0") << answers;
    // Frozen: rounds from 152, ... 248..250; 251 lies between, so the next poll is that of 252 and
    // polls stay on even seconds.
    EXPECT_EQ(run.ledger(), wanted) << answers;
  }
}

// Nobody will ever see it, and nothing else is to come.
TEST(WorldDetection, AHangThatNobodyLooksForIsStuck) {
  const Outcomes run = simulated(R"({
    "job": {"collective_timeout": "none"},
    "faults": [{"kind": "hang", "target": "job:a/rank:1", "at": "151s"}]})");
  EXPECT_EQ(run.summary["verdict"], "stuck");
  EXPECT_EQ(run.job()["outcome"], "running");
}

// What fixed detection says becomes known to the controller at its next poll, every 2 s from 0.
TEST(WorldDetection, FixedReplacesHeartbeatsAndTimeouts) {
  const char* fixed = R"(, "detection": {"fixed": "45s"})";
  const Row rows[] = {
      {"exception",
       fixed,
       R"({"kind": "worker_crash", "target": "job:a/rank:2",
                               "at": "151000003us"})",
       198_s,
       {{"productive", 950_s}, {"rolled_back", 51'000'003}, {"undetected", 46'999'997}}},
      {"node",
       fixed,
       R"({"kind": "node_crash", "target": "node:p-1", "at": "151s"})",
       196_s,
       {{"productive", 950_s}, {"rolled_back", 51_s}, {"undetected", 45_s}}},
      {"hang",
       fixed,
       R"({"kind": "hang", "target": "job:a/rank:2", "at": "152s"})",
       198_s,
       {{"productive", 950_s}, {"rolled_back", 52_s}, {"undetected", 46_s}}},
      {"at once",
       R"(, "detection": {"fixed": "0s"})",
       R"({"kind": "node_crash", "target": "node:p-1", "at": "151s"})",
       152_s,
       {{"productive", 950_s}, {"rolled_back", 51_s}, {"undetected", 1_s}}},
  };
  for (const Row& row : rows) {
    expect_row(row);
  }
}

// The second one breaks what is broken already, and is seen with it.
TEST(WorldDetection, FixedAbsorbsASecondFault) {
  const Outcomes run = simulated(R"({
    "pool": {"spares": 1},
    "job": {"steps": 95, "checkpoint": {"every": "100s", "at_end": false}, "detection": {"fixed": "60s"}},
    "faults": [{"kind": "worker_crash", "target": "job:a/rank:0", "at": "151s"},
               {"kind": "node_crash", "target": "node:p-1", "at": "181s"}]})");
  EXPECT_EQ(run.detected(), 212_s);
  EXPECT_EQ(run.ledger(),
            (Buckets{{"productive", 950_s}, {"rolled_back", 51_s}, {"undetected", 61_s}}));
  EXPECT_EQ(run.job()["attempts"], 2) << "the dead node is not taken again";
  EXPECT_EQ(run.used("max_failures"), 1);
}

// p-1 is cut off at 151 and stalls the gang; back at 161, in the round 160..162. The polls after
// are counted from there, so the end at 960 is seen at 961.
TEST(WorldDetection, APartitionShorterThanTheHeartbeatsHeals) {
  const Outcomes run = simulated(R"({
    "pool": {"spares": 1}, "job": {"steps": 95, "checkpoint": {"every": "100s", "at_end": false}},
    "faults": [{"kind": "partition", "target": "node:p-1", "at": "151s", "lasts": "10s"}]})");
  EXPECT_EQ(run.ledger(),
            (Buckets{{"productive", 950_s}, {"undetected", 10_s}, {"finalizing", 1_s}}));
  EXPECT_EQ(run.job()["attempts"], 1);
  EXPECT_EQ(run.used("max_failures"), 0);
  EXPECT_EQ(run.faults("partition"), "fired 1 masked 0 detected 0");
}

// Healed in the microsecond in which it would be declared dead: the heartbeat of then comes.
TEST(WorldDetection, APartitionThatHealsAtTheDeadline) {
  const Outcomes run = simulated(R"({
    "pool": {"spares": 1},
    "faults": [{"kind": "partition", "target": "node:p-1", "at": "151s", "lasts": "14s"}]})");
  EXPECT_EQ(run.job()["attempts"], 1);
  EXPECT_EQ(run.ledger()["undetected"], 14_s);
}

// Silent for 10 s, there for 3 s, silent again from 164 on: declared at 175, not at 165.
TEST(WorldDetection, ASecondSilenceCountsFromItsOwnBegin) {
  const Outcomes run = simulated(R"({
    "pool": {"spares": 1},
    "faults": [{"kind": "partition", "target": "node:p-1", "at": "151s", "lasts": "10s"},
               {"kind": "partition", "target": "node:p-1", "at": "164s", "lasts": "1h"}]})");
  // 165, 170, 175 missed. Polls from 161: 163, 165 is the first unanswered, rounds 165..167,
  // 169..171, 173..175.
  EXPECT_EQ(run.detected(1), 175_s);
}

// Declared at 165 in the round 164..166. The cut-off worker cannot be asked to end: 5 s. From 170
// on two zombies, until their node is back at 211 and finds itself declared dead.
TEST(WorldDetection, APartitionLongerThanTheHeartbeats) {
  const Outcomes run = simulated(R"({
    "pool": {"spares": 1}, "job": {"steps": 95, "checkpoint": {"every": "100s", "at_end": false}},
    "faults": [{"kind": "partition", "target": "node:p-1", "at": "151s", "lasts": "60s"}]})");
  EXPECT_EQ(run.detected(), 165_s);
  EXPECT_EQ(run.ledger(), (Buckets{{"productive", 950_s},
                                   {"rolled_back", 51_s},
                                   {"undetected", 14_s},
                                   {"tearing_down", 5_s}}));
  EXPECT_EQ(run.job()["stale_accelerator_us"], 2 * 41_s);
  // Declared dead from 165 to 211, the spare idle but for its use from 170 on: p-1 is no spare.
  EXPECT_EQ(run.summary["cluster"]["idle_us"]["isolated"], 46_s);
  EXPECT_EQ(run.summary["cluster"]["idle_us"]["spares"], 170_s);
}

// Zombies give up when their collective times out: 151 + 60.
TEST(WorldDetection, ZombiesEndWithTheirCollective) {
  const Outcomes run = simulated(R"({
    "pool": {"spares": 1}, "job": {"steps": 95, "checkpoint": {"every": "100s", "at_end": false}, "collective_timeout": "60s"},
    "faults": [{"kind": "partition", "target": "node:p-1", "at": "151s", "lasts": "1h"}]})");
  EXPECT_EQ(run.job()["stale_accelerator_us"], 2 * 41_s);
}

// Cut off as a whole, in one rack or two, the gang works on until 165, when both nodes are declared
// dead. Its spare is cut off with it, so the job waits from 170 until the network is whole at 211.
TEST(WorldDetection, APartitionOfTheWholePool) {
  for (const int racks : {1, 3}) {
    const Outcomes run = simulated(fmt::format(
        R"({{"pool": {{"spares": 1, "racks": {}}}, "job": {{"steps": 95, "checkpoint": {{"every": "100s", "at_end": false}}}},
             "faults": [{{"kind": "partition", "target": "pool:p", "at": "151s",
                          "lasts": "60s"}}]}})",
        racks));
    EXPECT_EQ(run.detected(), 165_s) << racks;
    EXPECT_EQ(run.ledger(), (Buckets{{"productive", 950_s},
                                     {"rolled_back", 65_s},
                                     {"tearing_down", 5_s},
                                     {"waiting_for_capacity", 41_s}}))
        << racks;
  }
}

TEST(WorldDetection, AShortPartitionOfTheWholePoolCostsNothing) {
  const Outcomes run = simulated(R"({
    "pool": {"racks": 2}, "job": {"steps": 95, "checkpoint": {"every": "100s", "at_end": false}},
    "faults": [{"kind": "partition", "target": "pool:p", "at": "151s", "lasts": "9s"}]})");
  EXPECT_EQ(run.ledger(), (Buckets{{"productive", 950_s}}));
  EXPECT_EQ(run.job()["attempts"], 1);
}

// Cut off at 151 and dead at 163: its heartbeats have stayed away since 151.
TEST(WorldDetection, ACutOffNodeThatDiesIsDeclaredByItsFirstSilence) {
  const Outcomes run = simulated(R"({
    "pool": {"spares": 1}, "job": {"steps": 95, "checkpoint": {"every": "100s", "at_end": false}},
    "faults": [{"kind": "partition", "target": "node:p-1", "at": "151s", "lasts": "10min"},
               {"kind": "node_crash", "target": "node:p-1", "at": "163s", "lasts": "10min"}]})");
  EXPECT_EQ(run.detected(), 165_s);
}

TEST(WorldDetection, ADeadNodeThatIsCutOffIsDeclaredByItsFirstSilence) {
  const Outcomes run = simulated(R"({
    "pool": {"spares": 1}, "job": {"steps": 95, "checkpoint": {"every": "100s", "at_end": false}},
    "faults": [{"kind": "node_crash", "target": "node:p-1", "at": "151s", "lasts": "10min"},
               {"kind": "partition", "target": "node:p-1", "at": "163s", "lasts": "10min"}]})");
  EXPECT_EQ(run.detected(), 165_s);
}

// Two partitions, one after the other and for 3 s both: p-1 is silent from 151 to 178.
TEST(WorldDetection, APartitionThatHealsWhileAnotherHolds) {
  const Outcomes run = simulated(R"({
    "pool": {"spares": 1, "racks": 3},
    "job": {"steps": 95, "checkpoint": {"every": "100s", "at_end": false}},
    "faults": [{"kind": "partition", "target": "node:p-1", "at": "151s", "lasts": "10s"},
               {"kind": "partition", "target": "rack:p/1", "at": "158s", "lasts": "20s"}]})");
  EXPECT_EQ(run.job()["attempts"], 2);
  EXPECT_EQ(run.ledger(), (Buckets{{"productive", 950_s},
                                   {"rolled_back", 51_s},
                                   {"undetected", 14_s},
                                   {"tearing_down", 5_s}}));
}

// The same from both sides of the heartbeats' limit: 151..157 and 155..163, before 165.
TEST(WorldDetection, TwoPartitionsThatHealInTime) {
  const Outcomes run = simulated(R"({
    "job": {"steps": 95, "checkpoint": {"every": "100s", "at_end": false}},
    "faults": [{"kind": "partition", "target": "node:p-1", "at": "151s", "lasts": "6s"},
               {"kind": "partition", "target": "node:p-1", "at": "155s", "lasts": "8s"}]})");
  EXPECT_EQ(run.job()["attempts"], 1);
  EXPECT_EQ(run.ledger()["undetected"], 12_s);
  EXPECT_EQ(run.ledger()["productive"], 950_s);
}

// Rank 3 raises behind a cut: nobody can know before its node is back at 161.
TEST(WorldDetection, AnExceptionBehindACut) {
  const Outcomes run = simulated(R"({
    "job": {"steps": 95, "checkpoint": {"every": "100s", "at_end": false}},
    "faults": [{"kind": "partition", "target": "node:p-1", "at": "151s", "lasts": "10s"},
               {"id": "bug", "kind": "worker_crash", "target": "job:a/rank:3", "at": "155s"}]})");
  EXPECT_EQ(run.job()["budgets"]["max_failures"]["charges"][0]["t_us"], 161_s);
  EXPECT_EQ(run.ledger(),
            (Buckets{{"productive", 950_s}, {"rolled_back", 51_s}, {"undetected", 10_s}}));
}

// p-1 is cut off at 150.5 for 13 s, rank 0 raises at 150.6. The poll of 152 waits for p-1 to 154
// and shows the exception. 5 s of patience, then a start on the same nodes at 159: p-1 is silent,
// not known to be dead, and back at 163.5. Then launching takes its 10 s.
TEST(WorldDetection, AStartOnACutOffNodeGoesOnWhenItIsBack) {
  const Outcomes run = simulated(R"({
    "job": {"steps": 95, "checkpoint": {"every": "100s", "at_end": false}, "restart_phases": {"launching": "10s"}},
    "faults": [{"kind": "partition", "target": "node:p-1", "at": "150500ms", "lasts": "13s"},
               {"kind": "worker_crash", "target": "job:a/rank:0", "at": "150600ms"}]})");
  EXPECT_EQ(run.ledger(), (Buckets{{"productive", 950_s},
                                   {"rolled_back", 50.5_s},
                                   {"undetected", 3.5_s + 4.5_s},
                                   {"tearing_down", 5_s},
                                   {"launching", 10_s}}));
  EXPECT_EQ(run.job()["attempts"], 2);
  EXPECT_EQ(run.used("max_failures"), 1);
}

// The report of 101 s waits for the poll of 102 when p-1 is cut off at 101.5 for 5 s. Its two ranks
// hand their part over when they are back, at 106.5, and no later report is mixed up with it.
TEST(WorldDetection, AReportWaitsForRanksThatAreCutOff) {
  const Outcomes run = simulated(R"({
    "job": {"step": "1s", "steps": 300, "checkpoint": {"every": "101s"}},
    "faults": [{"kind": "partition", "target": "node:p-1", "at": "101500ms", "lasts": "5s"}]})");
  EXPECT_EQ(run.job()["outcome"], "completed");
  EXPECT_EQ(run.job()["attempts"], 1);
  EXPECT_EQ(run.job()["result"]["checkpoint"], "checkpoint_000003");
  // The end at 305; polls at 106.5 + 2n: 306.5 takes the last report, 308.5 sees the end.
  EXPECT_EQ(run.ledger(),
            (Buckets{{"productive", 300_s}, {"undetected", 5_s}, {"finalizing", 3.5_s}}));
}

// All is done at 101, and p-1 dies at 101.5, before the poll of 102. It is declared at 115, in the
// round 114..116, and the work is done again: to 216, seen by the poll of 217.
TEST(WorldDetection, ANodeThatDiesBeforeTheEndIsSeen) {
  const Outcomes run = simulated(R"({
    "pool": {"spares": 1}, "job": {"step": "1s", "steps": 101},
    "faults": [{"kind": "node_crash", "target": "node:p-1", "at": "101500ms"}]})");
  EXPECT_EQ(run.ledger(), (Buckets{{"productive", 101_s},
                                   {"rolled_back", 101_s},
                                   {"undetected", 13.5_s},
                                   {"finalizing", 0.5_s + 1_s}}));
}

}  // namespace
}  // namespace aftershock::sim
