#include "policies/jobset/rules.h"

#include "policies/job/common_rules.h"
#include "policies/jobset/config.h"
#include "policies/parts/rule_table.h"

namespace aftershock::policies::jobset {
namespace {

using job::Common;

constexpr std::string_view kPolicy = "JobSet 0.12.0, pkg/controllers/failure_policy.go";
constexpr std::string_view kController = "JobSet 0.12.0, pkg/controllers/jobset_controller.go";
constexpr std::string_view kInPlace = "JobSet 0.12.0, pkg/controllers/in_place_restart.go";
constexpr std::string_view kJobs = "Kubernetes documentation, Jobs, of each child Job";

template <Common kRule>
constexpr RuleId kOf = static_cast<RuleId>(kRule);

constexpr RuleTable<RuleId> kRules{{
    {kOf<Common::kCreated>,
     {"jobset.created", "A JobSet creates its Jobs, and they their pods", kController}},
    {kOf<Common::kRestored>, {"jobset.restored", job::kRestoredSays, kController}},
    {kOf<Common::kRunning>, {"jobset.running", job::kRunningSays, kController}},
    {kOf<Common::kComplete>,
     {"jobset.complete", "Every Job is Complete (successPolicy All)", kController}},
    {kOf<Common::kDeleted>,
     {"jobset.deleted", "Its user deleted the JobSet, and its Jobs with it", kController}},
    {kOf<Common::kUnschedulable>,
     {"jobset.pods.unschedulable", "Pods that no node can take stay Pending", kJobs}},
    {kOf<Common::kPodEnded>, {"jobset.child.pod_ended", job::kPodEndedSays, job::kSyncSource}},
    {kOf<Common::kPodFailed>,
     {"jobset.child.pod_counted", "A pod that failed counts against its Job's backoffLimit",
      kJobs}},
    {kOf<Common::kPodIgnored>,
     {"jobset.child.pod_ignored",
      "The first rule of its Job's podFailurePolicy that matches says Ignore: it does not count",
      kJobs}},
    {kOf<Common::kIndexFailed>,
     {"jobset.child.index_failed",
      "An index of a Job failed for good: it is not made anew, and the others go on", kJobs}},
    {kOf<Common::kIndexMissing>,
     {"jobset.child.index_missing", job::kIndexMissingSays, job::kGangSource}},
    {kOf<Common::kNodeUnreachable>,
     {"jobset.node.unreachable", job::kNodeUnreachableSays, job::kEvictionSource}},
    {kOf<Common::kEvicted>, {"jobset.pod.evicted", job::kEvictedSays, job::kEvictionSource}},
    {kOf<Common::kReachedAgain>,
     {"jobset.node.reached_again", job::kReachedAgainSays, job::kEvictionSource}},
    {kOf<Common::kFailureTarget>,
     {"jobset.child.failure_target", job::kFailureTargetSays, job::kFailureTargetSource}},
    {kOf<Common::kRecreate>,
     {"jobset.child.pods_recreated", job::kRecreateSays, job::kDelaySource}},
    {kOf<Common::kAllEnded>, {"jobset.gang.ended", job::kAllEndedSays, job::kGangSource}},
    {kOf<Common::kJoined>, {"jobset.gang.joined", job::kJoinedSays, job::kGangSource}},
    {kOf<Common::kStarted>, {"jobset.pods.started", job::kStartedSays, job::kGangSource}},
    {kOf<Common::kStopped>, {"jobset.gang.stopped", job::kStoppedSays, job::kGangSource}},
    {kOf<Common::kTerminating>,
     {"jobset.pod.terminating", job::kTerminatingSays, job::kObjectSource}},
    {kOf<Common::kObjectsGone>, {"jobset.pod.gone", job::kObjectsGoneSays, job::kObjectSource}},
    {kOf<Common::kNotHeard>,
     {"jobset.not_heard", "JobSet knows Jobs: hangs, devices and notices show when a process ends",
      kController}},
    {kOf<Common::kNotCurrent>, {"jobset.event.not_current", job::kNotCurrentSays, kController}},
    {kOf<Common::kCommandFailed>, {"jobset.command.failed", job::kCommandFailedSays, kController}},
    {RuleId::kNoFailurePolicy,
     {"jobset.failure.no_policy",
      "Without failurePolicy the first Job that is Failed fails the set", kPolicy}},
    {RuleId::kRuleMatched,
     {"jobset.failure.rule_matched",
      "The first rule that matches a failed Job by reason, message and target decides; of the Jobs "
      "that match it, the one that failed first is meant",
      kPolicy}},
    {RuleId::kNoRuleMatched,
     {"jobset.failure.no_rule_matched", "No rule matches: RestartJobSet", kPolicy}},
    {RuleId::kFailJobSet, {"jobset.failure.fail_jobset", "FailJobSet: the set is Failed", kPolicy}},
    {RuleId::kRestartJobSet,
     {"jobset.restart.counted", "RestartJobSet: all Jobs are made anew, and that counts", kPolicy}},
    {RuleId::kRestartJobSetIgnored,
     {"jobset.restart.ignored",
      "RestartJobSetAndIgnoreMaxRestarts: all Jobs are made anew, and that does not count",
      kPolicy}},
    {RuleId::kRestartJob,
     {"jobset.restart_job.counted",
      "RestartJob: the Job alone is made anew, and that counts; the pods of all others are left "
      "alone, and fail when they give up their collective",
      kPolicy}},
    {RuleId::kRestartJobIgnored,
     {"jobset.restart_job.ignored",
      "RestartJobAndIgnoreMaxRestarts: the Job alone is made anew, and that does not count",
      kPolicy}},
    {RuleId::kInPlaceRestart,
     {"jobset.restart.in_place",
      "InPlaceRestart: a container that ends, or a pod that is made anew, is another attempt, "
      "which counts, and at which all containers run their script again in place",
      kInPlace}},
    {RuleId::kMaxRestarts,
     {"jobset.failure.max_restarts",
      "As many restarts as maxRestarts have counted: the set is Failed, ReachedMaxRestarts, and "
      "the restart that is refused does not count",
      kPolicy}},
}};

static_assert(in_order(kRules), "kRules must be in the order of RuleId");

std::vector<Parameter> parameters() {
  return {
      {"replicatedJobs", "list", "", "one of all workers, backoffLimit 0",
       "[{name, replicas (1), template: {spec: as of the policy job}}]; ranks go to them in order",
       ""},
      {"featureGates", "object", "", "{}",
       "ours: gates of the controller that are off by default, {RestartJob: true, InPlaceRestart: "
       "true}; without them the API server refuses what they stand for",
       ""},
      {"failurePolicy", "object", "", "none", "none: the first failed Job fails the set", ""},
      {"failurePolicy/maxRestarts", "integer", "", "0", "restarts that may count", ""},
      {"failurePolicy/restartStrategy", "\"Recreate\", \"BlockingRecreate\" or \"InPlaceRestart\"",
       "", "Recreate", "the first two are alike for a gang, which meets when its last pod is there",
       ""},
      {"failurePolicy/rules", "list", "", "[]",
       "[{name, action: FailJobSet, RestartJobSet, RestartJobSetAndIgnoreMaxRestarts, RestartJob "
       "or "
       "RestartJobAndIgnoreMaxRestarts, onJobFailureReasons, onJobFailureMessagePatterns, "
       "targetReplicatedJobs}]; the first that matches counts",
       ""},
  };
}

PolicyInfo make_info() {
  PolicyInfo info;
  info.name = "jobset";
  info.profile = kProfiles.front();
  info.summary = "Kubernetes JobSet: rules say which failed Job restarts the whole set, and counts";
  info.states = {"Pending",   "Running", "Recovering", "Restarting",
                 "Completed", "Failed",  "Deleted"};
  info.budgets = {"maxRestarts"};
  info.rules = rules_of(kRules);
  info.parameters = parameters();
  info.persists = {"everything: it is the status of the JobSet, its Jobs and their pods"};
  info.watches_nodes = true;
  info.pods_are_objects = true;
  info.leaves_peers = true;
  info.commits_checkpoints = false;
  return info;
}

}  // namespace

const PolicyInfo& policy_info() {
  static const PolicyInfo kInfo = make_info();
  return kInfo;
}

}  // namespace aftershock::policies::jobset
