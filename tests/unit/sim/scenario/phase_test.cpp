#include "sim/scenario/phase.h"

#include <optional>

#include <gtest/gtest.h>

#include "reports/ledger/bucket.h"

namespace aftershock::sim::scenario {
namespace {

TEST(Phase, GoesToABucketUnlessItIsInTheBackground) {
  struct Case {
    Phase phase;
    std::optional<reports::Bucket> bucket;
  };
  using reports::Bucket;
  constexpr Case kCases[] = {
      {Phase::kTraining, Bucket::kProductive},
      {Phase::kCheckpointing, Bucket::kCheckpointBlocking},
      {Phase::kUndetected, Bucket::kUndetected},
      {Phase::kBackingOff, Bucket::kBackingOff},
      {Phase::kRestoring, Bucket::kRestoring},
      {Phase::kControllerDown, Bucket::kControllerDown},
      {Phase::kUploading, std::nullopt},
      {Phase::kCommitting, std::nullopt},
      {Phase::kCatchingUp, std::nullopt},
  };
  for (const Case& each : kCases) {
    EXPECT_EQ(reports::bucket_of_span(name_of(each.phase)), each.bucket) << name_of(each.phase);
  }
}

TEST(Phase, HasItsName) {
  EXPECT_EQ(name_of(Phase::kTraining), "training");
  EXPECT_EQ(name_of(Phase::kWaitingForCapacity), "waiting_for_capacity");
  EXPECT_EQ(name_of(Phase::kCatchingUp), "catching_up");
  EXPECT_EQ(reports::name_of(reports::Bucket::kWaitingForCapacity), "waiting_for_capacity");
  EXPECT_EQ(reports::name_of(reports::Bucket::kPaused), "paused");
}

}  // namespace
}  // namespace aftershock::sim::scenario
