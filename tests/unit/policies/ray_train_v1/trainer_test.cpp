#include "policies/ray_train_v1/trainer.h"

#include <gtest/gtest.h>

#include "policies/api/json_as_text.h"

namespace aftershock::policies::ray_train_v1 {
namespace {

RayTrainV1 policy(Config config = {}) { return RayTrainV1(*find_profile(""), std::move(config)); }

/// Feeds one batch; what is answered is the case files' matter.
void feed(RayTrainV1& train, std::uint64_t seq, TimeUs t_us, std::vector<Event> events) {
  static_cast<void>(train.on_events({seq, t_us, std::move(events)}, View{}));
}

TEST(RayTrainV1, TellsHowItsTrialStands) {
  RayTrainV1 train = policy({.failure = {.max_failures = 3}});
  EXPECT_TRUE(train.trials().empty());
  feed(train, 1, 0, {JobSubmitted{0, 2}});
  feed(train, 2, 1, {AttemptRunning{0, 1}});
  feed(train, 3, 2,
       {CheckpointReported{.epoch = 1, .checkpoint = 5, .ranks = RankSet::range(0, 2)}});
  feed(train, 4, 3, {WorkersFailed{.epoch = 1, .ranks = RankSet::range(0, 1)}});
  feed(train, 5, 4, {WorkersStopped{.epoch = 1}});
  feed(train, 6, 5, {AttemptRunning{0, 2}});
  const auto trials = train.trials();
  ASSERT_EQ(trials.size(), 1U);
  EXPECT_EQ(trials[0].status, "RUNNING");
  EXPECT_EQ(trials[0].failures, 1);
  EXPECT_EQ(trials[0].restores, 1);
  EXPECT_EQ(trials[0].checkpoint, 5U);
  EXPECT_EQ(trials[0].iteration, 1U);
  EXPECT_EQ(train.budgets()[0].used, 1);
  EXPECT_EQ(train.budgets()[0].limit, 3);
}

TEST(RayTrainV1, ACopyGoesItsOwnWay) {
  RayTrainV1 train = policy();
  feed(train, 1, 0, {JobSubmitted{0, 2}});
  const auto copy = train.clone();
  feed(train, 2, 1, {StopRequested{0, 1}});
  EXPECT_EQ(train.state(), static_cast<std::uint16_t>(State::kAborted));
  EXPECT_EQ(copy->state(), static_cast<std::uint16_t>(State::kPending));
}

TEST(RayTrainV1, WhatItStoresItReads) {
  Config config;
  config.trainer = "XGBoostTrainer";
  config.datasets = {"train"};
  RayTrainV1 train = policy(config);
  feed(train, 1, 0, {JobSubmitted{0, 2}});
  const StoredRun run = read_stored_run(text_from_json(train.durable(0)));
  ASSERT_TRUE(run.trainer && run.experiment.tuner && run.experiment.state);
  EXPECT_EQ(run.trainer->trainer, config.trainer);
  EXPECT_EQ(run.trainer->datasets, config.datasets);
  EXPECT_EQ(run.experiment.tuner->trainable, config.trainer);
  EXPECT_EQ(run.experiment.state->trials.size(), 1U);
}

TEST(RayTrainV1, WhatIsTornIsNotRead) {
  EXPECT_FALSE(read_stored_run("").trainer.has_value());
  EXPECT_FALSE(read_stored_run("{\"trainer\":{\"class\":\"T\"}}").trainer.has_value());
  EXPECT_FALSE(
      read_stored_run("{\"trainer\":{\"class\":\"T\",\"datasets\":[1]}}").trainer.has_value());
  const StoredRun run = read_stored_run(
      "{\"trainer\":{\"class\":\"T\",\"datasets\":[]},\"tuner\":{},\"experiment_state\":\"{\"}");
  EXPECT_TRUE(run.trainer.has_value());
  EXPECT_FALSE(run.experiment.tuner.has_value());
  EXPECT_FALSE(run.experiment.state.has_value());
}

}  // namespace
}  // namespace aftershock::policies::ray_train_v1
