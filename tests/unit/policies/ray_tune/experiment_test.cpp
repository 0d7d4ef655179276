#include "policies/ray_tune/experiment.h"

#include <gtest/gtest.h>

#include "policies/api/json_as_text.h"

namespace aftershock::policies::ray_tune {
namespace {

RayTune policy(Config config = {}) { return RayTune(*find_profile(""), std::move(config)); }

/// Feeds one batch; what is answered is the case files' matter.
void feed(RayTune& tune, std::uint64_t seq, TimeUs t_us, std::vector<Event> events) {
  static_cast<void>(tune.on_events({seq, t_us, std::move(events)}, View{}));
}

const Trial* trial_of(const std::vector<Trial>& trials, std::size_t number) {
  return number < trials.size() ? &trials[number] : nullptr;
}

TEST(RayTune, TellsHowItsTrialsStand) {
  RayTune tune = policy({.failure = {.max_failures = 1}});
  EXPECT_TRUE(tune.trials().empty());
  feed(tune, 1, 0, {ExperimentSubmitted{0, 2}});
  feed(tune, 2, 10, {TrialStarted{0, 0}, TrialStarted{0, 1}, TrialResult{0, 1, 4, 9}});
  feed(tune, 3, 20, {TrialsFailed{.trials = RankSet::range(1, 2), .kind = WorkerFailure::kExit}});
  feed(tune, 4, 30, {TrialStarted{0, 1}, TrialRestored{0, 1}, TrialResult{0, 0, 1, 3, true}});
  const auto trials = tune.trials();
  ASSERT_EQ(trials.size(), 2U);
  EXPECT_EQ(trials[0].status, "TERMINATED");
  EXPECT_EQ(trials[0].id, "00001_00000");
  EXPECT_EQ(trials[0].iteration, 1U);
  EXPECT_EQ(trials[1].status, "RUNNING");
  EXPECT_EQ(trials[1].failures, 1);
  EXPECT_EQ(trials[1].restores, 1);
  EXPECT_EQ(trials[1].checkpoint, 9U);
  EXPECT_EQ(trials[1].iteration, 4U);
  EXPECT_EQ(tune.budgets()[0].used, 1);
  EXPECT_EQ(tune.budgets()[0].limit, 1);
}

TEST(RayTune, ACopyGoesItsOwnWay) {
  RayTune tune = policy();
  feed(tune, 1, 0, {ExperimentSubmitted{0, 1}});
  const auto copy = tune.clone();
  feed(tune, 2, 1, {StopRequested{0, 1}});
  EXPECT_EQ(tune.state(), static_cast<std::uint16_t>(State::kAborted));
  EXPECT_EQ(copy->state(), static_cast<std::uint16_t>(State::kRunning));
}

TEST(RayTune, WhatItStoresItReads) {
  Config config{.num_to_keep = 2};
  config.failure.max_failures = 5;
  config.param_space = {"lr"};
  RayTune tune = policy(config);
  feed(tune, 1, 0, {ExperimentSubmitted{0, 3}});
  feed(tune, 2, 10, {TrialStarted{0, 0}, TrialResult{0, 0, 1, 1}, TrialResult{0, 0, 2, 2}});
  feed(tune, 3, 20, {TrialsFailed{.trials = RankSet::range(0, 1), .kind = WorkerFailure::kExit}});
  const auto stored = read_stored(text_from_json(tune.durable(60 * kSecondUs)));
  ASSERT_TRUE(stored.tuner && stored.state);
  EXPECT_EQ(stored.tuner->param_space, config.param_space);
  EXPECT_EQ(stored.state->num_samples, 3U);
  const Trial* trial = trial_of(stored.state->trials, 0);
  ASSERT_NE(trial, nullptr);
  EXPECT_EQ(trial->checkpoint, 2U);
  EXPECT_EQ(trial->kept, (std::vector<CheckpointId>{1, 2}));
  EXPECT_EQ(trial->counts.num_failures, 1);
  EXPECT_EQ(trial->max_failures, 5);
  EXPECT_EQ(trial->last_result_us, 10);
}

TEST(RayTune, CostFollowsResultsNotTrials) {
  // A thousand trials with 36 results each: what this takes is bounded by the test's time limit,
  // and would not be if a batch looked at every trial.
  constexpr std::uint32_t kTrials = 1000;
  RayTune tune = policy();
  std::uint64_t seq = 0;
  feed(tune, ++seq, 0, {ExperimentSubmitted{0, kTrials}});
  for (std::uint32_t trial = 0; trial < kTrials; ++trial) {
    feed(tune, ++seq, 1, {TrialStarted{0, trial}});
  }
  for (std::uint32_t iteration = 1; iteration <= 36; ++iteration) {
    for (std::uint32_t trial = 0; trial < kTrials; ++trial) {
      const TimeUs now = iteration * 600 * kSecondUs + trial * kMillisecondUs * 600;
      feed(tune, ++seq, now, {TrialResult{0, trial, iteration, iteration, iteration == 36}});
    }
  }
  EXPECT_EQ(tune.state(), static_cast<std::uint16_t>(State::kFinished));
}

}  // namespace
}  // namespace aftershock::policies::ray_tune
