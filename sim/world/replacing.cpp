#include <algorithm>
#include <utility>

#include "sim/workload/stories.h"
#include "sim/world/entries.h"
#include "sim/world/world.h"

// Workers that are replaced while the others of their attempt wait (reference ray.md 1.6), and
// workers that a failed start leaves behind (1.5).
namespace aftershock::sim {

namespace {

using reports::Cause;
using reports::EntityKind;

}  // namespace

void World::replace_workers(Job& job, const policies::ReplaceWorkers& command) {
  if (command.epoch <= job.epoch) {
    refuse(job, command.id, policies::CommandError::kStaleEpoch);
    return;
  }
  if (!has_processes(job) || starting(job) || !job.broken || command.ranks.empty()) {
    refuse(job, command.id, policies::CommandError::kIllegalState);
    return;
  }
  hold_work(job);
  job.replacing = true;
  job.replaced = command.ranks;
  job.failures.clear();
  job.broken = false;
  job.stalled = false;
  recorder_.end(now_us_, job.attempt_span);
  open_attempt(job, command.epoch, {"replaced", static_cast<std::int64_t>(command.ranks.size())});
  queue_up(job, command.placement_wait_us);
}

// Pods that are made anew stay on their node if it takes work again; all others stay in any case.
bool World::place_pods(Job& job) {
  Pool& pool = pools_[spec(job).pool];
  std::vector<std::uint32_t> slots;
  for (std::uint32_t slot = 0; slot < job.placement.slots.size(); ++slot) {
    if (!ranks_on(job, slot).shared_with(job.replaced).empty() &&
        !pool.placeable(job.placement.slots[slot])) {
      slots.push_back(slot);
    }
  }
  if (pool.available() < slots.size()) {
    return false;
  }
  for (const std::uint32_t slot : slots) {
    std::uint32_t& node = job.placement.slots[slot];
    pool.release_one(node, now_us_);
    job.placement.nodes.reset(node);
    node = *pool.take_one(job.index, slot, now_us_);
    job.placement.nodes.set(node);
  }
  return true;
}

// The survivors never let go of their nodes: only those that are lost are exchanged.
bool World::place_replacements(Job& job) {
  Pool& pool = pools_[spec(job).pool];
  const auto lost = std::ranges::count_if(
      job.placement.slots, [&](std::uint32_t node) { return !pool.placeable(node); });
  if (pool.available() < static_cast<std::uint32_t>(lost)) {
    return false;
  }
  pool.release(job.placement, now_us_);
  return pool.take(job.index, static_cast<std::uint32_t>(job.placement.slots.size()), job.placement,
                   now_us_);
}

// The new workers take the state of a peer. Nothing that was done is lost but the step in which the
// others were stopped.
void World::go_on_replaced(Job& job) {
  job.replacing = false;
  const std::int64_t step_us = spec(job).step_us;
  const std::int64_t kept_work_us = job.work_us / step_us * step_us;
  const std::int64_t partial_us = time_for(pace(job), job.work_us - kept_work_us, 0);
  job.ledger->close(now_us_);
  const std::int64_t moved_us =
      job.ledger->roll_back(job.ledger->productive_us(now_us_) - partial_us, job.lost_cause);
  add_lost(job, moved_us);
  job.work_us = kept_work_us;
  const std::int64_t length_us = draw_phase(job, lengths(job).restoring, Purpose::kRestoring);
  if (length_us > 0) {
    set_phase(job, Phase::kRestoring, job.start_cause);
  }
  enter_stage(job, Stage::kWarmingUp,
              length_us + draw_phase(job, lengths(job).warming_up, Purpose::kWarmingUp));
  // What had befallen the others meanwhile shows now.
  for (RankFailure& failure : std::exchange(job.late_failures, {})) {
    failure.visible_us = failure.visible_us ? std::optional(now_us_) : std::nullopt;
    if (!failure.gone) {
      stall(job, failure.fault);
    }
    fail_ranks(job, std::move(failure));
  }
}

// Nobody stopped what had started: its nodes stay reserved, and those of its workers that live
// idle.
void World::leak_group(Job& job) {
  Pool& pool = pools_[spec(job).pool];
  Leak leak;
  leak.since_us = now_us_;
  leak.placement = job.placement;
  leak.accelerators = job.workers;
  Placement gone;
  gone.nodes = NodeBits(pool.size());
  std::erase_if(leak.placement.slots, [&](std::uint32_t node) {
    if (pool.node(node).up && !pool.node(node).known_down) {
      return false;
    }
    leak.placement.nodes.reset(node);
    leak.accelerators -= static_cast<std::int64_t>(ranks_on(job, pool.node(node).slot).size());
    gone.nodes.set(node);
    gone.slots.push_back(node);
    return true;
  });
  pool.release(gone, now_us_);
  job.holding = false;
  job.replacing = false;
  job.failures.clear();
  job.broken = false;
  job.stalled = false;
  if (job.attempt_span != 0) {
    recorder_.end(now_us_, std::exchange(job.attempt_span, 0));
  }
  recorder_.instant(now_us_, {EntityKind::kJob, job.index}, "leaked",
                    {{"nodes", static_cast<std::int64_t>(leak.placement.slots.size())}});
  if (const auto& after_us = scenario_->cluster.reclaim_leaked_us) {
    calendar_.push(now_us_ + *after_us, EntryClass::kCompletion,
                   static_cast<std::uint16_t>(What::kReclaim), job.index, 0, now_us_);
  }
  job.leaks.push_back(std::move(leak));
  enter_stage(job, Stage::kNone, std::nullopt);
}

// All of them, or those of one moment.
void World::free_leaks(Job& job, std::optional<std::int64_t> of_us) {
  std::erase_if(job.leaks, [&](const Leak& leak) {
    if (of_us && leak.since_us != *of_us) {
      return false;
    }
    pools_[spec(job).pool].release(leak.placement, now_us_);
    job.stale_accelerator_us += leak.accelerators * (now_us_ - leak.since_us);
    return true;
  });
}

}  // namespace aftershock::sim
