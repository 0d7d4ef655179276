// Failures, and the time at which they are noticed. Work of 950 s from 0 on, saved every 100 s at
// no cost; faults strike at 151 s or near it, so a restart goes on from 100 s.

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/unit/sim/world/harness.h"

namespace aftershock::sim::world {
namespace {

struct DetectionRow {
  const char* name;
  const char* job;  ///< more members of the job
  const char* faults;
  std::int64_t detected_us;
  Buckets ledger;
};

Outcomes run_row(const DetectionRow& row) {
  return simulated(fmt::format(
      R"({{"pool": {{"spares": 1}}, "job": {{"steps": 95, "checkpoint": {{"every": "100s", "at_end": false}} {}}},
           "faults": [{}]}})",
      row.job, row.faults));
}

void expect_row(const DetectionRow& row) {
  const Outcomes run = run_row(row);
  EXPECT_EQ(run.detected(), row.detected_us) << row.name;
  EXPECT_EQ(run.ledger(), row.ledger) << row.name;
  EXPECT_EQ(run.job()["attempts"], 2) << row.name;
  EXPECT_EQ(run.used("max_failures"), 1) << row.name;
  EXPECT_EQ(run.used("controller_failure_limit"), 0) << row.name;
}

TEST(WorldDetection, ByExitAtTheNextPoll) {
  const DetectionRow rows[] = {
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
  for (const DetectionRow& row : rows) {
    expect_row(row);
  }
}

// The dead workers leave the polls from the next even second on unanswered, so rounds of 2 s and 2
// s follow; the death known, the round under way ends, or the next poll sees it.
TEST(WorldDetection, ByMissedHeartbeats) {
  const DetectionRow rows[] = {
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
      {"without notice a preemption makes no difference",
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
  for (const DetectionRow& row : rows) {
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
  const DetectionRow rows[] = {
      // 151 + 600: the others raise; the poll of 752 sees it.
      {"by collective timeout",
       R"(, "collective_timeout": "10min")",
       R"({"kind": "hang", "target": "job:a/rank:1", "at": "151s"})",
       752_s,
       {{"productive", 950_s}, {"rolled_back", 51_s}, {"undetected", 601_s}}},
      {"and so an error that the script catches",
       R"(, "collective_timeout": "10min")",
       R"({"kind": "worker_crash", "how": "error_without_exit", "target": "job:a/rank:1",
           "at": "151s"})",
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
  for (const DetectionRow& row : rows) {
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

// It looks at 0, 15, ... and shows the hang of 151 s first at 165 s: 600 s later it is sure. A rule
// of the job's own takes its place.
TEST(WorldDetection, TheCallbackFindsAHungCollectiveByItself) {
  for (const auto& [rule, at] :
       {std::pair("", 765_s), {R"("hang_detection":{"after":"60s"},)", 211_s}}) {
    const Outcomes run = simulated(
        fmt::format(R"({{"job":{{{}"checkpoint":{{"every":"100s"}},"policy":{{"profile":"2026-09",)"
                    R"("config":{{"max_failures":0,"nccl_hang_callback":true}}}}}},)"
                    R"("faults":[{{"kind":"hang","target":"job:a/rank:1","at":"151s"}}]}})",
                    rule));
    EXPECT_EQ(run.job()["reason"], "exhausted(max_failures)") << rule;
    EXPECT_EQ(run.ledger(),
              (Buckets{{"productive", 100_s}, {"rolled_back", 51_s}, {"undetected", at - 151_s}}))
        << rule;
    EXPECT_EQ(run.used("max_failures"), 1) << rule;
    EXPECT_EQ(run.faults("hang"), "fired 1 masked 0 detected 1") << rule;
  }
}

// Nobody will ever see it, and nothing else is to come.
TEST(WorldDetection, AHangThatNobodyLooksForIsStuck) {
  for (const char* fault :
       {R"("kind": "hang")", R"("kind": "worker_crash", "how": "error_without_exit")"}) {
    const Outcomes run = simulated(fmt::format(
        R"({{"job": {{"collective_timeout": "none"}},
             "faults": [{{{}, "target": "job:a/rank:1", "at": "151s"}}]}})",
        fault));
    EXPECT_EQ(run.summary["verdict"], "stuck") << fault;
    EXPECT_EQ(run.job()["outcome"], "running") << fault;
  }
}

// A collective gives up where somebody waits at it.
TEST(WorldDetection, AHangOfALoneRankIsStuck) {
  const Outcomes run = simulated(R"({
    "job": {"workers": 1, "collective_timeout": "10min"},
    "faults": [{"kind": "hang", "target": "job:a/rank:0", "at": "151s"}]})");
  EXPECT_EQ(run.summary["verdict"], "stuck");
  EXPECT_EQ(run.job()["outcome"], "running");
}

// Nobody waits for a worker that has not begun: neither ends such a start.
TEST(WorldDetection, NothingHangsBeforeTheRendezvous) {
  const Outcomes run = simulated(R"({
    "job": {"phases": {"launching": "1min"}},
    "faults": [{"kind": "hang", "target": "job:a/rank:1", "at": "30s"},
               {"kind": "worker_crash", "how": "error_without_exit", "target": "job:a/rank:1",
                "at": "30s"}]})");
  EXPECT_EQ(run.ledger(), (Buckets{{"launching", 60_s}, {"productive", 1000_s}}));
  EXPECT_EQ(run.faults("hang"), "fired 0 masked 1 detected 0");
  EXPECT_EQ(run.faults("worker_crash"), "fired 0 masked 1 detected 0");
}

// Failures under fixed detection become known to the controller at its next poll, every 2 s from 0.
TEST(WorldDetection, FixedReplacesHeartbeatsAndTimeouts) {
  const char* fixed = R"(, "detection": {"fixed": "45s"})";
  const DetectionRow rows[] = {
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
  for (const DetectionRow& row : rows) {
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
}  // namespace aftershock::sim::world
