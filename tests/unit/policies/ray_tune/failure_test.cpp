#include "policies/ray_tune/failure.h"

#include <gtest/gtest.h>

namespace aftershock::policies::ray_tune {
namespace {

constexpr TrialFailure kUser{.kind = WorkerFailure::kException};
constexpr TrialFailure kPreempted{.kind = WorkerFailure::kNodeLost, .preempted = true};
constexpr TrialFailure kRestoring{.kind = WorkerFailure::kException, .restoring = true};
constexpr TrialFailure kPreemptedRestoring{
    .kind = WorkerFailure::kNodeLost, .preempted = true, .restoring = true};

TEST(CountFailure, TheFirstTestThatAppliesDecides) {
  struct Row {
    TrialFailure failure;
    FailureRules rules;
    Counted counted;
    std::int64_t num_failures;
  };
  const Row rows[] = {
      {kUser, {}, Counted::kCounted, 1},
      {kPreempted, {}, Counted::kFreePreemption, 0},
      {kPreempted, {.count_preemption = true}, Counted::kCounted, 1},
      {kRestoring, {}, Counted::kCountedRestore, 1},
      {kRestoring, {.restore_retries = 1}, Counted::kFreeRestore, 0},
      {kPreemptedRestoring, {}, Counted::kCountedRestore, 1},
      {kPreemptedRestoring, {.restore_retries = 1}, Counted::kFreeRestore, 0},
  };
  for (const Row& row : rows) {
    FailureCounts counts;
    EXPECT_EQ(count_failure(row.rules, row.failure, counts), row.counted);
    EXPECT_EQ(counts.num_failures, row.num_failures);
    EXPECT_EQ(counts.restore_failures, row.counted == Counted::kFreeRestore ? 1 : 0);
  }
}

TEST(CountFailure, FreeRestoreFailuresRunOut) {
  const FailureRules rules{.restore_retries = 2};
  FailureCounts counts;
  EXPECT_EQ(count_failure(rules, kRestoring, counts), Counted::kFreeRestore);
  EXPECT_EQ(count_failure(rules, kRestoring, counts), Counted::kFreeRestore);
  EXPECT_EQ(count_failure(rules, kRestoring, counts), Counted::kCountedRestore);
  EXPECT_EQ(counts.num_failures, 1);
  EXPECT_EQ(counts.restore_failures, 2);
}

TEST(MayRecover, AnyNegativeLimitIsNone) {
  EXPECT_FALSE(may_recover({.num_failures = 1}, 0));
  EXPECT_TRUE(may_recover({.num_failures = 0}, 0));
  EXPECT_TRUE(may_recover({.num_failures = 3}, 3));
  EXPECT_FALSE(may_recover({.num_failures = 4}, 3));
  EXPECT_TRUE(may_recover({.num_failures = 1000}, -1));
  EXPECT_TRUE(may_recover({.num_failures = 1000}, -7));
  EXPECT_EQ(failure_limit(-7), std::nullopt);
  EXPECT_EQ(failure_limit(0), 0);
}

}  // namespace
}  // namespace aftershock::policies::ray_tune
