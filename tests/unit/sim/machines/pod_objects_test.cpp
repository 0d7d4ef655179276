#include "sim/machines/pod_objects.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace aftershock::sim::machines {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::uint32_t> numbers(const std::vector<KeptPods>& kept) {
  std::vector<std::uint32_t> out;
  for (const KeptPods& pods : kept) {
    out.push_back(pods.number);
  }
  return out;
}

/// Two jobs on node 5 of pool 0, one of them on its node 6, too, and a third job in pool 1.
PodObjects four() {
  PodObjects objects;
  objects.keep(0, 0, 5, policies::RankSet::range(0, 2));
  objects.keep(1, 0, 5, policies::RankSet::range(2, 4));
  objects.keep(0, 0, 6, policies::RankSet::range(4, 6));
  objects.keep(2, 1, 5, policies::RankSet::range(0, 1));
  return objects;
}

TEST(PodObjects, AreTakenByNumberOnceAndNumbersDoNotComeAgain) {
  PodObjects objects = four();
  const std::vector<KeptPods> taken = objects.take(2);
  ASSERT_THAT(numbers(taken), ElementsAre(2));
  EXPECT_EQ(taken.front().ranks, policies::RankSet::range(2, 4));
  EXPECT_THAT(objects.take(2), IsEmpty());
  EXPECT_EQ(objects.keep(1, 0, 7, {}), 5U);
  EXPECT_THAT(numbers(objects.all()), ElementsAre(1, 3, 4, 5));
}

TEST(PodObjects, AreTakenByNodeInTheirOrder) {
  PodObjects objects = four();
  EXPECT_THAT(numbers(objects.take_on(0, 5)), ElementsAre(1, 2));
  EXPECT_THAT(numbers(objects.all()), ElementsAre(3, 4));
}

TEST(PodObjects, OfAJobOnANodeAreForgottenAlone) {
  PodObjects objects = four();
  objects.forget(0, 5);
  EXPECT_THAT(numbers(objects.all()), ElementsAre(2, 3, 4));
}

TEST(PodObjects, ThatNobodyWillRemoveAreTold) {
  PodObjects objects = four();
  objects.plan_removal(1);
  EXPECT_THAT(objects.left_on(0, 5), ElementsAre(2));
  ASSERT_NE(objects.left_of(0), nullptr);
  EXPECT_EQ(objects.left_of(0)->number, 3U);
  objects.plan_removal(3);
  EXPECT_EQ(objects.left_of(0), nullptr);
  EXPECT_THAT(objects.left_on(1, 6), IsEmpty());
}

}  // namespace
}  // namespace aftershock::sim::machines
