#include "policies/volcano/rules.h"

#include "policies/parts/rule_table.h"
#include "policies/volcano/config.h"

namespace aftershock::policies::volcano {
namespace {

constexpr std::string_view kState = "volcano-sh/volcano, pkg/controllers/job/state";
constexpr std::string_view kActions =
    "volcano-sh/volcano, pkg/controllers/job/job_controller_actions.go";
constexpr std::string_view kApply =
    "volcano-sh/volcano, pkg/controllers/job/job_controller_util.go";
constexpr std::string_view kDelays =
    "Volcano 1.15.1, pkg/controllers/job/job_controller.go:376, :415, :461 and :542";
constexpr std::string_view kKubernetes = "Kubernetes, taint based eviction";
constexpr std::string_view kHere = "this simulator";

constexpr RuleTable<RuleId> kRules{{
    {RuleId::kPending, {"volcano.pending", "The job is created; its pods wait as a gang", kState}},
    {RuleId::kTakenUp,
     {"volcano.taken_up",
      "A controller that comes back finds pods that run and leaves them; pods "
      "that do not are "
      "made anew",
      kActions}},
    {RuleId::kRunning, {"volcano.running", "All pods run", kState}},
    {RuleId::kCompleted, {"volcano.completed", "All pods succeeded", kState}},
    {RuleId::kCommandAbort, {"volcano.command.abort", "Somebody aborts the job", kState}},
    {RuleId::kHangNotWatched,
     {"volcano.hang.not_watched", "A pod that runs is well, whatever its processes do", kActions}},
    {RuleId::kPreemptionIgnored,
     {"volcano.preemption.ignored", "Nobody listens to notices of a preemption", kActions}},
    {RuleId::kEventNotCurrent,
     {"volcano.event.not_current", "The event is of pods of an older version of the job", kApply}},
    {RuleId::kCommandFailed,
     {"volcano.command.failed", "A command could not be carried out as asked", kHere}},
    {RuleId::kPods, {"volcano.pods", "The pods that are not there are made", kActions}},
    {RuleId::kStarted,
     {"volcano.gang.started", "Each pod of the gang is there: they start together", kHere}},
    {RuleId::kJoined,
     {"volcano.gang.joined",
      "Pods that are well wait for those that are made anew, and begin again with them", kHere}},
    {RuleId::kPendingAgain,
     {"volcano.pending_again",
      "Enough of the pods that were killed are gone, or too many wait: Pending", kState}},
    {RuleId::kSync,
     {"volcano.sync",
      "No policy answers the event, or ResumeJob does: SyncJob, by which a pod that failed stays "
      "as it is",
      kApply}},
    {RuleId::kSyncFailed,
     {"volcano.sync.failed", "No pod runs any more and fewer than minAvailable succeeded: Failed",
      kState}},
    {RuleId::kSyncCompleted,
     {"volcano.sync.completed",
      "No pod runs any more and minAvailable of them succeeded: Completed, "
      "whatever became of the "
      "others",
      kState}},
    {RuleId::kRestartJob,
     {"volcano.restart.job", "RestartJob: all pods are killed, and RetryCount grows by one",
      kState}},
    {RuleId::kRestartTask,
     {"volcano.restart.task",
      "RestartTask: the pods of the task are killed, and RetryCount grows by "
      "one",
      kState}},
    {RuleId::kRestartPod,
     {"volcano.restart.pod", "RestartPod: the pod is killed, and RetryCount grows by one", kState}},
    {RuleId::kRestartPartition,
     {"volcano.restart.partition",
      "RestartPartition: the pods of its partition are killed, and RetryCount "
      "grows by one",
      kState}},
    {RuleId::kRetained,
     {"volcano.retained",
      "From RetryCount maxRetry - 1 on pods that failed or succeeded are kept "
      "for their logs",
      kActions}},
    {RuleId::kMaxRetry,
     {"volcano.max_retry",
      "Restarting, and RetryCount has reached maxRetry: Failed. So maxRetry 3 "
      "gives two restarts",
      kState}},
    {RuleId::kRestarting,
     {"volcano.restarting",
      "A pod of a version before this one, or that fails while the job is Restarting, which it is "
      "until those that were killed are gone, is not counted again",
      kState}},
    {RuleId::kAllDown, {"volcano.all_down", "The last of the other pods has ended as well", kHere}},
    {RuleId::kAbort, {"volcano.abort", "AbortJob: pods are killed, and the job is kept", kState}},
    {RuleId::kTerminate, {"volcano.terminate", "TerminateJob: the job ends for good", kState}},
    {RuleId::kComplete,
     {"volcano.complete", "CompleteJob: the job counts as Completed although its work is not done",
      kState}},
    {RuleId::kTaskCompleted,
     {"volcano.task_completed", "All pods of a task succeeded, which completes the job", kState}},
    {RuleId::kNodeLost,
     {"volcano.node.lost",
      "Pods stay bound to a node that cannot be reached until "
      "tolerationSeconds have passed",
      kKubernetes}},
    {RuleId::kEvicted, {"volcano.evicted", "The pods of a lost node are evicted", kKubernetes}},
    {RuleId::kReachedAgain,
     {"volcano.node.reached_again",
      "The node is reached again before tolerationSeconds are over: its pods are not evicted",
      kKubernetes}},
    {RuleId::kPodPending,
     {"volcano.pod_pending", "Pods have waited for nodes for longer than the policy's timeout",
      kActions}},
    {RuleId::kUnknown,
     {"volcano.unknown",
      "Some pods run, and no node is there for another: the scheduler calls the group Unknown",
      kApply}},
    {RuleId::kTerminating,
     {"volcano.node.terminating",
      "tolerationSeconds are over: pods of a lost node are deleted, and PodEvicted comes when they "
      "are gone, as their kubelet is back or their objects are removed",
      kActions}},
    {RuleId::kDelayed,
     {"volcano.delayed",
      "The policy has a timeout: its action waits for so long, unless the pod runs again or "
      "another "
      "action of its kind comes before",
      kDelays}},
}};

static_assert(in_order(kRules), "kRules must be in the order of RuleId");

PolicyInfo make_info() {
  PolicyInfo info;
  info.name = "volcano";
  info.profile = kProfiles.front();
  info.summary =
      "Volcano job: events answered with actions, of the task "
      "before those of the job";
  info.states = {"Pending",     "Running",   "Restarting", "Aborting", "Completing",
                 "Terminating", "Completed", "Failed",     "Aborted",  "Terminated"};
  info.budgets = {"maxRetry"};
  info.rules = rules_of(kRules);
  info.parameters = parameters();
  info.persists = {"everything: it is the status of the job and its pods"};
  info.watches_nodes = true;
  info.pods_are_objects = true;
  info.leaves_peers = true;
  info.charges_pods = true;
  info.commits_checkpoints = false;
  return info;
}

}  // namespace

const PolicyInfo& policy_info() {
  static const PolicyInfo kInfo = make_info();
  return kInfo;
}

}  // namespace aftershock::policies::volcano
