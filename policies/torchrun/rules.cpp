#include "policies/torchrun/rules.h"

#include "policies/parts/rule_table.h"
#include "policies/torchrun/config.h"

namespace aftershock::policies::torchrun {
namespace {

constexpr std::string_view kAgent = "PyTorch, torch/distributed/elastic/agent/server/api.py";
constexpr std::string_view kRendezvous =
    "PyTorch, torch/distributed/elastic/rendezvous/dynamic_rendezvous.py";
constexpr std::string_view kHere = "this simulator";
constexpr std::string_view kShared =
    "PyTorch, torch/distributed/elastic/rendezvous/dynamic_rendezvous.py: _bootstrap_store_info";

constexpr RuleTable<RuleId> kRules{{
    {RuleId::kStarted,
     {"torchrun.started", "An agent a node is started, and joins the rendezvous", kAgent}},
    {RuleId::kTakenUp,
     {"torchrun.taken_up",
      "Agents that still run go on as they are; of all others a new launch begins", kHere}},
    {RuleId::kHealthy,
     {"torchrun.healthy", "All workers run; every agent looks at its own each monitor_interval",
      kAgent}},
    {RuleId::kSucceeded,
     {"torchrun.succeeded", "Every worker has returned, and the agents with them", kAgent}},
    {RuleId::kSignal, {"torchrun.signal", "A signal ends agents and workers", kAgent}},
    {RuleId::kHangNotWatched,
     {"torchrun.hang.not_watched",
      "No hang is looked for: a collective's own timeout has to end the workers", kAgent}},
    {RuleId::kPreemptionIgnored,
     {"torchrun.preemption.ignored", "Nobody listens to notices of a preemption", kAgent}},
    {RuleId::kEventNotCurrent,
     {"torchrun.event.not_current", "The event is of a round that is over", kRendezvous}},
    {RuleId::kCommandFailed,
     {"torchrun.command.failed", "A command could not be carried out as asked", kHere}},
    {RuleId::kNodeLostJoining,
     {"torchrun.rendezvous.node_lost",
      "A node that is lost before the round is complete is replaced by one that joins; no restart "
      "is counted",
      kRendezvous}},
    {RuleId::kWorkersStart,
     {"torchrun.workers_start", "The agents meet in a new round and start their workers", kAgent}},
    {RuleId::kRestart,
     {"torchrun.restart",
      "A worker failed and its agent has restarts left: it counts one, stops its workers and joins "
      "a new round; the other agents see it wait at their next look, and restart theirs: with a "
      "count where these have failed by then",
      kAgent}},
    {RuleId::kExhausted,
     {"torchrun.exhausted",
      "A worker failed and its agent has no restart left: it stops its workers and exits with an "
      "error, which ends the job",
      kAgent}},
    {RuleId::kNodeDropped,
     {"torchrun.node.dropped",
      "A node whose keep-alives stay away (5 s, three times) is dropped; nobody restarts for that, "
      "as the round is complete",
      kRendezvous}},
    {RuleId::kReachedAgain,
     {"torchrun.node.reached_again",
      "An agent that was dropped is reached again: its workers have run on, and it joins the "
      "others when they meet next",
      kRendezvous}},
    {RuleId::kNodeJoined,
     {"torchrun.membership.joined",
      "A node waits to join: all agents restart their workers, and none counts it", kAgent}},
    {RuleId::kLastCall,
     {"torchrun.rendezvous.last_call",
      "The least number of nodes has joined; others may for last_call_timeout", kRendezvous}},
    {RuleId::kComplete,
     {"torchrun.rendezvous.complete",
      "All nodes that there may be have joined, or the last call is over: the workers start",
      kRendezvous}},
    {RuleId::kTimeout,
     {"torchrun.rendezvous.timeout",
      "Fewer nodes than the least number joined within join_timeout: the agents give up",
      kRendezvous}},
    {RuleId::kExitBarrier,
     {"torchrun.exit_barrier",
      "Agents whose workers have returned wait for the others, and leave when "
      "exit_barrier_timeout has passed",
      kAgent}},
    {RuleId::kStoreLost,
     {"torchrun.store.lost",
      "The first node is lost, and the store of the rendezvous with it: every other agent ends at "
      "its next read of the state",
      "PyTorch, torch/distributed/elastic/rendezvous/c10d_rendezvous_backend.py"}},
    {RuleId::kRestartAlone,
     {"torchrun.static.restart_alone",
      "A worker failed under a static rendezvous: its agent counts a restart and starts its "
      "workers "
      "anew, which wait for the others; nobody else hears of it, and restarts when its own fail",
      "PyTorch, torch/distributed/elastic/rendezvous/static_tcp_rendezvous.py"}},
    {RuleId::kAllAlone,
     {"torchrun.static.all_alone",
      "Under a static rendezvous every agent that is left has restarted its workers alone, and "
      "these "
      "meet",
      "PyTorch, torch/distributed/elastic/rendezvous/static_tcp_rendezvous.py"}},
    {RuleId::kSharedRestart,
     {"torchrun.shared_store.restart",
      "The new workers look for each other by the port and the keys of the first attempt: of 90 "
      "live restarts 26 came up, 25 failed more, and 39 did not (gloo; assumed of all)",
      kShared}},
    {RuleId::kSharedFails,
     {"torchrun.shared_store.fails",
      "The new workers have not found each other: all of them fail, and every agent counts one",
      kShared}},
    {RuleId::kSharedJoin,
     {"torchrun.shared_store.join",
      "An agent that joins waits 60 s for the address of an earlier round, and ends with a "
      "DistStoreError, and the job with it",
      kShared}},
    {RuleId::kAgentEnded,
     {"torchrun.agent.ended",
      "An agent was killed or terminated: no other agent is told, and its workers, where it has "
      "left them, train on",
      kAgent}},
    {RuleId::kNoAgents,
     {"torchrun.agent.none_left", "The last agent has ended: nobody looks after the job", kHere}},
    {RuleId::kClosed,
     {"torchrun.rendezvous.closed",
      "An agent that has left the exit barrier has closed the rendezvous: those that would join a "
      "new round end",
      kRendezvous}},
}};

static_assert(in_order(kRules), "kRules must be in the order of RuleId");

PolicyInfo make_info(std::string_view profile) {
  PolicyInfo info;
  info.name = "torchrun";
  info.profile = profile;
  info.summary = "PyTorch elastic: agents that restart all workers, each with a count of its own";
  info.states = {"INIT", "HEALTHY", "STOPPED", "SUCCEEDED", "FAILED", "SIGNAL"};
  info.budgets = {"max_restarts"};
  info.rules = rules_of(kRules);
  info.parameters = parameters();
  info.persists = {"restarts of every agent, which live on without a controller"};
  info.watches_nodes = true;
  info.leaves_peers = true;
  info.agents = true;
  info.charges_pods = true;  // by their agents
  info.commits_checkpoints = false;
  return info;
}

}  // namespace

const PolicyInfo& policy_info(std::string_view profile) {
  static const PolicyInfo kOwn = make_info(kProfiles.front());
  static const PolicyInfo kShares = make_info(kSharedStore);
  return profile == kSharedStore ? kShares : kOwn;
}

}  // namespace aftershock::policies::torchrun
