#include <algorithm>

#include "policies/api/assert.h"
#include "sim/detection/heartbeat.h"
#include "sim/faults/source.h"
#include "sim/world/entries.h"
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

Job* World::holder(std::uint32_t pool, std::uint32_t node) {
  if (!pools_[pool].taken(node)) {
    return nullptr;
  }
  const std::uint32_t index = pools_[pool].node(node).job;
  if (index >= jobs_.size()) {
    return nullptr;
  }
  Job& job = jobs_[index];
  const std::uint32_t slot = pools_[pool].node(node).slot;
  // What a failed start has leaked is taken, too, and belongs to no attempt.
  const bool held =
      job.holding && slot < job.placement.slots.size() && job.placement.slots[slot] == node;
  return held ? &job : nullptr;
}

void World::count_nodes_up(std::uint32_t pool) {
  recorder_.counter(now_us_, {EntityKind::kPool, pool}, "nodes_up", pools_[pool].nodes_up());
}

std::int64_t World::declared_us(std::uint32_t pool, std::uint32_t node) {
  const Job* job = holder(pool, node);
  const std::int64_t since_us = pools_[pool].node(node).silent_since_us;
  if (job != nullptr && spec(*job).fixed_detection_us) {
    return since_us + *spec(*job).fixed_detection_us;
  }
  return heartbeat_deadline_us(since_us, scenario_->cluster.heartbeat_every_us,
                               scenario_->cluster.heartbeat_misses);
}

void World::watch_heartbeats(std::uint32_t pool, std::uint32_t node) {
  calendar_.push(std::max(now_us_, declared_us(pool, node)), EntryClass::kObservation,
                 static_cast<std::uint16_t>(What::kHeartbeatsMissed), node,
                 pools_[pool].node(node).epoch, pool);
}

void World::node_down(std::uint32_t pool, std::uint32_t node, std::uint32_t fault,
                      std::optional<std::int64_t> lasts_us, bool announced) {
  const PoolSpec& pool_spec = scenario_->cluster.pools[pool];
  const std::uint32_t epoch = pools_[pool].node(node).epoch + 1;
  if (!lasts_us && pool_spec.repair) {
    lasts_us = draw_us(*pool_spec.repair, RandomDraw(node_key(*scenario_, pool, node, branch_),
                                                     epoch, Purpose::kRepair));
  }
  pools_[pool].update(node, now_us_, [&](Node& changed) {
    changed.epoch = epoch;
    changed.up = false;
    changed.down_fault = fault;
    // Nobody gives it work again before it is known to be gone: it was announced to go.
    changed.draining = changed.draining && !announced && !changed.known_down;
    changed.known_down = changed.known_down || announced;
    changed.returns = lasts_us.has_value();
    changed.back_us = now_us_ + lasts_us.value_or(0);
    // Of a node that is cut off nothing has been heard since then.
    changed.silent_since_us = changed.mute ? changed.silent_since_us : now_us_;
  });
  if (lasts_us) {
    calendar_.push(now_us_ + *lasts_us, EntryClass::kFault,
                   static_cast<std::uint16_t>(What::kNodeBack), node, epoch, pool);
  }
  node_spans_[{pool, node}] =
      recorder_.begin(now_us_, {EntityKind::kNode, pool, node}, "down", {{"fault", fault}});
  count_nodes_up(pool);
  if (!pools_[pool].node(node).known_down) {
    watch_heartbeats(pool, node);
  }
  trials_lost_node(pool, node, fault, announced);
  for (Job& job : jobs_) {
    // Its place may be taken by another machine.
    if (!lasts_us && spec(job).pool == pool && keeps_files_locally(*scenario_, job) &&
        std::ranges::find(job.placement.slots, node) != job.placement.slots.end()) {
      lose_local_files(job, fault);
    }
  }
  if (Job* job = holder(pool, node); job != nullptr) {
    RankFailure failure;
    failure.ranks = ranks_on(*job, pools_[pool].node(node).slot);
    failure.kind = policies::WorkerFailure::kNodeLost;
    failure.preempted = announced;
    failure.silent = !announced;
    failure.visible_us = announced ? std::optional(now_us_) : std::nullopt;
    failure.fault = fault;
    failure.node = node;
    fail_ranks(*job, std::move(failure));
    if (announced && watcher(pool, node) != nullptr) {
      note_detected(*job, fault);
      notify(*job,
             policies::NodeUnreachable{.node = node_number(*scenario_, pool, node),
                                       .preempted = true,
                                       .ranks = ranks_on(*job, pools_[pool].node(node).slot)});
    }
  }
}

void World::node_dead_known(std::uint32_t pool, std::uint32_t node) {
  const Node& before = pools_[pool].node(node);
  if (before.known_down || (before.up && !before.mute)) {
    return;
  }
  pools_[pool].update(node, now_us_, [](Node& changed) {
    changed.known_down = true;
    changed.draining = changed.draining && changed.up;
  });
  recorder_.instant(now_us_, {EntityKind::kNode, pool, node}, "declared_dead");
  capacity_changed(pool);
  trials_on_dead_node(pool, node);
  Job* job = holder(pool, node);
  if (watcher(pool, node) != nullptr) {
    note_detected(*job, before.up ? cutting(pool, node) : before.down_fault);
    notify(*job, policies::NodeUnreachable{.node = node_number(*scenario_, pool, node),
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
    seen_us =
        others ? job->clock.observes_while_others_silent(now_us_) : job->clock.end_silence(now_us_);
  }
  for (RankFailure& failure : job->failures) {
    if (!shows_now(failure)) {
      // The round that others had to wait for ends with the last silence.
      if (seen_us && failure.seen_us) {
        failure.seen_us = std::min(*failure.seen_us, *seen_us);
      }
      continue;
    }
    failure.visible_us = now_us_;
    failure.silent = false;
    failure.seen_us = seen_us;
    failure_shows(*job, failure);
  }
}

void World::node_known_down(Job& job, std::uint32_t node) {
  const Node& before = pools_[spec(job).pool].node(node);
  if (!before.known_down && (!before.up || before.cut)) {
    pools_[spec(job).pool].update(node, now_us_, [](Node& changed) { changed.known_down = true; });
    capacity_changed(spec(job).pool);
  }
}

void World::new_node(std::uint32_t pool, std::uint32_t node) {
  const Node& before = pools_[pool].node(node);
  const bool needed =
      !before.present || before.known_down || before.isolated || before.bad_accelerators > 0;
  if (needed) {
    forget_ailments(pool, node);
    for (Job& job : jobs_) {
      if (spec(job).pool == pool) {
        job.images.forget(node);
      }
    }
  }
  pools_[pool].update(node, now_us_, [needed](Node& changed) {
    changed.provisioning = false;
    if (needed) {
      begin_well(changed);
      changed.present = true;
      changed.up = true;
      changed.known_down = false;
      changed.cut = false;
      changed.mute = false;
      changed.deaf = false;
      changed.draining = false;
    }
  });
  if (!needed) {
    return;  // repaired before the new one came, which goes back
  }
  if (const auto span = node_spans_.find({pool, node}); span != node_spans_.end()) {
    recorder_.end(now_us_, span->second);
    node_spans_.erase(span);
  }
  recorder_.instant(now_us_, {EntityKind::kNode, pool, node}, "new_machine");
  MachineTrouble(*this).new_machine(pool, node);
  count_nodes_up(pool);
  serve_queue(pool);
}

void World::ask_replacements(const Job& job) {
  const std::uint32_t per_node = scenario_->cluster.pools[spec(job).pool].accelerators_per_node;
  std::uint32_t needed = (spec(job).workers + per_node - 1) / per_node;
  if (job.holding) {
    const Pool& pool = pools_[spec(job).pool];
    const auto kept = static_cast<std::uint32_t>(std::ranges::count_if(
        job.placement.slots, [&](std::uint32_t node) { return pool.placeable(node); }));
    needed -= std::min(needed, kept);
  }
  ask_replacements(spec(job).pool, needed);
}

void World::ask_replacements(std::uint32_t pool_index, std::uint32_t needed) {
  const PoolSpec& pool_spec = scenario_->cluster.pools[pool_index];
  Pool& pool = pools_[pool_index];
  if (pool_spec.replacement == Replacement::kNone || MachineTrouble(*this).denied(pool_index)) {
    return;
  }
  const std::uint32_t there = pool.available() + pool.provisioning();
  if (there >= needed) {
    return;
  }
  for (const std::uint32_t node : pool.replaceable(needed - there)) {
    if (pool_spec.replacement == Replacement::kNow) {
      new_node(pool_index, node);
      continue;
    }
    const std::uint32_t epoch = pool.node(node).epoch;
    const std::int64_t length_us = draw_us(
        pool_spec.provision,
        RandomDraw(node_key(*scenario_, pool_index, node, branch_), epoch, Purpose::kProvision));
    pool.update(node, now_us_, [](Node& changed) { changed.provisioning = true; });
    calendar_.push(now_us_ + length_us, EntryClass::kFault,
                   static_cast<std::uint16_t>(What::kNodeProvisioned), node, epoch, pool_index);
  }
}

bool World::capacity_may_come(const Job& job) const {
  return capacity_may_come(spec(job).pool, job.index);
}

bool World::capacity_may_come(std::uint32_t pool_index, std::uint32_t holder) const {
  const Pool& pool = pools_[pool_index];
  const bool replaced = scenario_->cluster.pools[pool_index].replacement != Replacement::kNone;
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
                               const bool gives_back =
                                   !other.leaks.empty() && scenario_->cluster.reclaim_leaked_us;
                               return spec(other).pool == pool_index && (holds || gives_back);
                             }) ||
         std::ranges::any_of(experiments_, [&](const Experiment& other) {
           return job_id(other) != holder && spec(other).pool == pool_index &&
                  !other.running.empty();
         });
}

}  // namespace aftershock::sim
