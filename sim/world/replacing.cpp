#include <algorithm>
#include <utility>

#include "sim/core/entry_kind.h"
#include "sim/machines/spread.h"
#include "sim/workload/recoveries.h"
#include "sim/workload/unmounting.h"
#include "sim/world/agents.h"
#include "sim/world/controlling.h"
#include "sim/world/failure.h"
#include "sim/world/holdings.h"
#include "sim/world/machine_faults.h"
#include "sim/world/peers.h"
#include "sim/world/phases.h"
#include "sim/world/pods.h"
#include "sim/world/refusal.h"
#include "sim/world/scheduling.h"
#include "sim/world/starting.h"
#include "sim/world/world.h"

// Workers that are replaced while the others of their attempt wait (ray.md 1.6), and
// workers that a failed start leaves behind (1.5).
namespace aftershock::sim::world {

namespace {

using reports::Cause;
using reports::EntityKind;

}  // namespace

void replace_workers(World& world, workload::Job& job, const policies::ReplaceWorkers& command) {
  if (command.epoch <= job.epoch) {
    refuse(world, job, command.id, policies::CommandError::kStaleEpoch);
    return;
  }
  if (!workload::has_processes(job) || workload::starting(job) || !job.broken ||
      command.ranks.empty()) {
    refuse(world, job, command.id, policies::CommandError::kIllegalState);
    return;
  }
  hold_work(world, job);
  job.pods.replacing = true;
  job.pods.replaced = command.ranks;
  job.detection.failures.clear();
  job.broken = false;
  job.breakage.stalled = false;
  world.core.recorder().end(world.now_us(), job.attempt_span);
  open_attempt(world, job, command.epoch,
               {"replaced", static_cast<std::int64_t>(command.ranks.size())});
  queue_up(world, job, command.placement_wait_us);
}

// Pods that are made anew stay on their node if it takes work again; all others stay in any case.
bool place_pods(World& world, workload::Job& job) {
  machines::Pool& pool = world.machines.pool(spec(world, job).pool);
  std::vector<std::uint32_t> slots;
  for (std::uint32_t slot = 0; slot < job.placement.slots.size(); ++slot) {
    if (ranks_on(world, job, slot).overlaps(job.pods.replaced) &&
        (!pool.placeable(job.placement.slots[slot]) ||
         !has_agent(world, job, job.placement.slots[slot]))) {
      slots.push_back(slot);
    }
  }
  const auto count = static_cast<std::uint32_t>(slots.size());
  std::vector<std::uint32_t> others;
  if (const auto& spread = spec(world, job).spread) {
    std::vector<std::uint32_t> kept = job.placement.slots;
    std::erase_if(kept, [&](std::uint32_t node) {
      return std::ranges::any_of(
          slots, [&](std::uint32_t slot) { return job.placement.slots[slot] == node; });
    });
    const auto found = machines::free_within(
        pool, world.scenario().cluster.pools[spec(world, job).pool], *spread, kept, count);
    if (!found) {
      return false;
    }
    others = *found;
  } else if (pool.available() < count) {
    return false;
  }
  for (std::size_t i = 0; i < slots.size(); ++i) {
    std::uint32_t& node = job.placement.slots[slots[i]];
    if (has_agent(world, job, node)) {
      pool.release_one(node, world.now_us());
    } else {
      leave_node(world, job, node);
    }
    job.placement.nodes.reset(node);
    if (others.empty()) {
      node = *pool.take_one(job.index, slots[i], world.now_us());
    } else {
      node = others[i];
      pool.take_node(job.index, slots[i], node, world.now_us());
    }
    job.placement.nodes.set(node);
  }
  job.detection.unwatched = job.detection.unwatched.without(job.pods.replaced);
  return true;
}

// The survivors never let go of their nodes: only those that are lost are exchanged.
bool place_replacements(World& world, workload::Job& job) {
  machines::Pool& pool = world.machines.pool(spec(world, job).pool);
  const auto lost = std::ranges::count_if(
      job.placement.slots, [&](std::uint32_t node) { return !pool.placeable(node); });
  if (pool.available() < static_cast<std::uint32_t>(lost)) {
    return false;
  }
  if (const auto& spread = spec(world, job).spread) {
    std::vector<std::uint32_t> kept = job.placement.slots;
    std::erase_if(kept, [&](std::uint32_t node) { return !pool.placeable(node); });
    if (!machines::free_within(pool, world.scenario().cluster.pools[spec(world, job).pool], *spread,
                               kept, static_cast<std::uint32_t>(lost))) {
      return false;
    }
  }
  pool.release(job.placement, world.now_us());
  return take_gang(world, job, static_cast<std::uint32_t>(job.placement.slots.size()));
}

// All of them or none, by the job's rule of spread where it has one.
bool take_gang(World& world, workload::Job& job, std::uint32_t count) {
  machines::Pool& pool = world.machines.pool(spec(world, job).pool);
  const auto& spread = spec(world, job).spread;
  if (!spread) {
    return pool.take(job.index, count, job.placement, world.now_us());
  }
  auto slots = machines::spread_gang(pool, world.scenario().cluster.pools[spec(world, job).pool],
                                     *spread, count, job.placement);
  if (!slots) {
    return false;
  }
  job.placement.nodes = machines::NodeBits(pool.size());
  for (std::uint32_t slot = 0; slot < count; ++slot) {
    pool.take_node(job.index, slot, (*slots)[slot], world.now_us());
    job.placement.nodes.set((*slots)[slot]);
  }
  job.placement.slots = *std::move(slots);
  return true;
}

// While it waits for nodes for some workers all others are there, and end.
void stop_survivors(World& world, workload::Job& job, const policies::StopWorkers& command) {
  world.queue.leave(job.index);
  job.pods.podless.add(job.pods.replaced);
  const std::size_t leaving = pods_leaving(world, job, command);
  job.pods.kept = command.keep_containers;
  const std::int64_t asked_us =
      draw_phase(world, job, lengths(world, job).tearing_down, chance::Purpose::kTearingDown);
  const std::int64_t length_us =
      workload::unmounted_after_us(spec(world, job).volumes, leaving, command,
                                   command.force ? asked_us : std::min(command.grace_us, asked_us));
  if (length_us > 0) {
    set_phase(world, job, scenario::Phase::kTearingDown, job.start_cause);
  }
  enter_stage(world, job, workload::Stage::kTearingDown, length_us);
}

// The new workers take the state of a peer. Nothing that was done is lost but the step in which the
// others were stopped.
void go_on_replaced(World& world, workload::Job& job) {
  job.pods.replacing = false;
  const std::int64_t step_us = spec(world, job).step_us;
  const std::int64_t kept_work_us = job.training.work_us / step_us * step_us;
  const std::int64_t partial_us =
      workload::time_for(healthy_pace(world, job), job.training.work_us - kept_work_us, 0);
  job.ledger->close(world.now_us());
  const std::int64_t moved_us =
      job.ledger->roll_back(job.ledger->productive_us(world.now_us()) - partial_us, job.lost_cause);
  workload::add_lost(job, moved_us);
  job.training.work_us = kept_work_us;
  const std::int64_t length_us =
      draw_phase(world, job, lengths(world, job).restoring, chance::Purpose::kRestoring);
  if (length_us > 0) {
    set_phase(world, job, scenario::Phase::kRestoring, job.start_cause);
  }
  enter_stage(world, job, workload::Stage::kWarmingUp,
              length_us + draw_phase(world, job, lengths(world, job).warming_up,
                                     chance::Purpose::kWarmingUp));
  // Failures of the other ranks meanwhile show now.
  for (detection::RankFailure& failure : std::exchange(job.detection.late_failures, {})) {
    failure.visible_us = failure.visible_us ? std::optional(world.now_us()) : std::nullopt;
    if (!failure.gone) {
      stall(world, job, failure.fault, failure.node ? PeerLoss::kCutOff : PeerLoss::kHangs);
    }
    fail_ranks(world, job, std::move(failure));
  }
}

// Nobody stopped what had started: its nodes stay reserved, and those of its workers that live
// idle.
void leak_group(World& world, workload::Job& job) {
  machines::Pool& pool = world.machines.pool(spec(world, job).pool);
  workload::Leak leak;
  leak.since_us = world.now_us();
  leak.placement = job.placement;
  leak.accelerators = job.workers;
  machines::Placement gone;
  gone.nodes = machines::NodeBits(pool.size());
  std::erase_if(leak.placement.slots, [&](std::uint32_t node) {
    if (pool.node(node).up && !pool.node(node).known_down) {
      return false;
    }
    leak.placement.nodes.reset(node);
    leak.accelerators -=
        static_cast<std::int64_t>(ranks_on(world, job, pool.node(node).slot).size());
    gone.nodes.set(node);
    gone.slots.push_back(node);
    return true;
  });
  pool.release(gone, world.now_us());
  job.holding = false;
  job.pods.replacing = false;
  job.detection.failures.clear();
  job.broken = false;
  job.breakage.stalled = false;
  if (job.attempt_span != 0) {
    world.core.recorder().end(world.now_us(), std::exchange(job.attempt_span, 0));
  }
  world.core.recorder().instant(
      world.now_us(), {EntityKind::kJob, job.index}, "leaked",
      {{"nodes", static_cast<std::int64_t>(leak.placement.slots.size())}});
  if (const auto& after_us = world.scenario().cluster.reclaim_leaked_us) {
    world.core.schedule(core::EntryKind::kReclaim, world.now_us() + *after_us,
                        {.entity = job.index, .arg = world.now_us()});
  }
  job.pods.leaks.push_back(std::move(leak));
  record_holdings(world, job);
  enter_stage(world, job, workload::Stage::kNone, std::nullopt);
}

// All of them, or those of one moment.
void free_leaks(World& world, workload::Job& job, std::optional<std::int64_t> of_us) {
  std::erase_if(job.pods.leaks, [&](const workload::Leak& leak) {
    if (of_us && leak.since_us != *of_us) {
      return false;
    }
    world.machines.pool(spec(world, job).pool).release(leak.placement, world.now_us());
    job.account.stale_accelerator_us += leak.accelerators * (world.now_us() - leak.since_us);
    return true;
  });
  record_holdings(world, job);
}

}  // namespace aftershock::sim::world
