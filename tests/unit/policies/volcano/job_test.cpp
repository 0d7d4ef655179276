#include "policies/volcano/job.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace aftershock::policies::volcano {
namespace {

/// Feeds one batch; what is answered is the case files' matter.
void feed(VolcanoJob& job, std::uint64_t seq, std::vector<Event> events) {
  static_cast<void>(
      job.on_events({seq, static_cast<TimeUs>(seq) * kSecondUs, std::move(events)}, View{}));
}

Config restarting(std::uint32_t max_retry) {
  Config config;
  config.max_retry = max_retry;
  config.policies = {{.events = {Happening::kPodFailed}, .action = Action::kRestartJob}};
  return config;
}

TEST(VolcanoJob, ACopyGoesItsOwnWay) {
  VolcanoJob job(restarting(1));
  feed(job, 1, {JobSubmitted{0, 2}});
  feed(job, 2, {AttemptRunning{0, 1}});
  const auto copy = job.clone();
  feed(job, 3, {WorkersFailed{.epoch = 1, .ranks = RankSet::range(0, 1)}});
  EXPECT_EQ(job.info().states[job.state()], "Failed");
  EXPECT_EQ(copy->info().states[copy->state()], "Running");
}

TEST(VolcanoJob, MayRestartOnceLessThanMaxRetry) {
  EXPECT_EQ(VolcanoJob(restarting(3)).budgets()[0].limit, 2);
  EXPECT_EQ(VolcanoJob(restarting(1)).budgets()[0].limit, 0);
}

TEST(VolcanoJob, StoresRetryCount) {
  VolcanoJob job(restarting(3));
  feed(job, 1, {JobSubmitted{0, 2}});
  feed(job, 2, {AttemptRunning{0, 1}});
  feed(job, 3, {WorkersFailed{.epoch = 1, .ranks = RankSet::range(0, 1)}});
  EXPECT_EQ(job.durable(0)["retryCount"], 1);
}

}  // namespace
}  // namespace aftershock::policies::volcano
