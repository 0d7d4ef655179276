#include <algorithm>
#include <utility>

#include "sim/core/entry_kind.h"
#include "sim/detection/ticks.h"
#include "sim/world/names.h"
#include "sim/world/world.h"

// What a job that watches capacity, or drains, is told of its pool.
namespace aftershock::sim {

namespace {

using reports::Cause;

}  // namespace

// One worker an accelerator, node by node: those that it holds and those that are free.
std::uint32_t WorldState::possible_workers(const Job& job) const {
  const Pool& pool = machines_.pool(spec(job).pool);
  std::uint64_t nodes = pool.available();
  if (job.holding) {
    nodes += static_cast<std::uint64_t>(std::ranges::count_if(
        job.placement.slots, [&](std::uint32_t node) { return pool.placeable(node); }));
  }
  const std::uint64_t workers =
      nodes * core_.scenario().cluster.pools[spec(job).pool].accelerators_per_node;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(workers, job.capacity->workers));
}

void World::watch_capacity(Job& job, const std::optional<policies::CapacityWatch>& watch) {
  const bool first = watch && !job.capacity;
  job.capacity = watch;
  if (!watch) {
    job.capacity_told.reset();
    return;
  }
  if (first && !job.capacity_look_pending) {
    job.capacity_look_pending = true;
    core_.schedule(EntryKind::kCapacityLook, std::max(core_.now_us(), watch->anchor_us),
                   {.entity = job.index});
  }
}

// Somebody who asks every second sees it at the next second, so only that look is played.
void World::capacity_changed(std::uint32_t pool) {
  for (Job& job : jobs_) {
    if (!job.capacity || job.capacity_look_pending || spec(job).pool != pool) {
      continue;
    }
    job.capacity_look_pending = true;
    core_.schedule(
        EntryKind::kCapacityLook,
        tick_at_or_after(core_.now_us(), job.capacity->anchor_us, job.capacity->query_period_us),
        {.entity = job.index});
  }
}

void World::look_at_capacity(Job& job) {
  job.capacity_look_pending = false;
  if (!job.capacity || job.stage == Stage::kEnded) {
    return;
  }
  std::uint32_t possible = possible_workers(job);
  if (possible < job.capacity->workers &&
      core_.scenario().cluster.pools[spec(job).pool].replacement != Replacement::kNone) {
    const std::int64_t request_us =
        tick_at_or_after(core_.now_us(), job.capacity->anchor_us, job.capacity->request_period_us);
    if (request_us == core_.now_us()) {
      ask_replacements(job);
      possible = possible_workers(job);
    } else if (!job.capacity_look_pending) {
      job.capacity_look_pending = true;
      core_.schedule(EntryKind::kCapacityLook, request_us, {.entity = job.index});
    }
  }
  if (job.capacity_told != possible) {
    job.capacity_told = possible;
    checker_.room(job);
    notify(job, policies::CapacityChanged{.job = job.index, .workers = possible});
  }
}

// Its policy starts nothing until there is more: that is waiting, even with survivors that go on
// holding their nodes.
void World::wait_for_capacity(Job& job) {
  const bool broken = job.broken && (job.start_failure_told ||
                                     std::ranges::any_of(job.failures, &RankFailure::told));
  if (!job.capacity || !job.driver_up || (job.stage != Stage::kNone && !broken) ||
      job.stage == Stage::kTearingDown || job.stage == Stage::kEnded) {
    return;
  }
  if (job.capacity_told && *job.capacity_told < checker_.least_workers(job.index)) {
    moments_.add(RareMoment::kTooSmall);
  }
  const bool coming = machines_.pool(spec(job).pool).provisioning() > 0;
  const Cause cause = job.start_cause.is_fault() ? job.start_cause : Cause::queue();
  set_phase(job, coming ? Phase::kProvisioning : Phase::kWaitingForCapacity, cause);
}

// Nodes that were announced before the watch began are seen by its first look.
void World::watch_drains(Job& job, const std::optional<policies::DrainWatch>& watch) {
  const bool first = watch && !job.drain;
  job.drain = watch;
  if (!first) {
    return;
  }
  const Pool& pool = machines_.pool(spec(job).pool);
  for (const std::uint32_t node : job.placement.slots) {
    if (job.holding && pool.node(node).draining && pool.node(node).up) {
      announce(job, pool.node(node).down_fault);
    }
  }
}

// Nobody is there to be told.
void World::stop_watching(Job& job) {
  watch_capacity(job, std::nullopt);
  job.watch.reset();
  job.drain.reset();
  job.hang.reset();
  job.progress.reset();
  job.wake_us.reset();
  plan_poll(job);
}

void World::announce(Job& job, std::uint32_t fault) {
  if (!job.drain) {
    tell_notice(job, fault);
    return;
  }
  const std::int64_t look_us =
      tick_at_or_after(core_.now_us(), job.drain->anchor_us, job.drain->period_us);
  core_.schedule(EntryKind::kNoticeSeen,
                 job.watch ? std::max(core_.now_us(), job.clock.observes(look_us)) : look_us,
                 {.entity = job.index, .epoch = job.epoch, .arg = fault});
}

// It is stopped, or what was announced has come.
void World::end_drain(Job& job) {
  if (std::exchange(job.draining, false)) {
    leave_instance(job, Phase::kDraining);
  }
}

void World::tell_notice(Job& job, std::uint32_t number) {
  const FaultRecord& fault = faults_[number];
  std::vector<policies::NodeId> nodes;
  policies::RankSet ranks;
  for (std::uint32_t node = fault.node; node < fault.node + fault.nodes; ++node) {
    if (fault.nodes == 1 || holder(*fault.pool, node) == &job) {
      nodes.push_back(node_number(core_.scenario(), *fault.pool, node));
      ranks.add(ranks_on(job, machines_.pool(*fault.pool).node(node).slot));
    }
  }
  job.notice = number;
  if (has_processes(job) && !job.broken && !std::exchange(job.draining, true)) {
    enter_instance(job, Phase::kDraining);
  }
  faults_.detect(number);
  const std::int64_t deadline_us = fault.t_us + effect_of(fault).notice_us.value_or(0);
  notify(job, policies::PreemptionNotice{
                  .job = job.index,
                  .epoch = job.epoch,
                  .nodes = std::move(nodes),
                  .ranks = std::move(ranks),
                  .deadline_us = effect_of(fault).deadline_told ? deadline_us : 0});
}

}  // namespace aftershock::sim
