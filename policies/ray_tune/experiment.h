#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "policies/api/policy.h"
#include "policies/ray_tune/config.h"
#include "policies/ray_tune/profile.h"
#include "policies/ray_tune/rules.h"
#include "policies/ray_tune/snapshots.h"
#include "policies/ray_tune/stored_experiment.h"
#include "policies/ray_tune/trial.h"

namespace aftershock::policies::ray_tune {

/// The controller of one Tune experiment: Ray Tune, execution/tune_controller.py (2026-05). Trials
/// are those of a searcher that makes a fixed number of them, one after the other, and of a
/// scheduler that stops and pauses none.
class RayTune final : public Policy {
 public:
  /// `profile` is one of profiles().
  RayTune(const Profile& profile, Config config);

  [[nodiscard]] const PolicyInfo& info() const override { return *info_; }
  [[nodiscard]] Decision on_events(const Batch& batch, const View& view) override;
  [[nodiscard]] nlohmann::json durable(TimeUs at_us) const override;
  [[nodiscard]] std::optional<TimeUs> stored_us(TimeUs at_us) const override {
    return snapshots_.stored_us(at_us);
  }
  [[nodiscard]] std::uint16_t state() const override { return static_cast<std::uint16_t>(state_); }
  /// The highest that any one trial has used in this driver's life. The limit of max_failures is
  /// the configured one; a restored trial goes by the one that was stored with it.
  [[nodiscard]] std::vector<BudgetState> budgets() const override;
  [[nodiscard]] std::vector<TrialState> trials() const override;
  [[nodiscard]] std::unique_ptr<Policy> clone() const override;

 private:
  /// Position of an event in its batch.
  using Index = std::uint16_t;

  /// The activity of the trial's actor.
  enum class Actor : std::uint8_t { kNone, kQueued, kStarting, kRunning, kStopping };

  /// The part of a trial's state that only this driver's memory has.
  struct Live {
    Actor actor = Actor::kNone;
    std::int64_t restores = 0;
    CommandId start_command = 0;
    CommandId stop_command = 0;
  };

  /// One batch in work.
  struct Turn {
    const Batch& batch;
    Decision decision;
    std::vector<Index> not_current;
  };

  // experiment.cpp: events.
  void on(Turn& turn, Index at, const ControllerStarted& started);
  void on(Turn& turn, Index at, const ExperimentSubmitted& submitted);
  void on(Turn& turn, Index at, const TrialStarted& started);
  void on(Turn& turn, Index at, const TrialRestored& restored);
  void on(Turn& turn, Index at, const TrialResult& result);
  void on(Turn& turn, Index at, const TrialsFailed& failed);
  void on(Turn& turn, Index at, const TrialsStopped& stopped);
  void on(Turn& turn, Index at, const StopRequested& stop);
  void on(Turn& turn, Index at, const CommandResult& result);
  // Trials are all that Tune looks at: nodes take them down or let them wait, and what a job of one
  // group of workers goes through is not its subject.
  template <class Other>
  void on(Turn&, Index, const Other&) {}

  // restoring.cpp
  void restore(Turn& turn, Index at, const StoredExperiment& stored);
  void take_up(Turn& turn, Index at, const StoredState& state);
  void refuse(Turn& turn, Index at, RuleId rule, std::string_view what);

  // failing.cpp
  void fail_trial(Turn& turn, Index at, std::uint32_t trial, const TrialFailure& failure);
  void stop_all(Turn& turn, Index at);
  void raise(Turn& turn, Index at);

  // moves.cpp
  Step& add_step(Turn& turn, RuleId rule, State to);
  void add_not_current(Turn& turn);
  [[nodiscard]] Live* live_of(JobId job, std::uint32_t trial);
  void set_status(std::uint32_t trial, TrialStatus status);
  /// Makes the next trial of the searcher, and queues it.
  void make_trial();
  void queue(std::uint32_t trial);
  void start_queued(Turn& turn);
  void stopped(std::uint32_t trial);
  void finish_if_done(Turn& turn);
  [[nodiscard]] std::string gave_up(RuleId rule) const;
  void persist(Step& step, TimeUs at_us);

  const Profile* profile_;
  const PolicyInfo* info_;
  Config config_;

  State state_ = State::kPending;
  JobId job_ = 0;
  bool job_known_ = false;
  std::uint32_t session_ = 1;
  std::uint32_t num_samples_ = 0;
  bool samples_known_ = false;  // from a snapshot, whatever is submitted
  bool dead_references_ = false;
  StoredTuner tuner_;
  nlohmann::json found_;    // the state of storage before this driver
  bool begun_ = false;      // tuner.pkl is ours
  bool cut_short_ = false;  // fail_fast has stopped what was not finished

  std::vector<Trial> trials_;
  std::vector<Live> live_;
  std::deque<std::uint32_t> queue_;
  std::uint64_t unfinished_ = 0;  // of trials_
  std::uint64_t pending_ = 0;     // of trials_
  std::uint64_t stopping_ = 0;    // actors
  Snapshots snapshots_;
  std::int64_t most_failures_ = 0;
  std::int64_t most_restore_failures_ = 0;

  CommandId last_command_ = 0;
  std::map<CommandId, std::uint32_t> starts_;  // open commands
  std::map<CommandId, RankSet> stops_;
};

}  // namespace aftershock::policies::ray_tune
