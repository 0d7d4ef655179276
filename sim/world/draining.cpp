#include "sim/world/draining.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/core/entry_kind.h"
#include "sim/detection/ticks.h"
#include "sim/world/controlling.h"
#include "sim/world/failure.h"
#include "sim/world/names.h"
#include "sim/world/nodes.h"
#include "sim/world/phases.h"
#include "sim/world/training.h"
#include "sim/world/world.h"

namespace aftershock::sim::world {

// Nodes that were announced before the watch began are seen by its first look.
void watch_drains(World& world, workload::Job& job,
                  const std::optional<policies::DrainWatch>& watch) {
  const bool first = watch && !job.pool_watch.drain;
  job.pool_watch.drain = watch;
  if (!first) {
    return;
  }
  const machines::Pool& pool = world.machines.pool(spec(world, job).pool);
  for (const std::uint32_t node : job.placement.slots) {
    if (job.holding && pool.node(node).draining && pool.node(node).up) {
      announce(world, job, pool.node(node).down_fault);
    }
  }
}

void announce(World& world, workload::Job& job, std::uint32_t fault) {
  if (!job.pool_watch.drain) {
    tell_notice(world, job, fault);
    return;
  }
  // Ray's watcher looks every 5 s, and its controller takes up what was found at its next poll
  // (ray.md 1.9).
  const std::int64_t look_us = detection::tick_at_or_after(
      world.now_us(), job.pool_watch.drain->anchor_us, job.pool_watch.drain->period_us);
  world.core.schedule(core::EntryKind::kNoticeSeen,
                      job.detection.watch
                          ? std::max(world.now_us(), job.detection.clock.observes(look_us))
                          : look_us,
                      {.entity = job.index, .epoch = job.epoch, .arg = fault});
}

bool drained_to_its_deadline(const World& world, std::uint32_t number) {
  const faults::FaultRecord& fault = world.faults[number];
  const scenario::FaultEffect& effect = faults::effect_of(world.scenario(), fault);
  return effect.kind == scenario::FaultKind::kPreemption && effect.notice_us &&
         effect.deadline_told && world.now_us() >= fault.t_us + *effect.notice_us;
}

// A platform has ended the pods of a node that it has drained. Ray goes by the deadline.
bool is_preempted(const World& world, const workload::Job& job,
                  const detection::RankFailure& failure) {
  return failure.node && !job.control.host.info().watches_nodes
             ? failure.gone && drained_to_its_deadline(world, failure.fault)
             : failure.preempted;
}

// It is stopped, or what was announced has come.
void end_drain(World& world, workload::Job& job) {
  if (std::exchange(job.pool_watch.draining, false)) {
    leave_instance(world, job, scenario::Phase::kDraining);
  }
}

void tell_notice(World& world, workload::Job& job, std::uint32_t number) {
  const faults::FaultRecord& fault = world.faults[number];
  std::vector<policies::NodeId> nodes;
  policies::RankSet ranks;
  for (std::uint32_t node = fault.node; node < fault.node + fault.nodes; ++node) {
    if (fault.nodes == 1 || holder(world, *fault.pool, node) == &job) {
      nodes.push_back(node_number(world.scenario(), *fault.pool, node));
      ranks.add(ranks_on(world, job, world.machines.pool(*fault.pool).node(node).slot));
    }
  }
  job.pool_watch.notice = number;
  // The job trains on under the notice, so that its phase stays: triggers that wait for this one
  // hear of it.
  if (workload::has_processes(job) && !job.broken &&
      !std::exchange(job.pool_watch.draining, true)) {
    enter_instance(world, job, scenario::Phase::kDraining);
  }
  world.faults.detect(number);
  const std::int64_t deadline_us =
      fault.t_us + faults::effect_of(world.scenario(), fault).notice_us.value_or(0);
  notify(world, job,
         policies::PreemptionNotice{
             .job = job.index,
             .epoch = job.epoch,
             .nodes = std::move(nodes),
             .ranks = std::move(ranks),
             // Clouds need not say when: Ray then reckons with a time of its own (ray.md 1.9).
             .deadline_us =
                 faults::effect_of(world.scenario(), fault).deadline_told ? deadline_us : 0});
  return_on_notice(world, job);
}

}  // namespace aftershock::sim::world
