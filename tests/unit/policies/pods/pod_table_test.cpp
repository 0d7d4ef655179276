#include "policies/pods/pod_table.h"

#include <variant>

#include <gtest/gtest.h>

namespace aftershock::policies::pods {
namespace {

using Kind = PodTable::Move::Kind;

constexpr DurationUs kGraceUs = 30 * kSecondUs;
constexpr DurationUs kTolerationUs = 300 * kSecondUs;

RankSet pods(std::uint32_t first, std::uint32_t end) { return RankSet::range(first, end); }

/// Four pods of two ranks each, in an attempt that runs.
PodTable running(bool fails_when_gone = false) {
  PodTable table;
  table.gang().submit({.job = 0, .workers = 8});
  table.lay_out({{.pods = 1, .fails_when_gone = fails_when_gone},
                 {.pods = 3, .grace_us = kGraceUs, .fails_when_gone = fails_when_gone}},
                8);
  table.make(table.all());
  static_cast<void>(table.advance());
  table.met();
  return table;
}

template <class Asked>
Asked command_of(const std::optional<PodTable::Move>& move) {
  return std::get<Asked>(move.value().command);
}

TEST(PodTable, SharesRanksEvenlyAndGivesTheLastPodWhatIsLeft) {
  PodTable table;
  table.lay_out({{.pods = 3}}, 8);
  EXPECT_EQ(table.pods_with(RankSet::range(7, 8)), pods(2, 3));
  EXPECT_EQ(table.ranks_of(pods(2, 3)), RankSet::range(4, 8));
  table.lay_out({{.pods = 4}}, 7, 2);
  EXPECT_EQ(table.pods_with(RankSet::range(6, 7)), pods(3, 4));
  EXPECT_EQ(table.ranks_of(pods(3, 4)), RankSet::range(6, 7));
}

TEST(PodTable, BeginsWhenEachPlaceHasAPod) {
  PodTable table;
  table.gang().submit({.job = 0, .workers = 8});
  table.lay_out({{.pods = 4}}, 8);
  table.make(pods(0, 3));
  EXPECT_FALSE(table.advance());
  table.make(pods(3, 4));
  const auto move = table.advance();
  ASSERT_TRUE(move);
  EXPECT_EQ(move->kind, Kind::kStarted);
  EXPECT_EQ(command_of<StartAttempt>(move).workers, 8U);
}

TEST(PodTable, FailsAPodOnce) {
  PodTable table = running();
  EXPECT_EQ(table.fail(pods(1, 2)).value().failed, pods(1, 2));
  EXPECT_FALSE(table.fail(pods(1, 2)));
  EXPECT_EQ(table.alive().size(), 3U);
}

// Nothing is left that a grace would be given.
TEST(PodTable, EndsAnAttemptWithoutAGraceWhenAllPodsHaveEnded) {
  PodTable table = running();
  static_cast<void>(table.fail(table.all()));
  const auto move = table.advance();
  EXPECT_EQ(move.value().kind, Kind::kAllEnded);
  EXPECT_EQ(command_of<StopWorkers>(move).grace_us, 0);
}

TEST(PodTable, GivesPodsThatAreDeletedTheirGraceAndThenEndsThem) {
  PodTable table = running();
  table.remove(pods(1, 2), 500'000);
  EXPECT_EQ(table.next_due_us(), kGraceUs);  // the API has whole seconds
  EXPECT_TRUE(table.kill_due(kGraceUs - 1).gone.empty());
  EXPECT_EQ(table.kill_due(kGraceUs).gone, pods(1, 2));
  EXPECT_FALSE(table.next_due_us());
}

TEST(PodTable, EvictsWhatIsNotReachedAfterItsToleration) {
  PodTable table = running();
  EXPECT_EQ(table.lose(pods(1, 2), 0, false), pods(1, 2));
  EXPECT_TRUE(table.lose(pods(1, 2), 10, false).empty());
  EXPECT_TRUE(table.evict_due(kTolerationUs - 1).empty());
  const auto evictions = table.evict_due(kTolerationUs);
  ASSERT_EQ(evictions.size(), 1U);
  EXPECT_TRUE(evictions[0].fresh);
  EXPECT_EQ(evictions[0].change.failed, pods(1, 2));
  EXPECT_EQ(evictions[0].change.gone, pods(1, 2));
}

TEST(PodTable, CountsAPodThatStaysWhenItIsGone) {
  PodTable table = running(true);
  static_cast<void>(table.lose(pods(1, 2), 0, true));
  const auto evictions = table.evict_due(kTolerationUs);
  ASSERT_EQ(evictions.size(), 1U);
  EXPECT_EQ(evictions[0].waiting, pods(1, 2));
  EXPECT_TRUE(evictions[0].change.failed.empty());
  EXPECT_TRUE(evictions[0].change.gone.empty());
  const auto change = table.take_away(table.ending_when_back(pods(1, 2)));
  EXPECT_EQ(change.value().late, pods(1, 2));
  EXPECT_EQ(change.value().gone, pods(1, 2));
}

TEST(PodTable, LetsAPodGoOnWhoseNodeIsReachedAgain) {
  PodTable table = running();
  static_cast<void>(table.lose(pods(1, 2), 0, false));
  EXPECT_TRUE(table.ending_when_back(pods(1, 2)).empty());
  EXPECT_EQ(table.come_back(pods(1, 2), true), pods(1, 2));
  EXPECT_TRUE(table.absent().empty());
  EXPECT_FALSE(table.next_due_us());
}

// Nothing starts before the object of a pod that nobody reaches is gone.
TEST(PodTable, KeepsAPodThatNobodyReachesBeyondItsAttempt) {
  PodTable table = running();
  static_cast<void>(table.lose(pods(1, 2), 0, false));
  table.remove(table.all(), 0);
  EXPECT_EQ(command_of<StopWorkers>(table.advance()).grace_us, kGraceUs);
  table.gang().stopped({.job = 0, .epoch = table.gang().epoch});
  EXPECT_EQ(table.stopped(), table.all().without(pods(1, 2)));
  EXPECT_EQ(table.objects().deleted, pods(1, 2));
}

TEST(PodTable, BeginsAgainWithANewPodWhereTheOthersWait) {
  PodTable table = running();
  table.wait_for_others();
  static_cast<void>(table.fail(pods(1, 2)));
  EXPECT_FALSE(table.advance());
  table.make(pods(1, 2));
  const auto joined = table.advance();
  EXPECT_EQ(joined.value().kind, Kind::kJoined);
  EXPECT_TRUE(command_of<StopWorkers>(joined).keep_containers);
  table.gang().stopped({.job = 0, .epoch = table.gang().epoch});
  EXPECT_EQ(command_of<RecreatePods>(table.advance()).ranks, RankSet::range(2, 4));
}

TEST(PodTable, HasNoPodsLeftWhereProcessesAreGoneWithTheirController) {
  PodTable table = running();
  PodObjects objects = table.objects();
  table.take_up(objects, false);
  EXPECT_TRUE(table.alive().empty());
  table.take_up(objects, true);
  EXPECT_EQ(table.alive(), table.all());
}

}  // namespace
}  // namespace aftershock::policies::pods
