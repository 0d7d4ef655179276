#include "policies/ray_train/controller.h"

#include <algorithm>
#include <random>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "policies/api/json.h"
#include "policies/ray_train/classify.h"

namespace aftershock::policies::ray_train {
namespace {

const RankSet kAll = RankSet::range(0, 4);

Config config_with(std::int64_t max_failures) {
  PolicyRequest request;
  *request.config = {{"max_failures", max_failures}, {"num_to_keep", 1}};
  return read_config(request, *find_profile("")).config;
}

RayTrain controller(std::int64_t max_failures = 0) {
  return {*find_profile(""), config_with(max_failures)};
}

/// Gives batches their time and sequence.
struct Host {
  RayTrain policy = controller();
  View view;
  Batch last;

  Decision at(TimeUs t_us, std::vector<Event> events) {
    last = {last.seq + 1, t_us, std::move(events)};
    return policy.on_events(last, view);
  }
};

TEST(RayTrain, CountsAttemptIdsAsRayMakesThem) {
  Host host{.policy = controller(1), .view = {}, .last = {}};
  host.at(0, {JobSubmitted{0, 4}});
  EXPECT_EQ(host.policy.attempt_id(), 1U);
  EXPECT_EQ(host.policy.epoch(), 1U);
  host.at(60, {AttemptStartFailed{.job = 0, .epoch = 1}});
  EXPECT_EQ(host.policy.attempt_id(), 1U) << "a failed start keeps the attempt id";
  EXPECT_EQ(host.policy.epoch(), 2U);
  host.at(70, {AttemptRunning{0, 2}});
  host.at(80, {WorkersFailed{.job = 0, .epoch = 2, .ranks = kAll}});
  EXPECT_EQ(host.policy.attempt_id(), 2U) << "a restart has a new one";
  EXPECT_EQ(host.policy.epoch(), 2U) << "but no new group before the old one is gone";
  host.at(90, {WorkersStopped{.job = 0, .epoch = 2}});
  EXPECT_EQ(host.policy.epoch(), 3U);
}

TEST(RayTrain, KeepsTheSameWatchWhileTheGroupRuns) {
  Host host;
  EXPECT_EQ(host.at(0, {JobSubmitted{0, 4}}).watch.poll, std::nullopt);
  const auto watch = host.at(7, {AttemptRunning{0, 1}}).watch.poll;
  ASSERT_TRUE(watch.has_value());
  EXPECT_EQ(*watch, (PollWatch{1, 7, 2'000'000, 2'000'000, 600'000'000, false}));
  EXPECT_EQ(host.at(8, {NodeJoined{0}}).watch.poll, watch);
  EXPECT_EQ(host.at(2'000'007, {CheckpointReported{0, 1, 1, kAll}}).watch.poll, watch);
  EXPECT_EQ(host.at(2'000'008, {StopRequested{0, 1}}).watch.poll, std::nullopt);
}

TEST(RayTrain, ATickSharedWithAnotherEventIsAPoll) {
  Host host;
  host.at(0, {JobSubmitted{0, 4}});
  host.at(0, {AttemptRunning{0, 1}});
  const auto first =
      host.at(2'000'000, {CheckpointReported{0, 1, 1, kAll}, CheckpointReported{0, 1, 2, kAll}});
  EXPECT_TRUE(first.watch.poll->again);
  EXPECT_TRUE(host.at(4'000'000, {NodeJoined{0}}).steps.size() == 1);
  EXPECT_EQ(host.policy.checkpoints().latest(), 2U);
}

TEST(RayTrain, IgnoresOtherJobs) {
  Host host;
  host.at(0, {JobSubmitted{3, 4}});
  host.at(1, {AttemptRunning{2, 1}, StopRequested{2, 1}, ControllerError{2, "X"}});
  EXPECT_EQ(host.policy.info().states[host.policy.state()], "SCHEDULING");
  host.at(2, {AttemptRunning{3, 1}});
  EXPECT_EQ(host.policy.info().states[host.policy.state()], "RUNNING");
}

TEST(RayTrain, AStopThatFindsNothingIsDone) {
  Host host{.policy = controller(1), .view = {}, .last = {}};
  host.at(0, {JobSubmitted{0, 4}});
  host.at(1, {AttemptRunning{0, 1}});
  const auto failed = host.at(2, {WorkersFailed{.job = 0, .epoch = 1, .ranks = kAll}});
  const auto stop = std::get<StopWorkers>(failed.steps.back().commands.front());
  host.at(3, {CommandResult{stop.id, CommandError::kUnreachable, false}});
  EXPECT_EQ(host.policy.epoch(), 1U) << "nobody knows: workers_stopped is still to come";
  host.at(4, {CommandResult{stop.id, CommandError::kUnknownTarget, true}});
  EXPECT_EQ(host.policy.epoch(), 2U);
}

TEST(RayTrain, CopiesRemember) {
  Host host{.policy = controller(2), .view = {}, .last = {}};
  host.at(0, {JobSubmitted{0, 4}});
  host.at(1, {AttemptRunning{0, 1}});
  const auto copy = host.policy.clone();
  const Batch batch{9, 2, {WorkersFailed{.job = 0, .epoch = 1, .ranks = kAll}}};
  const auto theirs = to_line(copy->on_events(batch, {}), copy->info());
  const auto ours = to_line(host.policy.on_events(batch, {}), host.policy.info());
  EXPECT_EQ(theirs, ours);
}

TEST(RayTrain, NamesTheLatestAndTheBestCheckpoint) {
  PolicyRequest request;
  *request.config = {{"checkpoint_score_attribute", "accuracy"}};
  Host host{.policy = {*find_profile(""), read_config(request, *find_profile("")).config},
            .view = {},
            .last = {}};
  EXPECT_EQ(host.policy.result().latest, std::nullopt);
  host.at(0, {JobSubmitted{0, 4}});
  host.at(0, {AttemptRunning{0, 1}});
  host.at(2'000'000, {CheckpointReported{0, 1, 1, kAll, 700'000}});
  host.at(4'000'000, {CheckpointReported{0, 1, 2, kAll, 300'000}});
  EXPECT_EQ(host.policy.result().latest, 2U);
  EXPECT_EQ(host.policy.result().best, 1U);
}

TEST(RayTrain, TellsWhatItIs) {
  for (const Profile& profile : profiles()) {
    const PolicyInfo& info = policy_info(profile);
    EXPECT_EQ(info.name, "ray_train");
    EXPECT_EQ(info.profile, profile.name);
    EXPECT_EQ(info.states.front(), "INITIALIZING");
    std::set<std::string_view> ids;
    for (const Rule& rule : info.rules) {
      EXPECT_TRUE(rule.id.starts_with("ray_train.")) << rule.id;
      EXPECT_TRUE(ids.insert(rule.id).second) << rule.id;
      EXPECT_FALSE(rule.sentence.empty());
      EXPECT_FALSE(rule.source.empty());
    }
  }
}

/// Any events in any order, most of them about the epoch that the policy has or had last.
class Chaos {
 public:
  explicit Chaos(std::uint32_t seed) : random_(seed) {}

  Event event(const RayTrain& policy) {
    const Event event = draw(policy);
    // Events of workers are drawn most often; events that few profiles listen to, now and then.
    if (below(8) != 0) {
      return event;
    }
    const Rank first = below(4);
    switch (below(3)) {
      case 0:
        return CapacityChanged{0, below(7)};
      case 1:
        return Timer{0};
      default:
        return PreemptionNotice{0,
                                policy.epoch(),
                                {1},
                                RankSet::range(first, first + 1),
                                TimeUs{10'000'000} * below(9)};
    }
  }

  Event draw(const RayTrain& policy) {
    const Epoch epoch = policy.epoch() - (below(5) == 0 && policy.epoch() > 0 ? 1 : 0);
    const Rank first = below(4);
    const RankSet ranks = below(2) == 0 ? kAll : RankSet::range(first, first + 1 + below(3));
    switch (below(16)) {
      case 0:
        return JobSubmitted{0, 4};
      case 1:
        return AttemptStartFailed{0, epoch, static_cast<StartStage>(below(6)),
                                  static_cast<StartFailure>(below(3) == 0 ? below(4) : 0), ranks};
      case 2:
        return WorkersFailed{0, epoch,         ranks, static_cast<WorkerFailure>(below(6)),
                             0, below(4) == 0, ""};
      case 3:
        return WorkersFinished{0, epoch, ranks};
      case 4:
        return PollUnanswered{0, epoch, ranks, 0};
      case 5:
        return CommandResult{1 + below(40), static_cast<CommandError>(below(5)), below(2) == 0};
      case 6:
        return PreemptionNotice{0, epoch, {1}, ranks, 5};
      case 7:
        return HangSuspected{0, epoch, 0};
      case 8:
        return NodeUnreachable{below(3), false};
      case 9:
        return below(60) == 0 ? Event{StopRequested{0, 1 + below(3)}} : Event{NodeJoined{0}};
      case 10:
        return ControllerError{0, below(8) == 0 ? "KeyError" : "WorkerGroupStartupFailedError"};
      case 11:
      case 12:
        return WorkersStopped{0, epoch, {}, below(20) == 0 ? "RayActorError" : ""};
      case 13:
        return CheckpointReported{0, epoch, 1 + below(6), ranks};
      default:
        return AttemptRunning{0, epoch};
    }
  }

  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(random_() % limit); }

 private:
  std::mt19937 random_;
};

/// The laws of every decision, whatever the world does.
class Invariants {
 public:
  explicit Invariants(const PolicyInfo& info) : info_(info) {}

  void check(const Decision& decision, const RayTrain& policy, const Batch& batch) {
    for (const Step& step : decision.steps) {
      EXPECT_EQ(step.from_state, state_) << "steps are a walk";
      EXPECT_EQ(ends_, 0) << "an end is final";
      state_ = step.to_state;
      // Events that came too early, or too late, answer nothing.
      const bool current = info_.rules[step.rule].id != "ray_train.event.not_current";
      for (const std::uint16_t at : current ? step.saw : decltype(step.saw)()) {
        watch_group(batch.events.at(at));
      }
      for (const Command& command : step.commands) {
        std::visit([&](const auto& content) { check(content); }, command);
      }
    }
    EXPECT_EQ(state_, policy.state());
    const bool runs = policy.state() == index("RUNNING") || policy.state() == index("PREEMPTING");
    EXPECT_EQ(decision.watch.poll.has_value(), !policy.ended() && runs && !stopping_)
        << "an abort stops a group that stays RUNNING";
    EXPECT_EQ(ends_, policy.ended() ? 1 : 0) << "one end, told once";
    const std::string line = to_line(decision, policy.info());
    EXPECT_TRUE(nlohmann::json::accept(line)) << line;
  }

 private:
  /// Whether the group is known to be gone: it never had resources, or a stop was answered.
  void watch_group(const Event& event) {
    if (const auto* failed = std::get_if<AttemptStartFailed>(&event)) {
      // One that failed late is lost sight of.
      gone_ |=
          failed->epoch == epoch_ && !replacing_ && left_by(failed->stage) != Leftovers::kReleased;
    } else if (const auto* stopped = std::get_if<WorkersStopped>(&event)) {
      const bool answered = stopped->epoch == epoch_ && stopping_;
      gone_ |= answered && stopped->error.empty();
      // A stop that raised is tried once more.
      stopping_ = stopping_ && !(answered && !stopped->error.empty());
    } else if (const auto* result = std::get_if<CommandResult>(&event)) {
      gone_ |= result->definite && result->error != CommandError::kNone && stopping_;
    }
  }

  [[nodiscard]] std::uint16_t index(std::string_view state) const {
    const auto found = std::find(info_.states.begin(), info_.states.end(), state);
    return static_cast<std::uint16_t>(found - info_.states.begin());
  }

  void next_id(CommandId id) {
    EXPECT_EQ(id, last_id_ + 1);
    last_id_ = id;
  }
  void check(const StartAttempt& start) {
    next_id(start.id);
    EXPECT_EQ(start.epoch, epoch_ + 1) << "epochs grow";
    EXPECT_TRUE(gone_) << "one group at a time";
    EXPECT_EQ(start.from, committed_) << "from the last committed checkpoint";
    EXPECT_GT(start.workers, 0U);
    epoch_ = start.epoch;
    gone_ = false;
    stopping_ = false;
    replacing_ = false;
  }
  void check(const ReplaceWorkers& replace) {
    next_id(replace.id);
    EXPECT_EQ(replace.epoch, epoch_ + 1) << "epochs grow";
    EXPECT_FALSE(stopping_) << "in a group that is there";
    EXPECT_FALSE(replace.ranks.empty());
    epoch_ = replace.epoch;
    replacing_ = true;
  }
  void check(const StopWorkers& stop) {
    next_id(stop.id);
    EXPECT_EQ(stop.epoch, epoch_);
    EXPECT_FALSE(stopping_) << "one stop a group, until it raises";
    stopping_ = true;
  }
  void check(const CommitCheckpoint& commit) {
    next_id(commit.id);
    committed_ = commit.checkpoint;
  }
  void check(const DeleteCheckpoints& eviction) {
    next_id(eviction.id);
    for (const CheckpointId id : eviction.checkpoints) {
      EXPECT_GT(id, 0U);
    }
  }
  void check(const Persist& persist) { next_id(persist.id); }
  template <class OfAnExperiment>
  void check(const OfAnExperiment&) {
    ADD_FAILURE() << "no command for a run of its own";
  }
  void check(const Complete& complete) {
    next_id(complete.id);
    ++ends_;
  }
  void check(const Fail& fail) {
    next_id(fail.id);
    EXPECT_FALSE(fail.reason.empty());
    ++ends_;
  }

  const PolicyInfo& info_;
  std::uint16_t state_ = 0;
  CommandId last_id_ = 0;
  Epoch epoch_ = 0;
  bool gone_ = true;
  bool stopping_ = false;
  bool replacing_ = false;
  std::optional<CheckpointId> committed_;
  int ends_ = 0;
};

/// A controller of any profile that may be elastic, have replica groups, or watch for hangs.
RayTrain any_controller(Chaos& chaos) {
  const Profile& profile = profiles()[chaos.below(static_cast<std::uint32_t>(profiles().size()))];
  PolicyRequest request;
  *request.config = {{"max_failures", chaos.below(4) == 0 ? 1 : -1}, {"num_to_keep", 1}};
  if (kFrom202605.contains(profile.version)) {
    (*request.config)["replica_groups"] = chaos.below(3) == 0;
  }
  if (kFrom255.contains(profile.version)) {
    if (chaos.below(2) == 0) {
      (*request.config)["num_workers"] = {2, 4};
      (*request.config)["elastic_resize_monitor_interval_s"] = chaos.below(8);
    }
  }
  if (profile.handles_preemption) {
    (*request.config)["nccl_hang_callback"] = chaos.below(4) == 0;
    (*request.config)["enable_preemption_watcher"] = chaos.below(4) != 0;
  }
  const ConfigReading reading = read_config(request, profile);
  EXPECT_TRUE(reading.errors.empty());
  return {profile, reading.config};
}

TEST(RayTrain, StandsAnyEventsInAnyOrder) {
  for (std::uint32_t seed = 0; seed < 4000; ++seed) {
    SCOPED_TRACE(seed);
    Chaos chaos(seed);
    Host host{.policy = any_controller(chaos), .view = {}, .last = {}};
    SCOPED_TRACE(host.policy.info().profile);
    Invariants invariants(host.policy.info());
    Decision decision = host.at(0, {JobSubmitted{0, 4}});
    invariants.check(decision, host.policy, host.last);
    TimeUs t_us = 0;
    for (int batch = 0; batch < 60; ++batch) {
      t_us += TimeUs{500'000} * chaos.below(5);
      std::vector<Event> events;
      for (std::uint32_t count = chaos.below(4); count > 0; --count) {
        events.push_back(chaos.event(host.policy));
      }
      decision = host.at(t_us, std::move(events));
      invariants.check(decision, host.policy, host.last);
      EXPECT_GT(decision.watch.wake_us.value_or(t_us + 1), t_us) << "no waking in the past";
      if (testing::Test::HasFailure()) {
        return;
      }
    }
  }
}

}  // namespace
}  // namespace aftershock::policies::ray_train
