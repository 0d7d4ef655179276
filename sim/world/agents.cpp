#include "sim/world/agents.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/chance/draws.h"
#include "sim/world/controlling.h"
#include "sim/world/failure.h"
#include "sim/world/injection.h"
#include "sim/world/names.h"
#include "sim/world/peers.h"
#include "sim/world/starting.h"
#include "sim/world/world.h"

// Agents that end apart from their nodes.
namespace aftershock::sim::world {

namespace {

policies::RankSet gone_ranks(const workload::Job& job) {
  policies::RankSet gone;
  for (const detection::RankFailure& failure : job.detection.failures) {
    gone.add(failure.gone ? failure.ranks : policies::RankSet());
  }
  return gone;
}

// They get its SIGTERM and are gone, and nobody is left to say so.
void end_workers(World& world, workload::Job& job, std::uint32_t number,
                 const policies::RankSet& ranks) {
  detection::RankFailure failure;
  failure.ranks = ranks.without(gone_ranks(job));
  if (failure.ranks.empty()) {
    return;
  }
  failure.kind = policies::WorkerFailure::kExit;
  failure.exit_code = 143;  // as a shell reports a process that SIGTERM ended
  failure.fault = number;
  fail_ranks(world, job, std::move(failure));
}

}  // namespace

bool end_agent(World& world, std::uint32_t number) {
  const faults::FaultRecord fault = world.faults[number];
  workload::Job& job = world.jobs[*fault.job];
  if (!fault.pool || !world.machines.pool(*fault.pool).node(fault.node).up ||
      !job.control.host.info().agents || !job.control.driver_up ||
      !has_agent(world, job, fault.node)) {
    return false;
  }
  fire(world, number);
  const std::uint32_t slot = world.machines.pool(*fault.pool).node(fault.node).slot;
  const policies::RankSet ranks = ranks_on(world, job, slot);
  job.detection.unwatched.add(ranks);
  const bool terminated = faults::effect_of(world.scenario(), fault).terminated;
  notify(world, job,
         policies::AgentEnded{
             .job = job.index,
             .node = node_number(world.scenario(), *fault.pool, fault.node),
             .ranks = ranks,
             .signal = terminated ? policies::EndSignal::kTerminate : policies::EndSignal::kKill});
  if (terminated) {
    end_workers(world, job, number, ranks);
  }
  return true;
}

void end_agent_with_node(World& world, workload::Job& job, std::uint32_t node) {
  if (!job.control.driver_up || !has_agent(world, job, node)) {
    return;
  }
  const std::uint32_t pool = spec(world, job).pool;
  notify(
      world, job,
      policies::AgentEnded{.job = job.index,
                           .node = node_number(world.scenario(), pool, node),
                           .ranks = ranks_on(world, job, world.machines.pool(pool).node(node).slot),
                           .with_node = true});
}

// Those whose collective has not given up yet find its other ends closed.
void see_left_behind(World& world, std::uint32_t fault) {
  for (const orphans::Zombies& zombies : world.orphans.behind(fault)) {
    workload::Job& job = world.jobs[zombies.job];
    const machines::Node& node = world.machines.pool(spec(world, job).pool).node(zombies.node);
    if (zombies.watched.empty() || !node.up || node.cut || workload::has_processes(job) ||
        !job.control.driver_up || job.stage == workload::Stage::kEnded) {
      continue;
    }
    const bool gave_up = zombies.until_us && *zombies.until_us <= world.now_us();
    notify(world, job,
           policies::WorkersFailed{.job = job.index,
                                   .epoch = zombies.epoch,
                                   .ranks = zombies.watched,
                                   .kind = gave_up ? policies::WorkerFailure::kCollectiveTimeout
                                                   : policies::WorkerFailure::kExit,
                                   .exit_code = gave_up ? 0 : 1,
                                   .preempted = false,
                                   .error = {}});
  }
}

// The first launch is of containers and agents, too: what it has beyond a later one is theirs.
std::optional<std::int64_t> workers_launched_us(const World& world, const workload::Job& job,
                                                std::int64_t length_us) {
  if (!job.control.host.info().agents) {
    return std::nullopt;
  }
  const std::int64_t workers_us = draw_phase(world, job, spec(world, job).restart_phases.launching,
                                             chance::Purpose::kLaunching);
  return world.now_us() + std::max<std::int64_t>(0, length_us - workers_us);
}

bool has_agent(const World& world, const workload::Job& job, std::uint32_t node) {
  if (job.detection.unwatched.empty()) {
    return true;
  }
  const auto slot = std::ranges::find(job.placement.slots, node);
  return slot == job.placement.slots.end() ||
         !job.detection.unwatched.overlaps(
             ranks_on(world, job, static_cast<std::uint32_t>(slot - job.placement.slots.begin())));
}

std::optional<std::uint32_t> ended_agent(const World& world, const workload::Job& job) {
  if (job.detection.unwatched.empty()) {
    return std::nullopt;
  }
  for (std::size_t number = world.faults.records().size(); number > 0; --number) {
    const faults::FaultRecord& fault = world.faults[number - 1];
    if (fault.fired && fault.job == job.index &&
        world.scenario().faults[fault.spec].target.kind == scenario::TargetKind::kAgent) {
      return static_cast<std::uint32_t>(number - 1);
    }
  }
  return std::nullopt;
}

policies::RankSet orphaned(const workload::Job& job) {
  return job.detection.unwatched.without(gone_ranks(job));
}

void leave_orphans(World& world, workload::Job& job) {
  const policies::RankSet ranks = orphaned(job);
  if (ranks.empty()) {
    return;
  }
  // The others have ended now, where they were not what these waited for already.
  const auto gone_us = peers_gone_after_us(world, job, PeerLoss::kEnded);
  for (std::uint32_t slot = 0; slot < job.placement.slots.size(); ++slot) {
    const policies::RankSet on_node = ranks_on(world, job, slot);
    const policies::RankSet left = on_node.without(on_node.without(ranks));
    if (!left.empty()) {
      world.orphans.leave(
          {.job = job.index,
           .fault = job.breakage.broken_fault,
           .node = job.placement.slots[slot],
           .accelerators = static_cast<std::int64_t>(left.size()),
           .since_us = world.now_us(),
           .until_us = gone_us ? std::optional(world.now_us() + *gone_us) : std::nullopt});
    }
  }
}

void leave_node(World& world, workload::Job& job, std::uint32_t node) {
  workload::Leak leak;
  leak.since_us = world.now_us();
  leak.placement.nodes = machines::NodeBits(world.machines.pool(spec(world, job).pool).size());
  leak.placement.nodes.set(node);
  leak.placement.slots.push_back(node);
  job.pods.leaks.push_back(std::move(leak));
}

void leave_nodes(World& world, workload::Job& job) {
  std::vector<std::uint32_t> left;
  std::ranges::copy_if(job.placement.slots, std::back_inserter(left),
                       [&](std::uint32_t node) { return !has_agent(world, job, node); });
  for (const std::uint32_t node : left) {
    leave_node(world, job, node);
    job.placement.nodes.reset(node);
  }
  std::erase_if(job.placement.slots,
                [&](std::uint32_t node) { return std::ranges::find(left, node) != left.end(); });
  job.detection.unwatched = {};
}

}  // namespace aftershock::sim::world
