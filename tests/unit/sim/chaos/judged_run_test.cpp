#include "sim/chaos/judged_run.h"

#include <gtest/gtest.h>

namespace aftershock::sim::chaos {
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
      {kPassed, "running",
       "job a got no further in its last 900 attempts, since 1h: its policy ended each of them "
       "(without limit: max_failures)",
       kExpected, "running"},
      {kPassed, "running",
       "job a got no further in its last 900 attempts, since 1h: its policy ended each of them",
       kFinding, "running"},
      {kPassed, "running", "16 left reserved by job a; it got none", kExpected, "running"},
      {kInvalid, "completed", "fault second was required to fire and did not", kUnbitten, ""},
      {kStuck, "running", "job a waits", kFinding, "stuck"},
      {kStuck, "running", "16 left reserved by job a", kExpected, "stuck"},
      {kStuck, "running", "job a waits; past recovery: job a needs 2 nodes, and 1 works", kLost,
       ""},
      {kPassed, "running", "it got none; past recovery: job a needs 2 nodes, and 1 works", kLost,
       ""},
      {kPassed, "running", "it got none; short of nodes for now: job a needs 2 nodes, and 1 works",
       kLost, ""},
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

// A documented case of one system is a finding in every other whose documents lack it.
TEST(JudgedRun, KnownOfThePoliciesThatItIsDocumentedOf) {
  using enum reports::Verdict;
  using enum reports::CellState;
  constexpr const char* kReserved = "16 left reserved by job a";
  constexpr const char* kHang = "job a stands still since hang job:a/rank:3, at 00:31:51";
  constexpr const char* kCrash = "job a stands still since node_crash node:ring-0, at 00:31:51";
  constexpr const char* kUnanswered =
      "invariant L2 violated: job a: an answer to the rank that hangs took 2h, and at most 31min "
      "is allowed";
  constexpr const char* kCircle =
      "job a got no further in its last 900 attempts, since 1h: hang h ended each of them (without "
      "limit: max_no_progress_cycles, max_failures)";
  constexpr const char* kIterations =
      "job a got no further in its last 900 attempts, since 1h: hang h ended each of them (without "
      "limit: max_no_progress_cycles, max_iterations)";
  const struct {
    const char* policy;
    reports::Verdict verdict;
    const char* words;
    reports::CellState state;
  } rows[] = {
      {"ray_train", kStuck, kReserved, kExpected},
      {"modelarts", kStuck, kReserved, kFinding},
      {"ray_train", kStuck, kHang, kExpected},
      {"ray_train_v1", kStuck, kHang, kExpected},
      {"kubeflow@2025-07", kStuck, kHang, kExpected},
      {"job", kStuck, kHang, kExpected},
      {"jobset", kStuck, kHang, kExpected},
      {"volcano", kStuck, kHang, kExpected},
      {"modelarts", kStuck, kHang, kFinding},
      {"ray_train_v1", kStuck, kCrash, kFinding},
      {"volcano", kStuck, kCrash, kFinding},
      {"volcano", kStuck, kUnanswered, kExpected},
      {"kubeflow", kStuck, kUnanswered, kFinding},
      {"job", kStuck, kUnanswered, kFinding},
      {"ray_train_v1", kPassed, kCircle, kExpected},
      {"volcano", kPassed, kCircle, kFinding},
      {"nvrx", kPassed, kCircle, kFinding},
      {"nvrx", kPassed, kIterations, kExpected},
      {"ray_train", kPassed, kIterations, kFinding},
      {"kubeflow", kPassed, "", kUnfinished},
      {"job", kPassed, "", kUnfinished},
  };
  for (const auto& each : rows) {
    reports::RunRow row;
    row.verdict = each.verdict;
    row.outcome = "running";
    (each.verdict == kPassed ? row.reason : row.verdict_reason) = each.words;
    EXPECT_EQ(judge(row, each.policy).state, each.state) << each.policy << ": " << each.words;
  }
}

}  // namespace
}  // namespace aftershock::sim::chaos
