#include "policies/mindcluster/rules.h"

#include "policies/mindcluster/config.h"
#include "policies/parts/rule_table.h"

namespace aftershock::policies::mindcluster {
namespace {

constexpr std::string_view kLevels = "MindCluster 22bb3d9, fault levels of chips (6.1)";
constexpr std::string_view kPlugin =
    "MindCluster 22bb3d9, ascend-device-plugin faultCustomization (6.2)";
constexpr std::string_view kClusterD = "MindCluster 22bb3d9, clusterd manualfault (6.2)";
constexpr std::string_view kLadder = "MindCluster 22bb3d9, recovery ladder (6.4)";
constexpr std::string_view kScheduler =
    "MindCluster 22bb3d9, ascend-for-volcano rescheduling (6.4)";
constexpr std::string_view kReading = "reading of the documentation where it is silent";

constexpr RuleTable<RuleId> kRules{{
    {RuleId::kSubmitted, {"mindcluster.job.submitted", "A new job is queued", kScheduler}},
    {RuleId::kRestored,
     {"mindcluster.job.restored",
      "ClusterD came back: pods that run are left alone, all others are made anew at no cost",
      kReading}},
    {RuleId::kRunning, {"mindcluster.job.running", "Every process runs", kScheduler}},
    {RuleId::kCompleted, {"mindcluster.job.completed", "Every process ended with 0", kScheduler}},
    {RuleId::kStopped, {"mindcluster.job.stopped", "A user terminated the job", kScheduler}},
    {RuleId::kUnschedulable,
     {"mindcluster.job.unschedulable", "A job that no nodes can take waits for them", kScheduler}},
    {RuleId::kNotHandled,
     {"mindcluster.level.not_handled", "NotHandleFault: nothing is done", kLevels}},
    {RuleId::kSubHealthIgnored,
     {"mindcluster.level.sub_health.ignore", "SubHealthFault, subHealthyStrategy ignore: nothing",
      kLevels}},
    {RuleId::kSubHealthExit,
     {"mindcluster.level.sub_health.exit",
      "SubHealthFault, graceExit or forceExit: the job is rescheduled away from the node",
      kLevels}},
    {RuleId::kSubHealthHotSwitch,
     {"mindcluster.level.sub_health.hot_switch",
      "SubHealthFault, hotSwitch: the faulty pod alone is exchanged", kLevels}},
    {RuleId::kPreSeparated,
     {"mindcluster.level.pre_separated",
      "PreSeparateNPU: nothing is placed there any more, and the job that runs is left alone",
      kLevels}},
    {RuleId::kSeparated,
     {"mindcluster.level.separated",
      "RestartRequest to ManuallySeparateNPU: isolated, and the job rescheduled", kLevels}},
    {RuleId::kUnlisted,
     {"mindcluster.level.unlisted",
      "A code that no list has: at most minor is not handled, a network port pre-separated, the "
      "rest separated",
      kLevels}},
    {RuleId::kRelation,
     {"mindcluster.level.relation",
      "Two codes of one chip within 300 s mean more than each by itself", kPlugin}},
    {RuleId::kFrequency,
     {"mindcluster.level.frequency",
      "The code came as often within its window as the device plugin's FaultFrequency says: "
      "ManuallySeparateNPU, and it stays so",
      kPlugin}},
    {RuleId::kDuration,
     {"mindcluster.level.duration",
      "The fault lasts longer than FaultDuration says: PreSeparateNPU", kPlugin}},
    {RuleId::kManual,
     {"mindcluster.level.manually_separated",
      "ClusterD counted the code on this device as often as its threshold within less than its "
      "window: ManuallySeparateNPU, and the count begins anew",
      kClusterD}},
    {RuleId::kSoftwareCode,
     {"mindcluster.level.software",
      "The same code on another device within 30 s: software, which ClusterD does not count",
      kClusterD}},
    {RuleId::kReleased,
     {"mindcluster.node.released",
      "48 h without a fault: what was separated manually is released, and nothing else",
      kClusterD}},
    {RuleId::kNodeLost,
     {"mindcluster.node.lost", "A node's heartbeat is lost: hardware, as all that takes a node",
      kScheduler}},
    {RuleId::kExit,
     {"mindcluster.pod.failed", "A process ended and no hardware says why: PodFailed, software",
      kScheduler}},
    {RuleId::kAllFailed,
     {"mindcluster.pod.all_failed", "All pods failed within seconds: the job fails", kScheduler}},
    {RuleId::kRetriesOff,
     {"mindcluster.retries.off",
      "Without fault-retry-times a pod that failed for software is not recovered", kScheduler}},
    {RuleId::kRetriesExhausted,
     {"mindcluster.retries.exhausted", "fault-retry-times are used up", kScheduler}},
    {RuleId::kBackoffLimit,
     {"mindcluster.backoff_limit", "backoffLimit counts reschedulings of any kind, and is used up",
      kScheduler}},
    {RuleId::kSchedulingOff,
     {"mindcluster.scheduling.off", "fault-scheduling is off: nothing is rescheduled", kScheduler}},
    {RuleId::kRetry,
     {"mindcluster.ladder.retry",
      "Every fault there is can be retried: the step is computed again, processes stay", kLadder}},
    {RuleId::kInPlace,
     {"mindcluster.ladder.recover_in_place",
      "Only processes ended, or chips at RestartRequest or RestartBusiness: they start again where "
      "they were",
      kLadder}},
    {RuleId::kRecover,
     {"mindcluster.ladder.recover",
      "Faulty processes are scheduled elsewhere, and the healthy ones wait for them", kLadder}},
    {RuleId::kDump,
     {"mindcluster.ladder.dump",
      "Healthy processes are asked for a last checkpoint, which is theirs to write", kLadder}},
    {RuleId::kExitStep,
     {"mindcluster.ladder.exit", "Processes exit, and pods are rescheduled", kLadder}},
    {RuleId::kProcessFailed,
     {"mindcluster.ladder.next", "A step of the ladder failed: the next coarser one", kLadder}},
    {RuleId::kPodReschedule,
     {"mindcluster.pod.reschedule", "Faulty pods are made anew, and all others keep theirs",
      kLadder}},
    {RuleId::kPodsRecreated,
     {"mindcluster.pod.recreated", "Processes are gone: the pods are asked for", kLadder}},
    {RuleId::kPodPending,
     {"mindcluster.pod.pending",
      "The new pods found no node within wait-reschedule-timeout: the whole job", kScheduler}},
    {RuleId::kRankZero,
     {"mindcluster.pod.rank_zero", "The pod of rank 0 is at fault: always the whole job",
      kScheduler}},
    {RuleId::kJobReschedule,
     {"mindcluster.job.reschedule",
      "All pods go, with grace-over-time under grace, at once under force", kLadder}},
    {RuleId::kJobStarted, {"mindcluster.job.started", "All pods are made anew", kLadder}},
    {RuleId::kHangReported,
     {"mindcluster.hang.reported",
      "Public fault 200001002, NotHandleFault: a hang is reported and not ended", kLevels}},
    {RuleId::kEventNotCurrent,
     {"mindcluster.event.not_current", "The event is not about what the job has now", kReading}},
    {RuleId::kCommandFailed,
     {"mindcluster.command.failed", "A command could not be carried out as asked", kReading}},
}};

static_assert(in_order(kRules), "kRules must be in the order of RuleId");

std::vector<Parameter> parameters() {
  return {
      {"fault-scheduling", "\"off\", \"grace\" or \"force\"", "", "off",
       "whether jobs are rescheduled, and how their pods go", ""},
      {"pod-rescheduling", "\"off\" or \"on\"", "", "off",
       "faulty pods alone where they may, never that of rank 0", ""},
      {"recover-strategy", "string", "", "none",
       "steps before that, as retry,recover-in-place,recover,dump,exit", ""},
      {"fault-retry-times", "integer", "", "0",
       "0 to 100 reschedulings for software; hardware is without limit", ""},
      {"backoffLimit", "integer or null", "", "null", "reschedulings of any kind", ""},
      {"grace-over-time", "integer", "s", "900", "2 to 3600: how long pods may take to go", ""},
      {"wait-reschedule-timeout", "integer", "s", "270",
       "30 to 270: how long new pods wait for a node before the whole job goes", ""},
      {"subHealthyStrategy", "\"ignore\", \"graceExit\", \"forceExit\" or \"hotSwitch\"", "",
       "ignore", "what is done about a chip that is degraded", ""},
      {"separate-manually", "object", "", "{}",
       "{enabled (true), fault_window_hours (24), fault_threshold (3), fault_free_hours (48, null: "
       "never released)}; what a fault's own level separates waits for its repair",
       ""},
  };
}

PolicyInfo make_info() {
  PolicyInfo info;
  info.name = "mindcluster";
  info.profile = kProfiles.front();
  info.summary = "Huawei MindCluster: fault levels of chips, and a ladder from step to job";
  info.states = {"Pending",         "Running",   "Recovering", "PodRescheduling",
                 "JobRescheduling", "Completed", "Failed",     "Terminated"};
  info.budgets = {"fault-retry-times", "backoffLimit"};
  info.rules = rules_of(kRules);
  info.parameters = parameters();
  info.persists = {
      "retries used, what was separated, and the faults of every chip, which ClusterD really "
      "forgets"};
  info.watches_nodes = true;
  info.isolates = true;
  info.commits_checkpoints = false;
  return info;
}

}  // namespace

const PolicyInfo& policy_info() {
  static const PolicyInfo kInfo = make_info();
  return kInfo;
}

}  // namespace aftershock::policies::mindcluster
