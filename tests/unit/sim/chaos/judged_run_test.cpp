#include "sim/chaos/judged_run.h"

#include <gtest/gtest.h>

namespace aftershock::sim {
namespace {

/// A row, and what it is said to be; no id: nothing is wrong with it.
struct JudgedCase {
  reports::Verdict verdict;
  const char* outcome;
  const char* reason;
  reports::CellState state;
  const char* id;
};

TEST(JudgedRun, StateAndFailure) {
  using enum reports::Verdict;
  using enum reports::CellState;
  const JudgedCase cases[] = {
      {kPassed, "completed", "", kRecovered, ""},
      {kPassed, "failed", "exhausted(max_failures)", kEnded, ""},
      {kPassed, "running", "", kUnfinished, ""},
      {kPassed, "running", "job a waits for 8 nodes; it got none in its last 300 attempts",
       kFinding, "running"},
      {kPassed, "running", "job a got no further in its last 900 attempts, since 1h", kExpected,
       "running"},
      {kPassed, "running", "16 left reserved by job a; it got none", kExpected, "running"},
      {kInvalid, "completed", "fault second was required to fire and did not", kUnbitten, ""},
      {kStuck, "running", "job a waits", kFinding, "stuck"},
      {kStuck, "running", "16 left reserved by job a", kExpected, "stuck"},
      {kStuck, "running", "job a waits; past recovery: job a needs 2 nodes, and 1 works", kLost,
       ""},
      {kPassed, "running", "it got none; past recovery: job a needs 2 nodes, and 1 works", kLost,
       ""},
      {kStuck, "running", "2 left reserved by job a; past recovery: job a needs 2 nodes", kExpected,
       "stuck"},
      {kFailed, "completed", "invariant S07 violated", kFinding, "S07"},
      {kFailed, "completed", "/jobs/0/outcome is", kFinding, "failed"},
      {kInternalError, "unknown", "its worker died 2 times", kBroken, "internal_error"},
      {kInconclusive, "running", "stopped after 200000", kBroken, "inconclusive"},
  };
  for (const JudgedCase& each : cases) {
    reports::RunRow row;
    row.verdict = each.verdict;
    row.outcome = each.outcome;
    (each.verdict == kPassed ? row.reason : row.verdict_reason) = each.reason;
    const JudgedRun judged = judge(row, "ray_train@2026-05");
    EXPECT_EQ(judged.state, each.state) << each.reason;
    EXPECT_EQ(judged.failure ? judged.failure->failure.id : "", each.id) << each.reason;
    EXPECT_EQ(judged.failure && judged.failure->known, each.state == kExpected) << each.reason;
    EXPECT_EQ(judged.why.empty(), each.state == kRecovered) << each.reason;
  }
}

// What is documented of one system is a finding in every other.
TEST(JudgedRun, KnownOfItsOwnPolicyAlone) {
  reports::RunRow row;
  row.verdict = reports::Verdict::kStuck;
  row.verdict_reason = "16 left reserved by job a";
  EXPECT_EQ(judge(row, "modelarts").state, reports::CellState::kFinding);
  row.verdict_reason = "job a stands still since hang job:a/rank:3";
  EXPECT_EQ(judge(row, "modelarts").state, reports::CellState::kFinding);
  EXPECT_EQ(judge(row, "kubeflow@2025-07").state, reports::CellState::kExpected);
}

// What V2 is documented for and V1 does too; and a budget without a limit, of pods.
TEST(JudgedRun, KnownOfMoreThanOnePolicy) {
  reports::RunRow row;
  row.verdict = reports::Verdict::kStuck;
  row.verdict_reason = "job ring stands still since hang job:ring/rank:0, at 00:31:51";
  EXPECT_EQ(judge(row, "ray_train_v1").state, reports::CellState::kExpected);
  row.verdict_reason = "job ring stands still since node_crash node:ring-0, at 00:31:51";
  EXPECT_EQ(judge(row, "ray_train_v1").state, reports::CellState::kFinding);
  row = {};
  row.outcome = "running";
  EXPECT_EQ(judge(row, "kubeflow").state, reports::CellState::kExpected);
  EXPECT_EQ(judge(row, "job").state, reports::CellState::kUnfinished);
}

}  // namespace
}  // namespace aftershock::sim
