#include "policies/ray_train/rules.h"

#include <array>
#include <cstddef>

#include "policies/api/assert.h"

namespace aftershock::policies::ray_train {
namespace {

constexpr std::string_view kController = "Ray Train V2, controller/controller.py (2026-05)";
constexpr std::string_view kFailure = "Ray Train V2, failure_handling/default.py (2026-05)";
constexpr std::string_view kGroup = "Ray Train V2, worker_group/worker_group.py (2026-05)";
constexpr std::string_view kCheckpoint = "Ray Train V2, checkpoint/checkpoint_manager.py (2026-05)";
constexpr std::string_view kReports = "Ray Train V2, checkpoint/report_handler.py (2026-05)";
constexpr std::string_view kScaling = "Ray Train V2, scaling_policy/fixed.py (2026-05)";

struct Entry {
  RuleId id;
  Rule rule;
};

constexpr auto kCount = static_cast<std::size_t>(RuleId::kCount);

constexpr std::array<Entry, kCount> kRules{{
    {RuleId::kScheduleNewAttempt,
     {"ray_train.schedule.new_attempt",
      "Fixed scaling asks for the configured number of workers whenever no group runs; a first "
      "start and a restart get a new attempt id, and a group that still lives is torn down now",
      kScaling}},
    {RuleId::kScheduleSameAttempt,
     {"ray_train.schedule.same_attempt",
      "After a failed start the controller schedules again under the same attempt id",
      kController}},
    {RuleId::kStartAfterTeardown,
     {"ray_train.start.after_teardown",
      "The new group is started once the old one has been shut down, from the last committed "
      "checkpoint",
      kController}},
    {RuleId::kStartRunning,
     {"ray_train.start.running", "The worker group started; from now on it is polled",
      kController}},
    {RuleId::kStartRetry,
     {"ray_train.start.retry",
      "A group that fails or times out while starting counts against controller_failure_limit, and "
      "that allows another try",
      kFailure}},
    {RuleId::kStartRaise,
     {"ray_train.start.raise",
      "A group that fails or times out while starting counts against controller_failure_limit, and "
      "that is used up",
      kFailure}},
    {RuleId::kStartNotRetryable,
     {"ray_train.start.not_retryable",
      "A set-up hook that raises, and a worker that dies at the final call that launches training, "
      "are no start-up errors and are never retried",
      kGroup}},
    {RuleId::kStartInsufficientCluster,
     {"ray_train.start.insufficient_cluster",
      "A request that the cluster could not hold at its largest is never retried, whatever the "
      "limits",
      kGroup}},
    {RuleId::kFailureRetry,
     {"ray_train.failure.retry",
      "All failures of workers seen in one poll count once against max_failures, and that allows "
      "another try",
      kFailure}},
    {RuleId::kFailureRaise,
     {"ray_train.failure.raise",
      "All failures of workers seen in one poll count once against max_failures, and that is used "
      "up",
      kFailure}},
    {RuleId::kControllerErrorRetry,
     {"ray_train.controller_error.retry",
      "A start-up error that reaches the control loop counts against controller_failure_limit, and "
      "that allows another try",
      kFailure}},
    {RuleId::kControllerErrorRaise,
     {"ray_train.controller_error.raise",
      "A start-up error that reaches the control loop counts against controller_failure_limit, and "
      "that is used up",
      kFailure}},
    {RuleId::kControllerErrorNotRetryable,
     {"ray_train.controller_error.not_retryable",
      "An error of the controller itself or of one of its hooks is never retried and touches no "
      "budget",
      kFailure}},
    {RuleId::kControllerErrorWrongState,
     {"ray_train.controller_error.wrong_state",
      "The failure policy would retry, but only a running or a scheduling controller can",
      kController}},
    {RuleId::kCheckpointCommit,
     {"ray_train.checkpoint.commit",
      "A checkpoint counts once every rank has reported it; one a poll is committed, the snapshot "
      "is written, and then what num_to_keep drops is deleted",
      kReports}},
    {RuleId::kCheckpointMixed,
     {"ray_train.checkpoint.mixed",
      "The oldest reports of the ranks name different checkpoints: an error of the controller, "
      "never retried",
      kReports}},
    {RuleId::kCheckpointDiscarded,
     {"ray_train.checkpoint.discarded",
      "Reports that are not committed when the group is shut down are forgotten, even of a "
      "checkpoint that all ranks have uploaded",
      kReports}},
    {RuleId::kSnapshotRestored,
     {"ray_train.snapshot.restored",
      "A new controller takes the list of checkpoints from the run's snapshot; counters start at "
      "zero",
      kCheckpoint}},
    {RuleId::kSnapshotUnreadable,
     {"ray_train.snapshot.unreadable",
      "A snapshot that cannot be read ends the run before the failure policy exists", kCheckpoint}},
    {RuleId::kSnapshotUnwritable,
     {"ray_train.snapshot.unwritable",
      "A snapshot that cannot be written is an error of the controller, never retried",
      kCheckpoint}},
    {RuleId::kFinishAllRanks,
     {"ray_train.finish.all_ranks",
      "Every rank returned from the training function and none failed", kController}},
    {RuleId::kShutdownFinished,
     {"ray_train.shutdown.finished", "The group of a finished run has been shut down",
      kController}},
    {RuleId::kShutdownErrored,
     {"ray_train.shutdown.errored",
      "The run ends with the error that began the shutdown, whatever the shutdown itself met",
      kController}},
    {RuleId::kShutdownFailed,
     {"ray_train.shutdown.failed",
      "Shutting the group of a finished run down failed, and that makes it a failed run",
      kController}},
    {RuleId::kShutdownHookFailed,
     {"ray_train.shutdown.hook_failed",
      "A hook failed while a finished run was shut down, and that makes it a failed run",
      kController}},
    {RuleId::kShutdownHookError,
     {"ray_train.shutdown.hook_error",
      "An error of a hook during shutdown waits until the group is gone", kController}},
    {RuleId::kAbortFirst,
     {"ray_train.abort.first", "The first interrupt by the user aborts the run", kController}},
    {RuleId::kAbortSecond,
     {"ray_train.abort.second", "The second interrupt by the user is ignored", kController}},
    {RuleId::kAbortThird,
     {"ray_train.abort.third", "The third interrupt by the user ends the driver at once",
      kController}},
    {RuleId::kEventNotCurrent,
     {"ray_train.event.not_current",
      "The event is not of the group that the controller has now, and says nothing about it",
      kController}},
    {RuleId::kPreemptionIgnored,
     {"ray_train.preemption.ignored",
      "This version does not listen to preemption notices; the loss of the node will be an "
      "ordinary "
      "failure",
      kController}},
    {RuleId::kHangNotWatched,
     {"ray_train.hang.not_watched",
      "Only a worker that leaves polls unanswered hangs for this version; lack of progress is not "
      "watched",
      kGroup}},
    {RuleId::kCommandFailed,
     {"ray_train.command.failed", "A command could not be carried out as asked", kController}},
}};

constexpr bool in_order() {
  for (std::size_t index = 0; index < kCount; ++index) {
    if (static_cast<std::size_t>(kRules[index].id) != index) {
      return false;
    }
  }
  return true;
}
static_assert(in_order(), "kRules must be in the order of RuleId");

std::vector<Parameter> parameters() {
  return {
      {"max_failures", "integer", "", "0",
       "failures of the worker group that are retried; -1: all of them", ""},
      {"controller_failure_limit", "integer", "", "-1",
       "failed starts of the worker group that are retried; -1: all of them", ""},
      {"num_to_keep", "integer", "", "none",
       "committed checkpoints that are kept; none: all of them", ""},
      {"health_check_interval_s", "number", "s", "2",
       "time from the end of one poll to the next, and the longest wait for its answers",
       "RAY_TRAIN_HEALTH_CHECK_INTERVAL_S"},
      {"worker_health_check_timeout_s", "number", "s", "600",
       "a worker that leaves a poll unanswered for longer has failed",
       "RAY_TRAIN_WORKER_HEALTH_CHECK_TIMEOUT_S"},
      {"worker_group_start_timeout_s", "number", "s", "60",
       "longest wait for the resources of a worker group",
       "RAY_TRAIN_WORKER_GROUP_START_TIMEOUT_S"},
  };
}

PolicyInfo make_info(const Profile& profile) {
  PolicyInfo info;
  info.name = "ray_train";
  info.profile = profile.name;
  info.summary = profile.summary;
  info.states = {"INITIALIZING",  "SCHEDULING", "RESCHEDULING", "RUNNING", "RESTARTING",
                 "SHUTTING_DOWN", "ERRORED",    "FINISHED",     "ABORTED"};
  info.budgets = {"max_failures", "controller_failure_limit"};
  info.rules.reserve(kCount);
  for (const Entry& entry : kRules) {
    info.rules.push_back(entry.rule);
  }
  info.parameters = parameters();
  info.persists = {"list of kept checkpoints", "latest checkpoint", "report index"};
  return info;
}

std::vector<PolicyInfo> make_infos() {
  std::vector<PolicyInfo> infos;
  for (const Profile& profile : profiles()) {
    infos.push_back(make_info(profile));
  }
  return infos;
}

}  // namespace

const PolicyInfo& policy_info(const Profile& profile) {
  static const std::vector<PolicyInfo> kInfos = make_infos();
  for (const PolicyInfo& info : kInfos) {
    if (info.profile == profile.name) {
      return info;
    }
  }
  AFTERSHOCK_ASSERT(false);
  return kInfos.front();
}

}  // namespace aftershock::policies::ray_train
