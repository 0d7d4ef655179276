#include "policies/kubeflow/pytorch_job.h"

#include <gtest/gtest.h>

namespace aftershock::policies::kubeflow {
namespace {

TEST(PytorchJob, ACopyGoesItsOwnWay) {
  PytorchJob job({.restart_policy = RestartPolicy::kNever});
  static_cast<void>(job.on_events({1, 0, {JobSubmitted{0, 2}}}, View{}));
  static_cast<void>(job.on_events({2, 1, {AttemptRunning{0, 1}}}, View{}));
  const auto copy = job.clone();
  static_cast<void>(
      job.on_events({3, 2, {WorkersFailed{.epoch = 1, .ranks = RankSet::range(0, 1)}}}, View{}));
  EXPECT_EQ(job.info().states[job.state()], "Failed");
  EXPECT_EQ(copy->info().states[copy->state()], "Running");
}

TEST(PytorchJob, HasNoLimitUnlessItIsGiven) {
  EXPECT_FALSE(PytorchJob(Config{}).budgets()[0].limit.has_value());
  EXPECT_EQ(PytorchJob({.backoff_limit = 0}).budgets()[0].limit, 0);
}

}  // namespace
}  // namespace aftershock::policies::kubeflow
