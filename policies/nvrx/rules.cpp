#include "policies/nvrx/rules.h"

#include "policies/nvrx/config.h"
#include "policies/parts/rule_table.h"

namespace aftershock::policies::nvrx {
namespace {

constexpr std::string_view kWrapper = "NVIDIA/nvidia-resiliency-ext, inprocess/wrap.py";
constexpr std::string_view kRetries = "NVIDIA/nvidia-resiliency-ext, inprocess/initialize.py";
constexpr std::string_view kLauncher = "NVIDIA/nvidia-resiliency-ext, fault_tolerance/launcher.py";
constexpr std::string_view kBarrier =
    "NVIDIA/nvidia-resiliency-ext, fault_tolerance/ft_rendezvous_barrier.py";
constexpr std::string_view kSettings = "NVIDIA/nvidia-resiliency-ext, fault_tolerance/config.py";
constexpr std::string_view kHere = "this simulator";

constexpr RuleTable<RuleId> kRules{{
    {RuleId::kStarted,
     {"nvrx.started", "A launcher a node is started, and joins the rendezvous", kLauncher}},
    {RuleId::kTakenUp,
     {"nvrx.taken_up",
      "Launchers that still run go on as they are; of all others a new launch begins", kHere}},
    {RuleId::kHealthy, {"nvrx.healthy", "All ranks run", kLauncher}},
    {RuleId::kSucceeded, {"nvrx.succeeded", "Every rank has returned", kLauncher}},
    {RuleId::kSignal, {"nvrx.signal", "A signal ends launchers and ranks", kLauncher}},
    {RuleId::kHangNotWatched,
     {"nvrx.hang.not_watched",
      "Without the wrapper and without rank_heartbeat_timeout no hang is looked for", kSettings}},
    {RuleId::kPreemptionIgnored,
     {"nvrx.preemption.ignored", "Nobody listens to notices of a preemption", kLauncher}},
    {RuleId::kEventNotCurrent,
     {"nvrx.event.not_current", "The event is of a cycle that is over", kLauncher}},
    {RuleId::kCommandFailed,
     {"nvrx.command.failed", "A command could not be carried out as asked", kHere}},
    {RuleId::kNodeLostJoining,
     {"nvrx.rendezvous.node_lost",
      "A node that is lost while processes end, before all have joined, is replaced by one that "
      "joins; no restart is counted",
      kLauncher}},
    {RuleId::kWorkersStart, {"nvrx.workers_start", "All have met, and ranks begin", kLauncher}},
    {RuleId::kException,
     {"nvrx.in_process.exception",
      "A rank raised: collectives are aborted, and all ranks call the function again in their "
      "processes",
      kWrapper}},
    {RuleId::kSoftTimeout,
     {"nvrx.in_process.soft_timeout", "No progress for soft_timeout: as after an exception",
      kWrapper}},
    {RuleId::kHardTimeout,
     {"nvrx.in_process.hard_timeout",
      "A process has not let go by hard_timeout, or the barrier's, and is killed: the launcher "
      "restarts all of them",
      kWrapper}},
    {RuleId::kTerminated,
     {"nvrx.in_process.terminated",
      "A rank's process ended, and there is no rank in reserve: the wrapper raises to the launcher",
      kWrapper}},
    {RuleId::kMaxIterations,
     {"nvrx.in_process.max_iterations",
      "The function was called max_iterations times in these processes: RestartAbort, and the "
      "launcher restarts them",
      kRetries}},
    {RuleId::kRestart,
     {"nvrx.restart",
      "A cycle is over: all ranks are killed, their memory is waited for, and they meet again",
      kLauncher}},
    {RuleId::kExhausted,
     {"nvrx.exhausted", "No restart is left: the launcher exits with 1", kLauncher}},
    {RuleId::kExitsAlone,
     {"nvrx.exhausted.alone",
      "No restart is left: this launcher exits with 1, and opens no round; the others look for one "
      "and train on until their own workers fail",
      kLauncher}},
    {RuleId::kProgress,
     {"nvrx.cycle.progress", "The cycle has saved a checkpoint: the count of those without is 0",
      kSettings}},
    {RuleId::kNoProgress,
     {"nvrx.cycle.no_progress", "The cycle has saved no checkpoint, and is counted", kSettings}},
    {RuleId::kNoProgressStop,
     {"nvrx.cycle.stop",
      "max_no_progress_cycles in a row, the first one included: exit 93, do not requeue",
      kSettings}},
    {RuleId::kHeartbeat,
     {"nvrx.heartbeat", "Ranks got no further for rank_heartbeat_timeout: a cycle is over",
      kSettings}},
    {RuleId::kNodeLost,
     {"nvrx.node.lost",
      "A node is gone. No keep-alive is read: the cycle is over when the workers of the others "
      "fail",
      kBarrier}},
    {RuleId::kStoreLost,
     {"nvrx.store.lost", "The host of the store is gone, and nobody can meet", kWrapper}},
    {RuleId::kHealthPassed,
     {"nvrx.health.passed", "The fault asks for a restart of the application at most", kHere}},
    {RuleId::kHealthFailed,
     {"nvrx.health.failed", "A node's health check fails while its ranks run: the cycle is over",
      kLauncher}},
    {RuleId::kExcluded,
     {"nvrx.health.excluded", "A node that is not healthy leaves the rendezvous", kLauncher}},
    {RuleId::kTooManyUnhealthy,
     {"nvrx.rendezvous.unhealthy",
      "More nodes are unhealthy than there are spares: the rendezvous is closed for good",
      kBarrier}},
    {RuleId::kTimeout,
     {"nvrx.rendezvous.timeout", "Too few nodes for rdzv_join_timeout: the launchers give up",
      kLauncher}},
    {RuleId::kLauncherEnded,
     {"nvrx.launcher.ended",
      "A launcher was killed or terminated: no keep-alive is read, and its workers, where it has "
      "left them, train on",
      kBarrier}},
    {RuleId::kNoLaunchers,
     {"nvrx.launcher.none_left", "The last launcher has ended: nobody looks after the job", kHere}},
}};

static_assert(in_order(kRules), "kRules must be in the order of RuleId");

PolicyInfo make_info() {
  PolicyInfo info;
  info.name = "nvrx";
  info.profile = kProfiles.front();
  info.summary = "NVIDIA resiliency extension: restarts within processes, then of processes";
  info.states = {"INIT", "HEALTHY", "STOPPED", "SUCCEEDED", "FAILED", "SIGNAL"};
  info.budgets = {"max_restarts", "max_no_progress_cycles", "max_iterations"};
  info.budgets_in_a_row = {static_cast<std::uint16_t>(Budget::kNoProgressCycles),
                           static_cast<std::uint16_t>(Budget::kMaxIterations)};
  info.rules = rules_of(kRules);
  info.parameters = parameters();
  info.persists = {"counts of restarts and cycles, which live on without a controller"};
  info.watches_nodes = true;
  info.isolates = true;
  info.leaves_peers = true;
  info.agents = true;
  info.commits_checkpoints = false;
  return info;
}

}  // namespace

const PolicyInfo& policy_info() {
  static const PolicyInfo kInfo = make_info();
  return kInfo;
}

}  // namespace aftershock::policies::nvrx
