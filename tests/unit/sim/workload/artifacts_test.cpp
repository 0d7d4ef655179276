#include "sim/workload/artifacts.h"

#include <gtest/gtest.h>

namespace aftershock::sim::workload {
namespace {

// Copies every 300: an attempt that trains from 20 makes them at 320, 620, ...
TEST(Artifacts, BetweenTwoCopiesGoWithTheirNode) {
  Artifacts artifacts;
  begin_writing(artifacts, 20);
  lose_artifacts(artifacts, 300, 700);
  EXPECT_EQ(artifacts.synced_us, 620);
  EXPECT_EQ(artifacts.lost_us, 80);
  lose_artifacts(artifacts, 300, 5'000);  // nobody wrote since
  EXPECT_EQ(artifacts.lost_us, 80);
}

TEST(Artifacts, BeforeTheFirstCopyAreLostWhole) {
  Artifacts artifacts;
  begin_writing(artifacts, 20);
  lose_artifacts(artifacts, 300, 319);
  EXPECT_EQ(artifacts.synced_us, std::nullopt);
  EXPECT_EQ(artifacts.lost_us, 299);
}

TEST(Artifacts, OfTheMomentOfACopyAreCopied) {
  Artifacts artifacts;
  begin_writing(artifacts, 20);
  lose_artifacts(artifacts, 300, 320);
  EXPECT_EQ(artifacts.synced_us, 320);
  EXPECT_EQ(artifacts.lost_us, 0);
}

// The attempt that fails at 700 leaves 80 on its nodes; the next, from 900 on, takes them along at
// 1,200 or loses them before.
TEST(Artifacts, OfAFailedAttemptWaitForTheNext) {
  Artifacts artifacts;
  begin_writing(artifacts, 20);
  stop_writing(artifacts, 300, 700);
  EXPECT_EQ(artifacts.lost_us, 0);
  begin_writing(artifacts, 900);
  Artifacts early = artifacts;
  lose_artifacts(early, 300, 1'000);
  EXPECT_EQ(early.synced_us, 620);
  EXPECT_EQ(early.lost_us, 80 + 100);
  lose_artifacts(artifacts, 300, 1'250);
  EXPECT_EQ(artifacts.synced_us, 1'200);
  EXPECT_EQ(artifacts.lost_us, 50);
}

TEST(Artifacts, AreCopiedAtTheEnd) {
  Artifacts artifacts;
  begin_writing(artifacts, 20);
  copy_artifacts(artifacts, 700);
  EXPECT_EQ(artifacts.synced_us, 700);
  lose_artifacts(artifacts, 300, 900);
  EXPECT_EQ(artifacts.lost_us, 0);
  Artifacts none;
  copy_artifacts(none, 700);
  EXPECT_EQ(none.synced_us, std::nullopt);
}

}  // namespace
}  // namespace aftershock::sim::workload
