#include <algorithm>
#include <utility>

#include "sim/core/entry_kind.h"
#include "sim/detection/ticks.h"
#include "sim/world/agents.h"
#include "sim/world/controlling.h"
#include "sim/world/failure.h"
#include "sim/world/names.h"
#include "sim/world/nodes.h"
#include "sim/world/phases.h"
#include "sim/world/scheduling.h"
#include "sim/world/world.h"

// News of its pool for a job that watches capacity.
namespace aftershock::sim::world {

namespace {

using reports::Cause;

// One worker an accelerator, node by node: those that it holds and those that are free.
std::uint32_t possible_workers(const World& world, const workload::Job& job) {
  const machines::Pool& pool = world.machines.pool(spec(world, job).pool);
  std::uint64_t nodes = pool.available();
  // A node of its own that is known to be lost, or to go, counts no more.
  if (job.holding) {
    const bool all_there = job.detection.unwatched.empty();
    nodes += static_cast<std::uint64_t>(
        std::ranges::count_if(job.placement.slots, [&](std::uint32_t node) {
          return pool.placeable(node) && (all_there || has_agent(world, job, node));
        }));
  }
  const std::uint64_t workers =
      nodes * world.scenario().cluster.pools[spec(world, job).pool].accelerators_per_node;
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(workers, job.pool_watch.capacity->workers));
}

}  // namespace

void watch_capacity(World& world, workload::Job& job,
                    const std::optional<policies::CapacityWatch>& watch) {
  const bool watched = job.pool_watch.capacity.has_value();
  const bool first = watch && !watched;
  job.pool_watch.capacity = watch;
  if (!watch) {
    job.pool_watch.capacity_told.reset();
    if (watched) {
      world.capacity_watchers.remove(job.index);
    }
    return;
  }
  if (first) {
    world.capacity_watchers.add(job.index);
  }
  if (first && !job.pool_watch.capacity_look_pending) {
    job.pool_watch.capacity_look_pending = true;
    world.core.schedule(core::EntryKind::kCapacityLook, std::max(world.now_us(), watch->anchor_us),
                        {.entity = job.index});
  }
}

// Somebody who asks every second sees it at the next second, so only that look is played.
void capacity_changed(World& world, std::uint32_t pool) {
  for (const std::uint32_t index : world.capacity_watchers.jobs()) {
    workload::Job& job = world.jobs[index];
    if (job.pool_watch.capacity_look_pending || spec(world, job).pool != pool) {
      continue;
    }
    job.pool_watch.capacity_look_pending = true;
    world.core.schedule(
        core::EntryKind::kCapacityLook,
        detection::tick_at_or_after(world.now_us(), job.pool_watch.capacity->anchor_us,
                                    job.pool_watch.capacity->query_period_us),
        {.entity = job.index});
  }
}

void look_at_capacity(World& world, workload::Job& job) {
  job.pool_watch.capacity_look_pending = false;
  if (!job.pool_watch.capacity || job.stage == workload::Stage::kEnded) {
    return;
  }
  std::uint32_t possible = possible_workers(world, job);
  if (possible < job.pool_watch.capacity->workers &&
      world.scenario().cluster.pools[spec(world, job).pool].replacement !=
          scenario::Replacement::kNone) {
    const std::int64_t request_us =
        detection::tick_at_or_after(world.now_us(), job.pool_watch.capacity->anchor_us,
                                    job.pool_watch.capacity->request_period_us);
    // An autoscaler is asked at a slower beat than nodes are counted, so that the next beat is
    // played for that alone.
    if (request_us == world.now_us()) {
      ask_replacements(world, job);
      // A pool that replaces at once has them already.
      possible = possible_workers(world, job);
    } else if (!job.pool_watch.capacity_look_pending) {
      job.pool_watch.capacity_look_pending = true;
      world.core.schedule(core::EntryKind::kCapacityLook, request_us, {.entity = job.index});
    }
  }
  if (job.pool_watch.capacity_told != possible) {
    job.pool_watch.capacity_told = possible;
    world.checker.room(job);
    notify(world, job, policies::CapacityChanged{.job = job.index, .workers = possible});
  }
}

// Its policy starts nothing until there is more: that is waiting, even with survivors that go on
// holding their nodes.
void wait_for_capacity(World& world, workload::Job& job) {
  const bool broken =
      job.broken && (job.detection.start_failure_told ||
                     std::ranges::any_of(job.detection.failures, &detection::RankFailure::told));
  if (!job.pool_watch.capacity || !job.control.driver_up ||
      (job.stage != workload::Stage::kNone && !broken) ||
      job.stage == workload::Stage::kTearingDown || job.stage == workload::Stage::kEnded) {
    return;
  }
  if (job.pool_watch.capacity_told &&
      *job.pool_watch.capacity_told < world.checker.least_workers(job.index)) {
    world.moments.add(RareMoment::kTooSmall);
  }
  const bool coming = world.machines.pool(spec(world, job).pool).provisioning() > 0;
  const Cause cause = job.start_cause.is_fault() ? job.start_cause : Cause::queue();
  set_phase(world, job,
            coming ? scenario::Phase::kProvisioning : scenario::Phase::kWaitingForCapacity, cause);
}

// Nobody is there to be told.
void stop_watching(World& world, workload::Job& job) {
  watch_capacity(world, job, std::nullopt);
  job.detection.watch.reset();
  job.pool_watch.drain.reset();
  job.detection.hang.reset();
  job.detection.progress.reset();
  job.control.wake_us.reset();
  plan_poll(world, job);
}

}  // namespace aftershock::sim::world
