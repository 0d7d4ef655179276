#include "policies/job/rules.h"

#include "policies/job/common_rules.h"
#include "policies/job/config.h"
#include "policies/parts/rule_table.h"

namespace aftershock::policies::job {
namespace {

constexpr std::string_view kJobs = "Kubernetes documentation, Jobs";
constexpr std::string_view kBackoff =
    "Kubernetes documentation, Jobs: pod backoff failure policy; "
    "pkg/controller/job/backoff_utils.go";
constexpr std::string_view kPodPolicy = "Kubernetes documentation, Jobs: pod failure policy";
constexpr std::string_view kPerIndex = "Kubernetes documentation, Jobs: backoff limit per index";

template <Common kRule>
constexpr RuleId kOf = static_cast<RuleId>(kRule);

constexpr RuleTable<RuleId> kRules{{
    {kOf<Common::kCreated>,
     {"job.created", "A Job creates all its pods; they start when each has a node", kJobs}},
    {kOf<Common::kRestored>, {"job.restored", kRestoredSays, kJobs}},
    {kOf<Common::kRunning>, {"job.running", kRunningSays, kJobs}},
    {kOf<Common::kComplete>, {"job.complete", "Every pod ended with exit code 0", kJobs}},
    {kOf<Common::kDeleted>,
     {"job.deleted", "Its user deleted the Job, and its pods with it", kJobs}},
    {kOf<Common::kUnschedulable>,
     {"job.pods.unschedulable",
      "Pods that no node can take stay Pending: only activeDeadlineSeconds ends that", kJobs}},
    {kOf<Common::kPodEnded>, {"job.pod.ended", kPodEndedSays, kSyncSource}},
    {kOf<Common::kPodFailed>,
     {"job.pod.counted",
      "A pod that failed counts against backoffLimit, each pod by itself, whatever became of the "
      "others",
      kBackoff}},
    {kOf<Common::kPodIgnored>,
     {"job.pod.ignored",
      "The first rule of podFailurePolicy that matches says Ignore: the pod is made anew and does "
      "not count",
      kPodPolicy}},
    {kOf<Common::kIndexFailed>,
     {"job.index.failed",
      "An index failed more often than backoffLimitPerIndex, or by FailIndex: it is not made anew, "
      "and the others go on",
      kPerIndex}},
    {kOf<Common::kIndexMissing>, {"job.index.missing", kIndexMissingSays, kGangSource}},
    {kOf<Common::kNodeUnreachable>,
     {"job.node.unreachable", kNodeUnreachableSays, kEvictionSource}},
    {kOf<Common::kEvicted>, {"job.pod.evicted", kEvictedSays, kEvictionSource}},
    {kOf<Common::kReachedAgain>, {"job.node.reached_again", kReachedAgainSays, kEvictionSource}},
    {kOf<Common::kFailureTarget>, {"job.failure_target", kFailureTargetSays, kFailureTargetSource}},
    {kOf<Common::kRecreate>, {"job.pods.recreated", kRecreateSays, kDelaySource}},
    {kOf<Common::kAllEnded>, {"job.gang.ended", kAllEndedSays, kGangSource}},
    {kOf<Common::kJoined>, {"job.gang.joined", kJoinedSays, kGangSource}},
    {kOf<Common::kStarted>, {"job.pods.started", kStartedSays, kGangSource}},
    {kOf<Common::kStopped>, {"job.gang.stopped", kStoppedSays, kGangSource}},
    {kOf<Common::kTerminating>, {"job.pod.terminating", kTerminatingSays, kObjectSource}},
    {kOf<Common::kObjectsGone>, {"job.pod.gone", kObjectsGoneSays, kObjectSource}},
    {kOf<Common::kNotHeard>,
     {"job.not_heard",
      "The Job controller knows pods: hangs, devices and notices show when a process ends", kJobs}},
    {kOf<Common::kNotCurrent>, {"job.event.not_current", kNotCurrentSays, kJobs}},
    {kOf<Common::kCommandFailed>, {"job.command.failed", kCommandFailedSays, kJobs}},
    {RuleId::kFailJob,
     {"job.failed.pod_failure_policy",
      "The first rule of podFailurePolicy that matches says FailJob, and its active pods are gone: "
      "the Job is Failed, "
      "PodFailurePolicy",
      kPodPolicy}},
    {RuleId::kBackoffLimit,
     {"job.failed.backoff_limit",
      "More pods failed than backoffLimit: the Job is Failed, BackoffLimitExceeded", kBackoff}},
    {RuleId::kMaxFailedIndexes,
     {"job.failed.max_failed_indexes",
      "More indexes failed than maxFailedIndexes: the Job is Failed, MaxFailedIndexesExceeded",
      kPerIndex}},
    {RuleId::kFailedIndexes,
     {"job.failed.failed_indexes", "Every index has failed: the Job is Failed, FailedIndexes",
      kPerIndex}},
    {RuleId::kDeadline,
     {"job.failed.deadline",
      "activeDeadlineSeconds are over, however many failures are left: the Job is Failed, "
      "DeadlineExceeded",
      kJobs}},
}};

static_assert(in_order(kRules), "kRules must be in the order of RuleId");

std::vector<Parameter> parameters() {
  return {
      {"backoffLimit", "integer", "pods", "6",
       "pods that may fail; without limit where backoffLimitPerIndex is given", ""},
      {"backoffLimitPerIndex", "integer", "pods", "none",
       "how often the pod of one index may fail; wants completionMode Indexed", ""},
      {"maxFailedIndexes", "integer", "indexes", "none", "indexes that may fail", ""},
      {"completionMode", "\"NonIndexed\" or \"Indexed\"", "", "NonIndexed",
       "whether pods are numbered", ""},
      {"completions, parallelism", "integer", "pods", "one for every worker",
       "pods of the job, all at once; each has its share of the workers", ""},
      {"activeDeadlineSeconds", "integer", "s", "none",
       "how long the Job may be active, from its first pods on", ""},
      {"podFailurePolicy", "object", "", "none",
       "{rules: [{action: FailJob, FailIndex, Ignore or Count, and onExitCodes: {operator: In or "
       "NotIn, values} or onPodConditions: [{type: DisruptionTarget}]}]}; the first that matches "
       "counts",
       ""},
      {"podReplacementPolicy", "\"TerminatingOrFailed\" or \"Failed\"", "", "TerminatingOrFailed",
       "Failed: a pod of a lost node has failed when it is gone (node_object of the cluster), and "
       "not when it is evicted; so it is with a podFailurePolicy",
       ""},
      {"template", "object", "", "none",
       "{spec: {restartPolicy: Never, terminationGracePeriodSeconds (30), tolerations: [{key: "
       "node.kubernetes.io/unreachable, tolerationSeconds (300)}]}}",
       ""},
  };
}

PolicyInfo make_info() {
  PolicyInfo info;
  info.name = "job";
  info.profile = kProfiles.front();
  info.summary = "Kubernetes Job: pods are made anew one by one, and each failure counts";
  info.states = {"Pending",  "Running", "Recovering", "Terminating",
                 "Complete", "Failed",  "Deleted"};
  info.budgets = {"backoffLimit", "maxFailedIndexes"};
  info.rules = rules_of(kRules);
  info.parameters = parameters();
  info.persists = {"everything: it is the status of the Job and its pods"};
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

}  // namespace aftershock::policies::job
