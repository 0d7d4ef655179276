#include "policies/ray_train/rules.h"

namespace aftershock::policies::ray_train {
namespace {

constexpr std::string_view kController = "controller/controller.py";
constexpr std::string_view kFailure = "failure_handling/default.py";
constexpr std::string_view kGroup = "worker_group/worker_group.py";
constexpr std::string_view kCheckpoint = "checkpoint/checkpoint_manager.py";
constexpr std::string_view kReports = "checkpoint/report_handler.py";
constexpr std::string_view kScaling = "scaling_policy/scaling_policy.py";
constexpr std::string_view kElastic = "scaling_policy/elastic.py";

constexpr Versions kNot255 = kUntil249 | kFrom202605;
constexpr Versions k255And202611 = kOnly255 | kOnly202611;

constexpr std::array<RuleEntry, kRuleCount> kRules{{
    {RuleId::kScheduleNewAttempt, kEveryVersion, "ray_train.schedule.new_attempt",
     "Whenever no group runs the scaling policy asks for one; a first start, a restart and a "
     "resize "
     "get a new attempt id, and a group that still lives is torn down now",
     kScaling},
    {RuleId::kScheduleSameAttempt, kEveryVersion, "ray_train.schedule.same_attempt",
     "After a failed start the controller schedules again under the same attempt id", kController},
    {RuleId::kStartAfterTeardown, kEveryVersion, "ray_train.start.after_teardown",
     "The new group is started once the old one has been shut down, from the last committed "
     "checkpoint",
     kController},
    {RuleId::kStartRunning, kEveryVersion, "ray_train.start.running",
     "The worker group started; from now on it is polled", kController},
    {RuleId::kStartRetry, kFrom249, "ray_train.start.retry",
     "A group that fails or times out while starting counts against controller_failure_limit, and "
     "that allows another try",
     kFailure},
    {RuleId::kStartRetryUncounted, kOnly243, "ray_train.start.retry_uncounted",
     "A group that fails or times out while starting is started again, for ever: the failure "
     "policy "
     "is not asked",
     kController},
    {RuleId::kStartRaise, kFrom249, "ray_train.start.raise",
     "A group that fails or times out while starting counts against controller_failure_limit, and "
     "that is used up",
     kFailure},
    {RuleId::kStartNotRetryable, kEveryVersion, "ray_train.start.not_retryable",
     "A set-up hook that raises, and a worker that dies at the final call that launches training, "
     "do not count as start-up errors and are never retried",
     kGroup},
    {RuleId::kStartInsufficientCluster, kFrom249, "ray_train.start.insufficient_cluster",
     "A request that the cluster could not hold at its largest is never retried, whatever the "
     "limits",
     kGroup},
    {RuleId::kStartLeaked, kEveryVersion, "ray_train.start.leaked",
     "The group counted as started before its start failed, so nothing is released: its workers "
     "and "
     "its placement group stay, and the controller has lost sight of them",
     kGroup},
    {RuleId::kFailureRetry, kEveryVersion, "ray_train.failure.retry",
     "All failures of workers seen in one poll count once against max_failures, and that allows "
     "another try",
     kFailure},
    {RuleId::kFailureRaise, kEveryVersion, "ray_train.failure.raise",
     "All failures of workers seen in one poll count once against max_failures, and that is used "
     "up",
     kFailure},
    {RuleId::kControllerErrorRetry, kFrom249, "ray_train.controller_error.retry",
     "A start-up error that reaches the control loop counts against controller_failure_limit, and "
     "that allows another try",
     kFailure},
    {RuleId::kControllerErrorRaise, kFrom249, "ray_train.controller_error.raise",
     "A start-up error that reaches the control loop counts against controller_failure_limit, and "
     "that is used up",
     kFailure},
    {RuleId::kControllerErrorNotRetryable, kFrom249, "ray_train.controller_error.not_retryable",
     "An error of the controller itself or of one of its hooks is never retried and touches no "
     "budget",
     kFailure},
    {RuleId::kControllerErrorWrongState, kFrom202605, "ray_train.controller_error.wrong_state",
     "The failure policy would retry, but only a controller that runs, drains or schedules can",
     kController},
    {RuleId::kControllerErrorAsserts, kOnly255, "ray_train.controller_error.wrong_state",
     "The failure policy would retry, but only a controller that runs or schedules can: an "
     "assertion ends it in the state that it is in, and fit() fails with that",
     kController},
    {RuleId::kControllerErrorEscapes, kUntil249, "ray_train.controller_error.escapes",
     "An error inside the control loop is not caught: fit() fails with it in whatever state the "
     "controller is, and the failure policy is not asked",
     kController},
    {RuleId::kControllerErrorEscapes255, kOnly255, "ray_train.controller_error.escapes",
     "Only errors of a start, of a poll and of the controller's own hooks are caught: what the "
     "stop of the old group raises ends the controller in the state that it is in, and fit() fails "
     "with it",
     kController},
    {RuleId::kElasticWait, kFrom255, "ray_train.elastic.wait",
     "Fewer workers are possible than the least that the job wants, or nobody has said how many: "
     "the "
     "controller stays in its state, and what still runs goes on running and holding its resources",
     kElastic},
    {RuleId::kElasticResize, kFrom255, "ray_train.elastic.resize",
     "Another number of workers is possible than runs, and it is time to consider that: the group "
     "is stopped and started anew, up or down; no budget is touched",
     kElastic},
    {RuleId::kReplicaReplace, kFrom202605, "ray_train.replica.replace",
     "Some but not all replica groups failed and the size stays: only the failed ones are "
     "replaced, "
     "in their places, and the others go on",
     kController},
    {RuleId::kPreemptingEnter, kOnly202609, "ray_train.preempting.enter",
     "Nodes of the group are to be taken away, or a worker died of a preemption: the workers go on "
     "until all have stopped or the deadline has passed, 120 s where nobody knows it",
     kController},
    {RuleId::kPreemptingNotice, kOnly202611, "ray_train.preempting.notice",
     "Nodes of the group are to be taken away, which a poll asks before it asks for errors: the "
     "workers go on until all have stopped or the deadline has passed, 120 s where nobody knows "
     "it, and the next poll judges what failed",
     kController},
    {RuleId::kPreemptingRelax, kOnly202611, "ray_train.preempting.relax",
     "Until this group ends a checkpoint counts once the ranks have reported it that the notice "
     "does not name",
     kController},
    {RuleId::kPreemptingMerge, kFrom202609, "ray_train.preempting.merge",
     "Another notice while draining: the ranks add up, and the earliest deadline counts",
     kController},
    {RuleId::kPreemptingDeath, kFrom202609, "ray_train.preempting.death",
     "Workers failed while draining and one of them was preempted: the preemption explains them "
     "all, and the drain goes on",
     kController},
    {RuleId::kPreemptionRetry, kFrom202609, "ray_train.preemption.retry",
     "A preemption counts against max_preemption_failures and leaves max_failures alone, and that "
     "allows another try",
     kFailure},
    {RuleId::kPreemptionRaise, kFrom202609, "ray_train.preemption.raise",
     "A preemption counts against max_preemption_failures and leaves max_failures alone, and that "
     "is used up",
     kFailure},
    {RuleId::kPreemptionIgnored, kEveryVersion, "ray_train.preemption.ignored",
     "Nobody listens to preemption notices here; the loss of the node will be seen when its "
     "workers "
     "fail",
     kController},
    {RuleId::kHangNccl, kFrom202609, "ray_train.hang.nccl",
     "A collective that hangs, as the callback finds it, is a failure of the worker group and goes "
     "to the failure policy",
     kController},
    {RuleId::kHangNotWatched, kEveryVersion, "ray_train.hang.not_watched",
     "Only a worker that leaves polls unanswered hangs for this controller; lack of progress is "
     "not "
     "watched",
     kGroup},
    {RuleId::kCheckpointCommit, kEveryVersion, "ray_train.checkpoint.commit",
     "A checkpoint counts once every rank has reported it; one a poll is committed, the snapshot "
     "is written, and then what num_to_keep drops is deleted",
     kReports},
    {RuleId::kCheckpointMixed, kEveryVersion, "ray_train.checkpoint.mixed",
     "The oldest reports of the ranks name different checkpoints: an error of the controller, "
     "never retried",
     kReports},
    {RuleId::kCheckpointDiscarded, kEveryVersion, "ray_train.checkpoint.discarded",
     "Reports that are not committed when the group is shut down are forgotten, even of a "
     "checkpoint that all ranks have uploaded",
     kReports},
    {RuleId::kSnapshotRestored, kEveryVersion, "ray_train.snapshot.restored",
     "A new controller takes the list of checkpoints from the run's snapshot; counters start at "
     "zero",
     kCheckpoint},
    {RuleId::kSnapshotUnreadable, kEveryVersion, "ray_train.snapshot.unreadable",
     "A snapshot that cannot be read ends the run before the failure policy exists", kCheckpoint},
    {RuleId::kSnapshotMissingCheckpoint, kFrom255, "ray_train.snapshot.missing_checkpoint",
     "A snapshot that lists a checkpoint whose directory is gone ends the run before the failure "
     "policy exists",
     kCheckpoint},
    {RuleId::kSnapshotUnwritable, kEveryVersion, "ray_train.snapshot.unwritable",
     "A snapshot that cannot be written is an error of the controller, never retried", kCheckpoint},
    {RuleId::kFinishAllRanks, kEveryVersion, "ray_train.finish.all_ranks",
     "Every rank returned from the training function and none failed", kController},
    {RuleId::kShutdownFinished, kEveryVersion, "ray_train.shutdown.finished",
     "The group of a finished run has been shut down", kController},
    {RuleId::kShutdownErrored, kNot255, "ray_train.shutdown.errored",
     "The run ends with the error that began the shutdown, whatever the shutdown itself met",
     kController},
    {RuleId::kShutdownErrored255, kOnly255, "ray_train.shutdown.errored",
     "The run ends with the error that began the shutdown", kController},
    {RuleId::kShutdownFailed, kNot255, "ray_train.shutdown.failed",
     "Shutting the group of a finished run down failed, and that makes it a failed run",
     kController},
    {RuleId::kShutdownHookFailed, kNot255, "ray_train.shutdown.hook_failed",
     "A hook failed while a finished run was shut down, and that makes it a failed run",
     kController},
    {RuleId::kShutdownEscapes, kOnly255, "ray_train.shutdown.escapes",
     "An error of the group's shutdown, or of a hook behind it, ends the controller in "
     "SHUTTING_DOWN: fit() fails with it, also where another error had begun the shutdown",
     kController},
    {RuleId::kShutdownHookError, kEveryVersion, "ray_train.shutdown.hook_error",
     "An error of a hook during shutdown waits until the group is gone", kController},
    {RuleId::kAbortFirst, kFrom249, "ray_train.abort.first",
     "The first interrupt by the user aborts the run", kController},
    {RuleId::kAbortWaits249, kOnly249, "ray_train.abort.waits",
     "The control loop hears an interrupt when it next sleeps, between two polls: a start or a "
     "stop "
     "blocks it",
     kController},
    {RuleId::kAbortWaits, k255And202611, "ray_train.abort.waits",
     "The control loop hears an interrupt when it next sleeps, between two polls: a start, a stop "
     "and a wait for nodes block it",
     kController},
    {RuleId::kAbortEnded, k255And202611, "ray_train.abort.ended",
     "The workers of an aborted run are gone, and its controller ends: in ABORTED, unless their "
     "shutdown raised",
     kController},
    {RuleId::kAbortSecond, kFrom249, "ray_train.abort.second",
     "The second interrupt by the user is ignored", kController},
    {RuleId::kAbortThird, kFrom249, "ray_train.abort.third",
     "The third interrupt by the user ends the driver at once", kController},
    {RuleId::kAbortDriverEnds, kOnly243, "ray_train.abort.driver_ends",
     "An interrupt by the user ends the driver, and controller and workers with it, in whatever "
     "state the controller is",
     kController},
    {RuleId::kEventNotCurrent, kEveryVersion, "ray_train.event.not_current",
     "The event is not of the group that the controller has now, and says nothing about it",
     kController},
    {RuleId::kCommandFailed, kEveryVersion, "ray_train.command.failed",
     "A command could not be carried out as asked", kController},
}};

constexpr bool in_order() {
  for (std::size_t index = 0; index < kRuleCount; ++index) {
    if (static_cast<std::size_t>(kRules[index].id) != index) {
      return false;
    }
  }
  return true;
}
static_assert(in_order(), "kRules must be in the order of RuleId");

}  // namespace

std::span<const RuleEntry> rule_table() { return kRules; }

}  // namespace aftershock::policies::ray_train
