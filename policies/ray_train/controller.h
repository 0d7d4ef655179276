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
#include "policies/ray_train/elastic.h"
#include "policies/ray_train/failure_policy.h"
#include "policies/ray_train/profile.h"
#include "policies/ray_train/rules.h"
#include "policies/ray_train/shown.h"

namespace aftershock::policies::ray_train {

/// The controller of one Ray Train V2 run: Ray Train V2, controller/controller.py. Its loop does
/// not spin here: a step that would only wait for the worker group, or for workers to be possible,
/// ends when the event about it arrives.
class RayTrain final : public Policy {
 public:
  /// `profile` is one of profiles().
  RayTrain(const Profile& profile, const Config& config);

  [[nodiscard]] const PolicyInfo& info() const override { return words_->info; }
  [[nodiscard]] Decision on_events(const Batch& batch, const View& view) override;
  [[nodiscard]] nlohmann::json durable(TimeUs at_us) const override;
  [[nodiscard]] std::uint16_t state() const override { return index_of(state_); }
  [[nodiscard]] std::vector<BudgetState> budgets() const override;
  [[nodiscard]] ResultCheckpoints result() const override;
  [[nodiscard]] std::unique_ptr<Policy> clone() const override;

  /// Ray's attempt ids, counted: starts that follow a failed start share one, epochs never do.
  [[nodiscard]] std::uint32_t attempt_id() const { return attempt_id_; }
  [[nodiscard]] Epoch epoch() const { return epoch_; }
  /// Whether the run is over: in a terminal state, or because its driver or its controller is gone.
  [[nodiscard]] bool ended() const {
    const bool stops = ends_in_terminal_state() && group_ == Group::kStopping;
    return driver_gone_ || (is_terminal(state_) && !stops);
  }
  [[nodiscard]] const FailureCounters& counters() const { return counters_; }
  [[nodiscard]] const Checkpoints& checkpoints() const { return checkpoints_; }

 private:
  /// Position of an event in its batch.
  using Index = std::uint16_t;

  /// The worker group of `epoch_`.
  enum class Group : std::uint8_t {
    kNone,
    kStarting,
    kRunning,
    kStopping,
    kHalfStopped,  ///< its shutdown raised, so that the controller still has it
  };

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
    bool in_loop =
        true;  ///< not of the workers, nor of their start: older versions do not catch it
  };

  /// The events of one poll that show failed workers.
  struct Failed {
    std::vector<Index> saw;
    RankSet ranks;
    ChargeCause cause = ChargeCause::kApplication;
    bool preempted = false;  ///< one of them died of a preemption
  };

  /// The drain of PREEMPTING.
  struct Drain {
    TimeUs detected_us = 0;
    TimeUs deadline_us = 0;  ///< earliest that was told; 0: nobody knows
    RankSet gone;            ///< ranks that failed
    bool preempted_death = false;
  };

  /// One batch in work.
  struct Turn {
    const Batch& batch;
    const View& view;
    Decision decision;
    std::vector<Index> not_current;
    std::optional<std::size_t> poll_begins;  ///< first event that belongs to a poll of our group
    bool woken = false;                      ///< by a timer that we asked for
  };

  // controller.cpp: events.
  void on(Turn& turn, Index at, const JobSubmitted& submitted);
  void on(Turn& turn, Index at, const ControllerStarted& started);
  void on(Turn& turn, Index at, const AttemptRunning& running);
  void on(Turn& turn, Index at, const AttemptStartFailed& failed);
  void on(Turn& turn, Index at, const WorkersStopped& stopped);
  void on(Turn& turn, Index at, const ControllerError& error);
  void on(Turn& turn, Index at, const CommandResult& result);
  void on(Turn& turn, Index at, const StopRequested& stop);  // aborting.cpp
  void on(Turn& turn, Index at, const HangSuspected& hang);
  void on(Turn& turn, Index at, const PreemptionNotice& notice);
  void on(Turn& turn, Index at, const CheckpointReported& seen) { on_poll(turn, at, seen); }
  void on(Turn& turn, Index at, const WorkersFailed& seen) { on_poll(turn, at, seen); }
  void on(Turn& turn, Index at, const WorkersFinished& seen) { on_poll(turn, at, seen); }
  void on(Turn& turn, Index at, const PollUnanswered& seen) { on_poll(turn, at, seen); }
  void on(Turn& turn, Index at, const CapacityChanged& capacity);  // elastic.cpp
  void on(Turn& turn, Index, const Timer&) { turn.woken = true; }
  // Nodes and devices show through the workers they take down; experiments are another policy's.
  template <class Other>
  void on(Turn&, Index, const Other&) {}
  template <class Seen>
  void on_poll(Turn& turn, Index at, const Seen& seen);
  [[nodiscard]] bool is_current(JobId job, Epoch epoch) const;

  // aborting.cpp
  void go_on_aborting(Turn& turn, std::size_t from);
  void hear_interrupt(Turn& turn, Index at, std::uint32_t nth);
  void begin_abort(Turn& turn, std::vector<Index> saw);
  void end_abort(Turn& turn, Index at, bool raised);
  void abort_if_asleep(Turn& turn);

  // poll.cpp: one look at the running group, in Ray's order.
  [[nodiscard]] bool polls() const {
    return !driver_gone_ && group_ == Group::kRunning &&
           (state_ == State::kRunning || state_ == State::kPreempting);
  }
  [[nodiscard]] bool is_poll(const Turn& turn) const;
  void look(Turn& turn);
  void drop_poll(Turn& turn);
  /// Whether the batch has reports.
  bool hand_over(const Turn& turn, std::size_t begin);
  void take_reports(Turn& turn, std::size_t begin);
  [[nodiscard]] Checkpoints::Head reports() const;
  void commit(Turn& turn);
  [[nodiscard]] Failed failures(const Turn& turn, std::size_t begin) const;
  bool act_on_failures(Turn& turn, Failed failed);
  void act_on_finish(Turn& turn, std::size_t begin);

  // judging.cpp: what a poll shows in versions that look for a notice before they look for errors.
  void begin_polls(TimeUs now);
  [[nodiscard]] bool poll_is_due(TimeUs now) const;
  [[nodiscard]] TimeUs last_poll_before(TimeUs now) const;
  void remember(const Turn& turn, std::size_t begin);
  void judge(Turn& turn, std::size_t begin, bool handed_over);
  void judge_drain(Turn& turn, std::size_t begin, bool all_stopped);
  void begin_drain(Turn& turn, std::size_t begin);
  void relax_collectives(Turn& turn);
  void fail_with_shown(Turn& turn, std::size_t begin);
  [[nodiscard]] RankSet stopped() const;
  [[nodiscard]] bool somebody_answers() const;

  // preempting.cpp
  [[nodiscard]] bool watches_drain() const;
  /// True where the drain explains what the poll shows: neither failures nor a finish are left.
  bool act_on_preemption(Turn& turn, std::size_t begin, Failed& failed);
  bool enter_preempting(Turn& turn, std::size_t begin, Failed& failed);
  bool go_on_preempting(Turn& turn, std::size_t begin, Failed& failed);
  void merge_notices(const Turn& turn, std::size_t begin);
  [[nodiscard]] TimeUs drain_deadline() const;
  void leave_preempting_if_due(Turn& turn);
  void watch_drain(Turn& turn) const;

  // elastic.cpp
  /// The size to start with now; none where the scaling policy does nothing.
  [[nodiscard]] std::optional<std::uint32_t> possible_size() const;
  [[nodiscard]] bool would_resize() const;
  [[nodiscard]] Considerations considerations() const;
  void wait_for_size(Turn& turn, std::vector<Index> saw);
  void consider_resize(Turn& turn);
  void watch_capacity(Turn& turn) const;

  // transitions.cpp
  [[nodiscard]] std::uint16_t index_of(State state) const;
  [[nodiscard]] std::uint16_t index_of(RuleId rule) const;
  Step& add_step(Turn& turn, RuleId rule, State to);
  void add_not_current(Turn& turn);
  /// The scheduling step of the loop: tears the old group down, or starts a new one.
  void schedule(Turn& turn, std::vector<Index> saw);
  /// Starts a group with a command of the last step. There must be no group.
  void start_group(Turn& turn);
  [[nodiscard]] bool can_replace() const;
  void replace_failed(Turn& turn);
  /// Stops the group, if there is one that is not being stopped, with a command of the last step.
  void stop_group(Turn& turn);
  void group_stopped(Turn& turn, Index at, const std::string& error);

  // ending.cpp
  /// Puts an error before the failure policy and goes where that leads.
  void fail_with(Turn& turn, std::vector<Index> saw, const Failure& failure);
  [[nodiscard]] Ruling rule_of_version(const Failure& failure);
  [[nodiscard]] bool escapes(const Failure& failure) const;
  void add_moves(Step& step, const Failure& failure, const Ruling& ruling) const;
  /// The controller's process ends with the error, or with its driver.
  void end_process(Turn& turn, std::vector<Index> saw, RuleId rule, std::string reason);
  /// In SHUTTING_DOWN: stops the group, or ends the run when there is none. Versions without that
  /// state are in a terminal one already, and end the run from there.
  void shut_down(Turn& turn);
  [[nodiscard]] bool ends_in_terminal_state() const;
  void end_run(Turn& turn, std::vector<Index> saw, bool shutdown_failed);
  [[nodiscard]] bool group_lives() const;
  [[nodiscard]] std::string text_of(const Reason& reason) const;

  const Profile* profile_;
  const Vocabulary* words_;
  Config config_;
  FailureCounters counters_;
  Checkpoints checkpoints_;

  State state_ = State::kInitializing;
  Group group_ = Group::kNone;
  JobId job_ = 0;
  bool job_known_ = false;
  bool submitted_ = false;
  bool driver_gone_ = false;
  TimeUs submitted_us_ = 0;
  std::uint32_t least_workers_ = 0;
  std::uint32_t most_workers_ = 0;
  std::uint32_t target_workers_ = 0;  ///< of the group to be started
  std::uint32_t workers_ = 0;         ///< of the group of `epoch_`
  Epoch epoch_ = 0;
  std::uint32_t attempt_id_ = 0;

  bool elastic_ = false;
  std::optional<std::uint32_t> possible_;  ///< workers, as last told
  TimeUs considered_us_ = 0;
  RankSet failed_;          ///< of the running group, for replica groups
  bool replacing_ = false;  ///< the start is one of replica groups
  DurationUs stop_grace_us_ = 0;
  bool releasing_ = false;      ///< the last stop was of a group that had not come to run
  std::optional<Drain> drain_;  ///< of PREEMPTING

  Shown shown_;                         ///< by the running group, where it is kept
  std::optional<RankSet> required_;     ///< ranks that a checkpoint waits for; none: for all
  bool hung_ = false;                   ///< the next poll raises NCCLHangError
  bool polls_at_once_ = false;          ///< the first poll is in the batch of the start
  std::optional<TimeUs> last_poll_us_;  ///< where the next one keeps its interval to it
  bool interrupted_ = false;            ///< an interrupt waits to be heard
  bool aborting_ = false;               ///< the group is stopped for an interrupt

  RankSet finished_;
  TimeUs anchor_us_ = 0;   ///< of the polls
  TimeUs started_us_ = 0;  ///< the time at which the group came to run
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
