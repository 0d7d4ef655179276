#include "policies/modelarts/pod_counts.h"

#include <gtest/gtest.h>

namespace aftershock::policies::modelarts {
namespace {

RankSet task(Rank number) { return RankSet::range(8 * number, 8 * number + 8); }

// The worked sequence of modelarts.md 2.2: four tasks of eight ranks.
TEST(PodCounts, FollowTheWorkedSequence) {
  PodCounts counts{{.ranks = RankSet::range(0, 32)}};
  processes_restarted(counts);
  EXPECT_EQ(counts, (PodCounts{{RankSet::range(0, 32), 1, 2}}));
  processes_restarted(counts);
  EXPECT_EQ(counts, (PodCounts{{RankSet::range(0, 32), 1, 3}}));
  const RankSet others = RankSet::range(0, 32).without(task(2));
  pods_recreated(counts, task(2), {});
  EXPECT_EQ(counts, (PodCounts{{others, 1, 4}, {task(2), 2, 1}}));
  rescheduled(counts);
  EXPECT_EQ(counts, (PodCounts{{others, 2, 1}, {task(2), 3, 1}}));
}

TEST(PodCounts, PodsThatStandAlikeAreOneEntry) {
  PodCounts counts{{.ranks = RankSet::range(0, 32)}};
  pods_recreated(counts, task(1), {});
  pods_recreated(counts, RankSet::range(0, 32).without(task(1)), {});
  // Task 1 is kept the second time: (2, 2); the others were made anew: (2, 1).
  ASSERT_EQ(counts.size(), 2U);
  rescheduled(counts);
  EXPECT_EQ(counts, (PodCounts{{RankSet::range(0, 32), 3, 1}}));
}

TEST(PodCounts, ReadTheOtherWay) {
  PodCounts counts{{.ranks = RankSet::range(0, 16), .schedule = 1, .proc_start = 3}};
  Readings readings;
  readings.schedule_counts_job = true;
  readings.survivors_reset = true;
  pods_recreated(counts, task(1), readings);
  EXPECT_EQ(counts, (PodCounts{{RankSet::range(0, 16), 2, 1}}));
}

TEST(PodCounts, AreGivenToThePodsAsText) {
  const PodCounts counts{{task(0), 1, 4}, {task(1), 2, 1}};
  EXPECT_EQ(env_of(counts), (std::vector<PodEnv>{
                                {task(0), {{"MA_SCHEDULE_CNT", "1"}, {"MA_PROC_START_CNT", "4"}}},
                                {task(1), {{"MA_SCHEDULE_CNT", "2"}, {"MA_PROC_START_CNT", "1"}}},
                            }));
}

}  // namespace
}  // namespace aftershock::policies::modelarts
