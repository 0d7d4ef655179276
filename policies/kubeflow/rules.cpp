#include "policies/kubeflow/rules.h"

#include "policies/kubeflow/config.h"
#include "policies/parts/rule_table.h"

namespace aftershock::policies::kubeflow {
namespace {

constexpr std::string_view kJob = "kubeflow/training-operator V1, pkg/controller.v1/common/job.go";
constexpr std::string_view kPod = "kubeflow/training-operator V1, pkg/controller.v1/common/pod.go";
constexpr std::string_view kKubernetes = "Kubernetes, taint based eviction";
constexpr std::string_view kTorch =
    "kubeflow/training-operator V1, elasticPolicy; PyTorch, torch/distributed/elastic";
constexpr std::string_view kHere = "this simulator";

constexpr RuleTable<RuleId> kRules{{
    {RuleId::kCreated, {"kubeflow.created", "A PyTorchJob is created, and its pods", kJob}},
    {RuleId::kTakenUp,
     {"kubeflow.taken_up",
      "An operator that comes back finds pods that run and leaves them; pods that do not are made "
      "anew",
      kJob}},
    {RuleId::kRunning, {"kubeflow.running", "All pods run", kJob}},
    {RuleId::kSucceeded, {"kubeflow.succeeded", "The containers of all pods ended with 0", kJob}},
    {RuleId::kDeleted, {"kubeflow.deleted", "Somebody deletes the job", kJob}},
    {RuleId::kHangNotWatched,
     {"kubeflow.hang.not_watched", "A pod that runs is well, whatever its processes do", kJob}},
    {RuleId::kPreemptionIgnored,
     {"kubeflow.preemption.ignored", "Nobody listens to notices of a preemption", kJob}},
    {RuleId::kEventNotCurrent,
     {"kubeflow.event.not_current", "The event is of pods that are no longer the job's", kJob}},
    {RuleId::kCommandFailed,
     {"kubeflow.command.failed", "A command could not be carried out as asked", kHere}},
    {RuleId::kNodeLostStarting,
     {"kubeflow.node.lost_starting",
      "A node is lost before all pods run: its pods are made anew, and the others wait for them",
      kPod}},
    {RuleId::kPods,
     {"kubeflow.pods", "Pods are made, or containers started again, under the names they had",
      kPod}},
    {RuleId::kPermanent,
     {"kubeflow.exit_code.permanent",
      "restartPolicy ExitCode: a container that ends with 1 to 127 fails the job", kPod}},
    {RuleId::kRetryable,
     {"kubeflow.exit_code.retryable",
      "restartPolicy ExitCode: a pod whose container ends with 128 to 255 is deleted and made "
      "anew; a backoffLimit above 0 does not count that",
      "kubeflow/training-operator V1, issue 2045"}},
    {RuleId::kOnFailure,
     {"kubeflow.on_failure",
      "restartPolicy OnFailure or Always: the kubelet restarts the container", kPod}},
    {RuleId::kBackoffLimit,
     {"kubeflow.backoff_limit",
      "Restarts of containers are as many as backoffLimit, or with 0 a pod has failed at all: the "
      "job has failed",
      "kubeflow/training-operator 1.8.1, pkg/core/job.go, PastBackoffLimit, and "
      "pkg/controller.v1/common/job.go"}},
    {RuleId::kNever,
     {"kubeflow.never", "restartPolicy Never: a pod that failed fails the job", kJob}},
    {RuleId::kNodeLost,
     {"kubeflow.node.lost",
      "Pods stay bound to a node that cannot be reached until tolerationSeconds have passed",
      kKubernetes}},
    {RuleId::kEvicted,
     {"kubeflow.node.evicted", "The pods of a lost node are evicted and made anew, uncounted",
      kKubernetes}},
    {RuleId::kReachedAgain,
     {"kubeflow.node.reached_again",
      "The node is reached again before tolerationSeconds are over: its pods are not evicted",
      kKubernetes}},
    {RuleId::kAllDown,
     {"kubeflow.all_down",
      "The last of the other pods has ended as well, and all of them start together", kPod}},
    {RuleId::kDeadline,
     {"kubeflow.deadline", "The job has been active for activeDeadlineSeconds: it has failed",
      kJob}},
    {RuleId::kElasticRestart,
     {"kubeflow.elastic.restart",
      "torchrun in the pod has a restart left: it restarts the workers, and no pod ends", kTorch}},
    {RuleId::kElasticExit,
     {"kubeflow.elastic.exit",
      "torchrun in the pod has no restart left and exits with 1, which is its container's code",
      kTorch}},
    {RuleId::kLastCall,
     {"kubeflow.elastic.last_call", "minReplicas have joined; others may for 30 s", kTorch}},
    {RuleId::kComplete,
     {"kubeflow.elastic.complete", "maxReplicas have joined, or the last call is over", kTorch}},
    {RuleId::kElasticTimeout,
     {"kubeflow.elastic.timeout",
      "Fewer than minReplicas for 600 s: torchrun in the pods gives up, and the job with it",
      kTorch}},
    {RuleId::kTerminating,
     {"kubeflow.node.terminating",
      "tolerationSeconds are over: pods of a lost node are deleted, and their names stay taken "
      "until their kubelet is back or their objects are removed",
      kPod}},
    {RuleId::kEndedWhenBack,
     {"kubeflow.node.ends_evicted",
      "A node that lived on behind a cut is reached again: its kubelet ends the pods that were "
      "evicted, and the collectives of the others fail with them",
      kKubernetes}},
}};

static_assert(in_order(kRules), "kRules must be in the order of RuleId");

PolicyInfo make_info() {
  PolicyInfo info;
  info.name = "kubeflow";
  info.profile = kProfiles.front();
  info.summary = "Kubeflow PyTorchJob (V1): pods restarted one by one, by restartPolicy";
  info.states = {"Created", "Running", "Restarting", "Succeeded", "Failed", "Deleted"};
  info.budgets = {"backoffLimit", "maxRestarts"};
  info.rules = rules_of(kRules);
  info.parameters = parameters();
  info.persists = {"restart counts, in the status of pods"};
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

}  // namespace aftershock::policies::kubeflow
