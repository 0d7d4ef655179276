#include <algorithm>

#include "policies/api/assert.h"
#include "sim/core/entry_kind.h"
#include "sim/detection/heartbeat.h"
#include "sim/faults/source.h"
#include "sim/world/local_files.h"
#include "sim/world/machine_trouble.h"
#include "sim/world/names.h"
#include "sim/world/world.h"

// The fate of nodes: down, declared dead, repaired, replaced.
namespace aftershock::sim {

namespace {

using reports::Entity;
using reports::EntityKind;

}  // namespace

const Job* WorldState::holder(std::uint32_t pool, std::uint32_t node) const {
  if (!machines_.pool(pool).taken(node)) {
    return nullptr;
  }
  const std::uint32_t index = machines_.pool(pool).node(node).job;
  if (index >= jobs_.size()) {
    return nullptr;
  }
  const Job& job = jobs_[index];
  const std::uint32_t slot = machines_.pool(pool).node(node).slot;
  // What a failed start has leaked is taken, too, and belongs to no attempt.
  const bool held =
      job.holding && slot < job.placement.slots.size() && job.placement.slots[slot] == node;
  return held ? &job : nullptr;
}

Job* World::holder(std::uint32_t pool, std::uint32_t node) {
  const Job* job = WorldState::holder(pool, node);
  return job == nullptr ? nullptr : &jobs_[job->index];
}

std::int64_t World::declared_us(std::uint32_t pool, std::uint32_t node) {
  const Job* job = holder(pool, node);
  const std::int64_t since_us = machines_.pool(pool).node(node).silent_since_us;
  if (job != nullptr && spec(*job).fixed_detection_us) {
    return since_us + *spec(*job).fixed_detection_us;
  }
  return heartbeat_deadline_us(since_us, core_.scenario().cluster.heartbeat_every_us,
                               core_.scenario().cluster.heartbeat_misses);
}

void World::watch_heartbeats(std::uint32_t pool, std::uint32_t node) {
  core_.schedule(EntryKind::kHeartbeatsMissed, std::max(core_.now_us(), declared_us(pool, node)),
                 {.entity = node, .epoch = machines_.pool(pool).node(node).epoch, .arg = pool});
}

void World::node_down(std::uint32_t pool, std::uint32_t node, std::uint32_t fault,
                      std::optional<std::int64_t> lasts_us, bool announced) {
  lasts_us = machines_.fall(core_, {pool, node, fault, lasts_us, announced});
  if (!machines_.pool(pool).node(node).known_down) {
    watch_heartbeats(pool, node);
  }
  trials_lost_node(pool, node, fault, announced);
  for (Job& job : jobs_) {
    // Its place may be taken by another machine.
    if (!lasts_us && spec(job).pool == pool && keeps_files_locally(core_.scenario(), job) &&
        std::ranges::find(job.placement.slots, node) != job.placement.slots.end()) {
      lose_local_files(job, fault);
    }
  }
  if (Job* job = holder(pool, node); job != nullptr) {
    RankFailure failure;
    failure.ranks = ranks_on(*job, machines_.pool(pool).node(node).slot);
    failure.kind = policies::WorkerFailure::kNodeLost;
    failure.preempted = announced;
    failure.silent = !announced;
    failure.visible_us = announced ? std::optional(core_.now_us()) : std::nullopt;
    failure.fault = fault;
    failure.node = node;
    fail_ranks(*job, std::move(failure));
    if (announced && watcher(pool, node) != nullptr) {
      note_detected(*job, fault);
      notify(*job, policies::NodeUnreachable{
                       .node = node_number(core_.scenario(), pool, node),
                       .preempted = true,
                       .ranks = ranks_on(*job, machines_.pool(pool).node(node).slot)});
    }
  }
}

void World::node_dead_known(std::uint32_t pool, std::uint32_t node) {
  if (!machines_.declare_dead(core_, pool, node)) {
    return;
  }
  const Node& before = machines_.pool(pool).node(node);
  capacity_changed(pool);
  trials_on_dead_node(pool, node);
  Job* job = holder(pool, node);
  if (watcher(pool, node) != nullptr) {
    note_detected(*job, before.up ? network_.cutting(pool, node) : before.down_fault);
    notify(*job, policies::NodeUnreachable{.node = node_number(core_.scenario(), pool, node),
                                           .preempted = false,
                                           .ranks = ranks_on(*job, before.slot)});
  }
  if (job == nullptr || !has_processes(*job)) {
    return;
  }
  const auto shows_now = [&](const RankFailure& failure) {
    return failure.node == node && !failure.visible_us;
  };
  if (std::ranges::none_of(job->failures, shows_now)) {
    return;
  }
  std::optional<std::int64_t> seen_us;
  if (job->clock.silent() && job->watch) {
    const bool others = std::ranges::any_of(
        job->failures, [&](const RankFailure& other) { return other.silent && !shows_now(other); });
    seen_us = others ? job->clock.observes_while_others_silent(core_.now_us())
                     : job->clock.end_silence(core_.now_us());
  }
  for (RankFailure& failure : job->failures) {
    if (!shows_now(failure)) {
      // The round that others had to wait for ends with the last silence.
      if (seen_us && failure.seen_us) {
        failure.seen_us = std::min(*failure.seen_us, *seen_us);
      }
      continue;
    }
    failure.visible_us = core_.now_us();
    failure.silent = false;
    failure.seen_us = seen_us;
    failure_shows(*job, failure);
  }
}

void World::node_known_down(Job& job, std::uint32_t node) {
  const Node& before = machines_.pool(spec(job).pool).node(node);
  if (!before.known_down && (!before.up || before.cut)) {
    machines_.pool(spec(job).pool).update(node, core_.now_us(), [](Node& changed) {
      changed.known_down = true;
    });
    capacity_changed(spec(job).pool);
  }
}

void World::new_node(std::uint32_t pool, std::uint32_t node) {
  if (!machines_.renew(core_, pool, node)) {
    return;
  }
  for (Job& job : jobs_) {
    if (spec(job).pool == pool) {
      job.images.forget(node);
    }
  }
  MachineTrouble(*this).new_machine(pool, node);
  machines_.count_up(core_, pool);
  serve_queue(pool);
}

void World::ask_replacements(const Job& job) {
  const std::uint32_t per_node =
      core_.scenario().cluster.pools[spec(job).pool].accelerators_per_node;
  std::uint32_t needed = (spec(job).workers + per_node - 1) / per_node;
  if (job.holding) {
    const Pool& pool = machines_.pool(spec(job).pool);
    const auto kept = static_cast<std::uint32_t>(std::ranges::count_if(
        job.placement.slots, [&](std::uint32_t node) { return pool.placeable(node); }));
    needed -= std::min(needed, kept);
  }
  ask_replacements(spec(job).pool, needed);
}

void World::ask_replacements(std::uint32_t pool, std::uint32_t needed) {
  if (ailments_.denied(pool)) {
    return;
  }
  for (const std::uint32_t node : machines_.ask(core_, pool, needed)) {
    new_node(pool, node);
  }
}

bool World::capacity_may_come(const Job& job) const {
  return capacity_may_come(spec(job).pool, job.index);
}

bool World::capacity_may_come(std::uint32_t pool_index, std::uint32_t holder) const {
  const Pool& pool = machines_.pool(pool_index);
  const bool replaced =
      core_.scenario().cluster.pools[pool_index].replacement != Replacement::kNone;
  for (std::uint32_t i = 0; i < pool.size(); ++i) {
    const Node& node = pool.node(i);
    if (node.returns || node.provisioning || node.cut || node.draining || node.withheld ||
        node.bad_accelerators > 0 ||
        (node.isolated && node.up &&
         (node.repairing || jobs_[node.isolated_by].wake_us.has_value())) ||
        ((node.known_down || node.isolated) && replaced)) {
      return true;
    }
  }
  return std::ranges::any_of(jobs_,
                             [&](const Job& other) {
                               const bool holds = other.index != holder && other.holding;
                               const bool gives_back = !other.leaks.empty() &&
                                                       core_.scenario().cluster.reclaim_leaked_us;
                               return spec(other).pool == pool_index && (holds || gives_back);
                             }) ||
         std::ranges::any_of(experiments_, [&](const Experiment& other) {
           return job_id(other) != holder && spec(other).pool == pool_index &&
                  !other.running.empty();
         });
}

}  // namespace aftershock::sim
