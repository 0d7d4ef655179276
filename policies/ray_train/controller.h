#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "policies/api/policy.h"
#include "policies/ray_train/checkpoints.h"
#include "policies/ray_train/config.h"
#include "policies/ray_train/failure_policy.h"
#include "policies/ray_train/profile.h"
#include "policies/ray_train/rules.h"

namespace aftershock::policies::ray_train {

/// The controller of one Ray Train V2 run under fixed scaling: Ray Train V2,
/// controller/controller.py (2026-05). Its loop does not spin here: a step that would only wait for
/// the worker group ends when the event about it arrives.
class RayTrain final : public Policy {
 public:
  /// `profile` is one of profiles().
  RayTrain(const Profile& profile, const Config& config);

  [[nodiscard]] const PolicyInfo& info() const override { return *info_; }
  [[nodiscard]] Decision on_events(const Batch& batch, const View& view) override;
  [[nodiscard]] nlohmann::json durable(TimeUs at_us) const override;
  [[nodiscard]] std::uint16_t state() const override { return static_cast<std::uint16_t>(state_); }
  [[nodiscard]] std::vector<BudgetState> budgets() const override;
  [[nodiscard]] std::unique_ptr<Policy> clone() const override;

  /// Ray's attempt ids, counted: starts that follow a failed start share one, epochs never do.
  [[nodiscard]] std::uint32_t attempt_id() const { return attempt_id_; }
  [[nodiscard]] Epoch epoch() const { return epoch_; }
  [[nodiscard]] const FailureCounters& counters() const { return counters_; }
  [[nodiscard]] const Checkpoints& checkpoints() const { return checkpoints_; }

 private:
  /// Position of an event in its batch.
  using Index = std::uint16_t;

  /// The worker group of `epoch_`.
  enum class Group : std::uint8_t { kNone, kStarting, kRunning, kStopping };

  /// Why a run ends in ERRORED: a budget that is used up, or a rule that gave up.
  struct Reason {
    std::optional<Budget> budget;
    RuleId rule = RuleId::kCount;
  };

  /// An error on its way to the failure policy, and the rules that tell what came of it.
  struct Failure {
    ErrorClass error = ErrorClass::kOtherController;
    ChargeCause cause = ChargeCause::kController;
    RuleId retry = RuleId::kControllerErrorRetry;
    RuleId raise = RuleId::kControllerErrorRaise;
    RuleId not_retryable = RuleId::kControllerErrorNotRetryable;
  };

  /// One batch in work.
  struct Turn {
    const Batch& batch;
    const View& view;
    Decision decision;
    std::vector<Index> not_current;
    std::optional<std::size_t> poll_begins;  ///< first event that belongs to a poll of our group
  };

  // controller.cpp: events.
  void on(Turn& turn, Index at, const JobSubmitted& submitted);
  void on(Turn& turn, Index at, const ControllerStarted& started);
  void on(Turn& turn, Index at, const AttemptRunning& running);
  void on(Turn& turn, Index at, const AttemptStartFailed& failed);
  void on(Turn& turn, Index at, const WorkersStopped& stopped);
  void on(Turn& turn, Index at, const ControllerError& error);
  void on(Turn& turn, Index at, const CommandResult& result);
  void on(Turn& turn, Index at, const StopRequested& stop);
  void on(Turn& turn, Index at, const HangSuspected& hang);
  void on(Turn& turn, Index at, const PreemptionNotice& notice);
  void on(Turn& turn, Index at, const CheckpointReported& seen) { on_poll(turn, at, seen); }
  void on(Turn& turn, Index at, const WorkersFailed& seen) { on_poll(turn, at, seen); }
  void on(Turn& turn, Index at, const WorkersFinished& seen) { on_poll(turn, at, seen); }
  void on(Turn& turn, Index at, const PollUnanswered& seen) { on_poll(turn, at, seen); }
  // Fixed scaling asks for the same group whatever becomes of nodes, and devices are not looked at.
  void on(Turn&, Index, const NodeUnreachable&) {}
  void on(Turn&, Index, const NodeJoined&) {}
  void on(Turn&, Index, const DeviceFault&) {}
  void on(Turn&, Index, const CapacityChanged&) {}
  void on(Turn&, Index, const Timer&) {}
  // Experiments are not this policy's subject.
  void on(Turn&, Index, const ExperimentSubmitted&) {}
  void on(Turn&, Index, const TrialStarted&) {}
  void on(Turn&, Index, const TrialRestored&) {}
  void on(Turn&, Index, const TrialResult&) {}
  void on(Turn&, Index, const TrialsFailed&) {}
  void on(Turn&, Index, const TrialsStopped&) {}
  template <class Seen>
  void on_poll(Turn& turn, Index at, const Seen& seen);
  [[nodiscard]] bool is_current(JobId job, Epoch epoch) const;

  // poll.cpp: one look at the running group, in Ray's order.
  [[nodiscard]] bool polled(const Turn& turn) const;
  void look(Turn& turn);
  void take_reports(Turn& turn, std::size_t begin);
  void commit(Turn& turn);
  bool act_on_failures(Turn& turn, std::size_t begin);
  void act_on_finish(Turn& turn, std::size_t begin);

  // transitions.cpp
  Step& add_step(Turn& turn, RuleId rule, State to);
  void add_not_current(Turn& turn);
  /// Puts an error before the failure policy and goes where that leads.
  void fail_with(Turn& turn, std::vector<Index> saw, const Failure& failure);
  /// The scheduling step of the loop: tears the old group down, or starts a new one.
  void schedule(Turn& turn, std::vector<Index> saw);
  /// Starts a group with a command of the last step. There must be no group.
  void start_group(Turn& turn);
  /// Stops the group, if there is one that is not being stopped, with a command of the last step.
  void stop_group(Turn& turn);
  void group_stopped(Turn& turn, Index at, const std::string& error);
  /// In SHUTTING_DOWN: stops the group, or ends the run when there is none.
  void shut_down(Turn& turn);
  void end_run(Turn& turn, std::vector<Index> saw, bool shutdown_failed);
  [[nodiscard]] std::string text_of(const Reason& reason) const;

  const Profile* profile_;
  const PolicyInfo* info_;
  Config config_;
  FailureCounters counters_;
  Checkpoints checkpoints_;

  State state_ = State::kInitializing;
  Group group_ = Group::kNone;
  JobId job_ = 0;
  bool job_known_ = false;
  std::uint32_t workers_ = 0;
  Epoch epoch_ = 0;
  std::uint32_t attempt_id_ = 0;

  RankSet finished_;
  TimeUs anchor_us_ = 0;
  bool again_ = false;
  std::optional<TimeUs> last_commit_us_;

  std::optional<Reason> shutdown_reason_;  ///< of SHUTTING_DOWN; none: the run has finished
  bool hook_failed_ = false;               ///< of SHUTTING_DOWN

  CommandId last_command_ = 0;
  CommandId start_command_ = 0;
  CommandId stop_command_ = 0;
  CommandId persist_command_ = 0;
};

}  // namespace aftershock::policies::ray_train
