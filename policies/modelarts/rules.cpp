#include "policies/modelarts/rules.h"

#include <array>
#include <utility>

#include "policies/modelarts/config.h"
#include "policies/parts/rule_table.h"

namespace aftershock::policies::modelarts {
namespace {

constexpr std::string_view kGuide = "ModelArts user guide, training-job fault recovery";
constexpr std::string_view kInPlaceGuide =
    "ModelArts user guide, training-job fault recovery: in-place recovery";
constexpr std::string_view kUnconditionalGuide =
    "ModelArts user guide, training-job fault recovery: unconditional job rescheduling";
constexpr std::string_view kIsolatedGuide =
    "ModelArts user guide, training-job fault recovery: isolated job rescheduling";
constexpr std::string_view kPodGuide =
    "ModelArts user guide, training-job fault recovery: pod rescheduling";
constexpr std::string_view kHangGuide =
    "ModelArts user guide, training-job fault recovery: hang restart";
constexpr std::string_view kMindCluster = "MindCluster, fault levels of chips (6.1)";
constexpr std::string_view kReading = "reading of the user guide where it is silent";

constexpr RuleTable<RuleId> kRules{{
    {RuleId::kSubmitted,
     {"modelarts.job.submitted", "A new job is queued; both counters are 1 in every pod", kGuide}},
    {RuleId::kRestored,
     {"modelarts.job.restored",
      "The control plane came back with what it knew: pods that run are left alone; else the job "
      "is scheduled again, at no cost",
      kReading}},
    {RuleId::kRunning, {"modelarts.job.running", "The boot command runs in every pod", kGuide}},
    {RuleId::kProgress,
     {"modelarts.job.progress", "A new checkpoint interrupts what is counted in a row (A8, A11)",
      kReading}},
    {RuleId::kCompleted,
     {"modelarts.job.completed", "Every process ended with exit code 0", kGuide}},
    {RuleId::kStopped, {"modelarts.job.stopped", "A user terminated the job", kGuide}},
    {RuleId::kChipHint,
     {"modelarts.chip.hint", "A chip fault of severity hint needs no handling", kInPlaceGuide}},
    {RuleId::kChipUnlistedMinor,
     {"modelarts.chip.unlisted_minor",
      "A chip fault that no list knows is left alone when it says that it is minor, or is one of a "
      "network port",
      kMindCluster}},
    {RuleId::kChipGpuApplication,
     {"modelarts.chip.gpu_application",
      "A GPU error that ends its application and no more is left to the exit that follows it",
      "NVIDIA's catalogue of Xids; ModelArts isolation code A050101, level 2 (5.4)"}},
    {RuleId::kAutoRestartOff,
     {"modelarts.auto_restart.off",
      "Without job-retry-num nothing is recovered: an abnormal exit or a hardware fault fails the "
      "job",
      kGuide}},
    {RuleId::kInPlace,
     {"modelarts.in_place.start",
      "A chip fault that can heal: the processes of all containers are killed, the containers "
      "stay; "
      "costs nothing",
      kInPlaceGuide}},
    {RuleId::kInPlaceJoined,
     {"modelarts.in_place.joined", "Another chip that can heal is part of the same recovery (A23)",
      kReading}},
    {RuleId::kSelfHeal,
     {"modelarts.in_place.self_heal",
      "Healing begins when every process of the job is gone, in all containers", kInPlaceGuide}},
    {RuleId::kHealed,
     {"modelarts.in_place.relaunch",
      "All chips are well again: the boot command runs again in all containers", kInPlaceGuide}},
    {RuleId::kHealBeforeScheduling,
     {"modelarts.reschedule.self_heal",
      "A chip whose recovery in place gave way to a rescheduling is healed before anything is "
      "scheduled, when no process of the job is left (A24)",
      kReading}},
    {RuleId::kHealedBeforeScheduling,
     {"modelarts.reschedule.healed", "The chip is well again, or its node may be scheduled on",
      kReading}},
    {RuleId::kNotHealed,
     {"modelarts.in_place.degrade.not_healed",
      "D1: a chip did not heal, so in-place recovery failed and its node is isolated",
      kInPlaceGuide}},
    {RuleId::kUserNotHealed,
     {"modelarts.in_place.degrade.user_code_not_healed",
      "A32: a chip did not heal, but users caused its fault: the job is rescheduled, no node is "
      "isolated",
      kReading}},
    {RuleId::kThirdFault,
     {"modelarts.in_place.degrade.same_code_3_in_24h",
      "D2: the same code for the third time within 24 h on one chip isolates the node",
      kInPlaceGuide}},
    {RuleId::kThirdUserFault,
     {"modelarts.in_place.degrade.user_code_3_in_24h",
      "D3: the third time of a code that users cause only reschedules the job, and isolates "
      "nothing",
      kInPlaceGuide}},
    {RuleId::kIsolateCritical,
     {"modelarts.isolate.critical_chip", "A critical chip fault cannot heal: its node is isolated",
      kInPlaceGuide}},
    {RuleId::kIsolateUnlisted,
     {"modelarts.isolate.unlisted_chip",
      "A chip fault that no list knows isolates its node, unless it says that it is minor",
      kMindCluster}},
    {RuleId::kIsolateGpu,
     {"modelarts.isolate.gpu_chip",
      "A GPU's chip fault is handled as a fault of its node: in-place recovery is for NPUs (A28)",
      kReading}},
    {RuleId::kIsolateNode,
     {"modelarts.isolate.node", "A node that is at fault is isolated before anything is scheduled",
      kIsolatedGuide}},
    {RuleId::kPodReschedule,
     {"modelarts.pod.start",
      "Only the faulty pods are made anew; the job and all other pods stay, their processes are "
      "stopped",
      kPodGuide}},
    {RuleId::kPodsRemoved,
     {"modelarts.pod.remove",
      "The processes are gone; the containers of pods that are to be made anew go with their "
      "volumes",
      kPodGuide}},
    {RuleId::kPodsRecreated,
     {"modelarts.pod.recreate",
      "All others have stopped: new pods are scheduled, and all run the boot command together",
      kPodGuide}},
    {RuleId::kPodJoined,
     {"modelarts.pod.joined", "A16: a second faulty node during pod rescheduling joins it",
      kReading}},
    {RuleId::kPodFailed,
     {"modelarts.pod.degrade.failed",
      "D5: pod rescheduling failed; with its node isolated already, the job is rescheduled "
      "unconditionally",
      kPodGuide}},
    {RuleId::kPodFailedNoSwitch,
     {"modelarts.pod.degrade.not_switched_on",
      "A17: pod rescheduling failed, and unconditional rescheduling is not switched on", kReading}},
    {RuleId::kPodRetriesGone,
     {"modelarts.pod.degrade.retries_gone",
      "A19: without pod-retry-num left the job is rescheduled unconditionally", kReading}},
    {RuleId::kIsolatedReschedule,
     {"modelarts.isolated.start",
      "With the faulty node isolated, all pods are ended and the job is made anew",
      kIsolatedGuide}},
    {RuleId::kContainersRemoved,
     {"modelarts.job.remove_containers",
      "The processes are gone; containers that were kept go with the job", kGuide}},
    {RuleId::kRescheduled,
     {"modelarts.job.reschedule",
      "All pods are gone: the job is queued again, before all others, with its counters moved on",
      kGuide}},
    {RuleId::kLateNodeFault,
     {"modelarts.isolated.late",
      "A node fault that is found while the pods are being ended isolates the node (A21)",
      kIsolatedGuide}},
    {RuleId::kExitHeld,
     {"modelarts.exit.held",
      "An abnormal exit is held for a while, in case a hardware fault explains it (A20)",
      kReading}},
    {RuleId::kExitHardware,
     {"modelarts.exit.hardware", "A hardware fault explains the exit, and is handled in its place",
      kIsolatedGuide}},
    {RuleId::kUnconditionalOff,
     {"modelarts.exit.unconditional_disabled",
      "An abnormal exit without a hardware fault fails the job where unconditional restart is off",
      kGuide}},
    {RuleId::kUnconditional,
     {"modelarts.unconditional.start",
      "An abnormal exit without a hardware fault: all pods are ended and the job is made anew",
      kUnconditionalGuide}},
    {RuleId::kUnconditionalLimit,
     {"modelarts.unconditional.limit",
      "D4: after three in a row the fourth exit is put down to the user's code: the job fails",
      kUnconditionalGuide}},
    {RuleId::kHangNotify,
     {"modelarts.hang.notify", "A hang is only told of where hang restart is off", kHangGuide}},
    {RuleId::kHangIgnored,
     {"modelarts.hang.at_start", "A30: a hang before the first checkpoint is ignored", kReading}},
    {RuleId::kHangHardware,
     {"modelarts.hang.hardware",
      "A hang that comes with a hardware fault, or while one is handled, is that fault's (A25)",
      kHangGuide}},
    {RuleId::kHangRestart,
     {"modelarts.hang.restart",
      "The processes of all containers are killed, the containers stay; costs no job-retry-num",
      kHangGuide}},
    {RuleId::kHangRelaunch,
     {"modelarts.hang.relaunch", "The processes are gone: the boot command runs again",
      kHangGuide}},
    {RuleId::kHangLimit,
     {"modelarts.hang.limit", "D6: after three hang restarts in a row the job fails", kHangGuide}},
    {RuleId::kRetriesExhausted,
     {"modelarts.retry_exhausted", "D7: job-retry-num is used up: the job fails", kGuide}},
    {RuleId::kNoResource,
     {"modelarts.queue.no_resource_timeout",
      "A job that found no healthy nodes for 30 minutes leaves the queue, and fails",
      "ModelArts, fault-tolerance check (5.2)"}},
    {RuleId::kReleased,
     {"modelarts.isolation.released", "A26: 48 h without a fault end an isolation",
      "MindCluster, manual isolation (6.2)"}},
    {RuleId::kEventNotCurrent,
     {"modelarts.event.not_current", "The event says nothing of what the job has now", kReading}},
    {RuleId::kCommandFailed,
     {"modelarts.command.failed", "A command could not be carried out as asked", kReading}},
}};

static_assert(in_order(kRules), "kRules must be in the order of RuleId");

// The exhaustion of a budget of the job's life has no rule of its own: "exhausted(BUDGET)" says it.
constexpr std::array<std::pair<RuleId, EndReason>, 6> kEndings{{
    {RuleId::kAutoRestartOff, EndReason::kRestartsOff},
    {RuleId::kPodFailedNoSwitch, EndReason::kUnconditionalDisabled},
    {RuleId::kUnconditionalOff, EndReason::kUnconditionalDisabled},
    {RuleId::kUnconditionalLimit, EndReason::kUnconditionalLimit},
    {RuleId::kHangLimit, EndReason::kHangLimit},
    {RuleId::kNoResource, EndReason::kNoResource},
}};

std::vector<Parameter> parameters() {
  std::vector<Parameter> parameters{
      {"fault-tolerance/job-retry-num", "string", "", "none",
       "\"1\" to \"128\": switches recovery on, and is how often the job may be rescheduled", ""},
      {"fault-tolerance/job-unconditional-retry", "string", "", "\"false\"",
       "\"true\": reschedule after any abnormal exit", ""},
      {"fault-tolerance/hang-retry", "string", "", "\"false\"", "\"true\": restart hung jobs", ""},
      {"fault-tolerance/pod-retry-num", "string", "", "\"0\"",
       "how often faulty pods alone may be made anew", ""},
      {"metadata", "object", "", "none",
       "the annotations as the body of a request has them: {\"annotations\": {...}}", ""},
      {"MA_FAILOVER_TERMINATION_GRACE_PERIOD_SECONDS", "integer", "s", "-1",
       "in the environment: volumes are unmounted in the background after so long; not positive: "
       "they are waited for",
       ""},
      {"MA_HANG_DETECT_TIME", "integer", "min", "30",
       "in the environment: how long a hang must last, 10 to 720", ""},
      {"hang_poll_s", "number", "s", "60", "the platform looks for hangs so often", ""},
      {"correlation_s", "number", "s", "30",
       "A20: how long an exit is held for a hardware fault that explains it", ""},
      {"queue_limit_s", "number or null", "s", "1800",
       "A22: how long a rescheduled job waits for nodes; null: for ever", ""},
      {"severities", "object", "", "{}",
       "A34: severities by code that replace those of the catalogue", ""},
  };
  for (const ReadingOption& option : reading_options()) {
    parameters.push_back({option.name, option.words, "", option.preset, option.meaning, ""});
  }
  return parameters;
}

PolicyInfo make_info() {
  PolicyInfo info;
  info.name = "modelarts";
  info.profile = kProfiles.front();
  info.summary = "Huawei ModelArts: five strategies from process restart to job rescheduling";
  info.states = {"Queued",        "Starting",         "Running",       "Exit.Held",
                 "Ipr.StopProcs", "Ipr.SelfHeal",     "Ipr.Relaunch",  "Hr.StopProcs",
                 "Hr.Relaunch",   "Pr.StopSurvivors", "Pr.Reschedule", "Job.Teardown",
                 "Job.Start",     "Completed",        "Failed",        "Terminated"};
  info.budgets = {"job-retry-num", "pod-retry-num", "unconditional in a row", "hangs in a row"};
  info.budgets_in_a_row = {static_cast<std::uint16_t>(Budget::kUnconditionalRun),
                           static_cast<std::uint16_t>(Budget::kHangRun)};
  info.rules = rules_of(kRules);
  for (const auto& [rule, why] : kEndings) {
    info.endings.push_back({static_cast<std::uint16_t>(rule), why});
  }
  info.parameters = parameters();
  info.persists = {
      "everything: retries used, what is counted in a row, faults of every chip, "
      "isolated nodes, and the counters of every pod"};
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

}  // namespace aftershock::policies::modelarts
