#include "sim/world/nodes.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "sim/core/entry_kind.h"
#include "sim/detection/heartbeat.h"
#include "sim/faults/source.h"
#include "sim/world/agents.h"
#include "sim/world/controlling.h"
#include "sim/world/devices.h"
#include "sim/world/failure.h"
#include "sim/world/local_files.h"
#include "sim/world/machine_faults.h"
#include "sim/world/names.h"
#include "sim/world/node_objects.h"
#include "sim/world/scheduling.h"
#include "sim/world/trial_faults.h"
#include "sim/world/world.h"

// The fate of nodes: down, declared dead, repaired, replaced.
namespace aftershock::sim::world {

namespace {

using reports::Entity;
using reports::EntityKind;

}  // namespace

const workload::Job* holder(const World& world, std::uint32_t pool, std::uint32_t node) {
  if (!world.machines.pool(pool).taken(node)) {
    return nullptr;
  }
  const workload::Job* job = job_of(world, world.machines.pool(pool).node(node).job);
  if (job == nullptr) {
    return nullptr;
  }
  const std::uint32_t slot = world.machines.pool(pool).node(node).slot;
  // A node that a failed start has leaked is taken, too, and belongs to no attempt.
  const bool held =
      job->holding && slot < job->placement.slots.size() && job->placement.slots[slot] == node;
  return held ? job : nullptr;
}

workload::Job* holder(World& world, std::uint32_t pool, std::uint32_t node) {
  const workload::Job* job = holder(std::as_const(world), pool, node);
  return job == nullptr ? nullptr : &world.jobs[job->index];
}

namespace {

/// Whether nothing answers in the place of a node that does not: it is cut off, or has died without
/// a word. A machine that is taken back shuts down, and its connections are refused.
bool falls_silent(const World& world, const machines::Node& node) {
  if (node.up) {
    return true;
  }
  const scenario::FaultEffect& effect =
      faults::effect_of(world.scenario(), world.faults[node.down_fault]);
  return effect.kind != scenario::FaultKind::kPreemption && !effect.closes_connections;
}

}  // namespace

std::int64_t declared_us(const World& world, std::uint32_t pool, std::uint32_t node) {
  const workload::Job* job = holder(world, pool, node);
  const std::int64_t since_us = world.machines.pool(pool).node(node).silent_since_us;
  // Fixed detection of the job that holds it replaces all else, heartbeats too.
  if (job != nullptr && spec(world, *job).fixed_detection_us) {
    return since_us + *spec(world, *job).fixed_detection_us;
  }
  const scenario::ClusterSpec& cluster = world.scenario().cluster;
  const bool silent = falls_silent(world, world.machines.pool(pool).node(node));
  return detection::heartbeat_deadline_us(since_us, cluster.heartbeat.every_us,
                                          cluster.heartbeat.misses,
                                          silent ? cluster.heartbeat.timeout_us : 0);
}

void watch_heartbeats(World& world, std::uint32_t pool, std::uint32_t node) {
  world.core.schedule(
      core::EntryKind::kHeartbeatsMissed, std::max(world.now_us(), declared_us(world, pool, node)),
      {.entity = node, .epoch = world.machines.pool(pool).node(node).epoch, .arg = pool});
}

namespace {

// Of an end that nobody has looked at yet, the node's own loss is all that shows.
void forget_ends(workload::Job& job, std::uint32_t node, const policies::RankSet& there) {
  auto& failures = job.detection.failures;
  for (auto at = failures.begin(); at != failures.end();) {
    const bool forgotten = !at->told && !at->node && (at->visible_us || at->hidden_on == node) &&
                           at->ranks.overlaps(there);
    at->ranks = forgotten ? at->ranks.without(there) : at->ranks;
    at = at->ranks.empty() && forgotten ? failures.erase(at) : at + 1;
  }
}

}  // namespace

void node_down(World& world, std::uint32_t pool, std::uint32_t node, std::uint32_t fault,
               std::optional<std::int64_t> lasts_us, bool announced) {
  const scenario::FaultEffect& effect = faults::effect_of(world.scenario(), world.faults[fault]);
  // A market gives its node back, and a fault with a length of its own heals by itself.
  const bool by_crew = !effect.lasts && effect.kind != scenario::FaultKind::kPreemption;
  lasts_us = world.machines.fall(world.core, {pool, node, fault, lasts_us, announced, by_crew});
  if (!world.machines.pool(pool).node(node).known_down) {
    watch_heartbeats(world, pool, node);
  }
  trials_lost_node(world, pool, node, fault, announced);
  for (workload::Job& job : world.jobs) {
    // Its place may be taken by another machine.
    if (!lasts_us && spec(world, job).pool == pool && keeps_files_locally(world.scenario(), job) &&
        std::ranges::find(job.placement.slots, node) != job.placement.slots.end()) {
      lose_local_files(job, fault);
    }
  }
  if (workload::Job* job = holder(world, pool, node); job != nullptr) {
    detection::RankFailure failure;
    failure.ranks = ranks_on(world, *job, world.machines.pool(pool).node(node).slot);
    failure.kind = policies::WorkerFailure::kNodeLost;
    failure.preempted = announced;
    // A death that was announced is known at once; any other has to be missed first.
    failure.silent = !announced;
    failure.vanished =
        !announced && !faults::effect_of(world.scenario(), world.faults[fault]).closes_connections;
    failure.visible_us = announced ? std::optional(world.now_us()) : std::nullopt;
    failure.fault = fault;
    failure.node = node;
    forget_ends(*job, node, failure.ranks);
    fail_ranks(world, *job, std::move(failure));
    if (!announced && job->control.host.info().agents) {
      end_agent_with_node(world, *job, node);
    }
    if (announced && watcher(world, pool, node) != nullptr) {
      note_detected(world, *job, fault);
      notify(world, *job,
             policies::NodeUnreachable{
                 .node = node_number(world.scenario(), pool, node),
                 .preempted = true,
                 .ranks = ranks_on(world, *job, world.machines.pool(pool).node(node).slot)});
    }
  }
}

void node_dead_known(World& world, std::uint32_t pool, std::uint32_t node) {
  if (!world.machines.declare_dead(world.core, pool, node)) {
    return;
  }
  const machines::Node& before = world.machines.pool(pool).node(node);
  capacity_changed(world, pool);
  trials_on_dead_node(world, pool, node);
  workload::Job* job = holder(world, pool, node);
  if (watcher(world, pool, node) != nullptr) {
    // A node that works is dead to the cluster because something cuts it off.
    note_detected(world, *job, before.up ? world.network.cutting(pool, node) : before.down_fault);
    notify(world, *job,
           policies::NodeUnreachable{.node = node_number(world.scenario(), pool, node),
                                     .preempted = false,
                                     .ranks = ranks_on(world, *job, before.slot),
                                     .stays = objects_stay(world, *job)});
    if (objects_stay(world, *job)) {
      keep_objects(world, *job, node, ranks_on(world, *job, before.slot));
    }
  }
  if (job == nullptr || !workload::has_processes(*job)) {
    return;
  }
  const auto shows_now = [&](const detection::RankFailure& failure) {
    return failure.node == node && !failure.visible_us;
  };
  if (std::ranges::none_of(job->detection.failures, shows_now)) {
    return;
  }
  std::optional<std::int64_t> seen_us;
  // A poll waits for the node until its death is known, and then for others that are silent as
  // well.
  if (job->detection.clock.silent() && job->detection.watch) {
    const bool others = std::ranges::any_of(
        job->detection.failures,
        [&](const detection::RankFailure& other) { return other.silent && !shows_now(other); });
    seen_us = others ? job->detection.clock.observes_while_others_silent(world.now_us())
                     : job->detection.clock.end_silence(world.now_us());
  }
  for (detection::RankFailure& failure : job->detection.failures) {
    if (!shows_now(failure)) {
      // The round that others had to wait for ends with the last silence.
      if (seen_us && failure.seen_us) {
        failure.seen_us = std::min(*failure.seen_us, *seen_us);
      }
      continue;
    }
    failure.visible_us = world.now_us();
    failure.silent = false;
    failure.seen_us = seen_us;
    failure_shows(world, *job, failure);
  }
}

void node_known_down(World& world, workload::Job& job, std::uint32_t node) {
  const machines::Node& before = world.machines.pool(spec(world, job).pool).node(node);
  if (!before.known_down && (!before.up || before.cut)) {
    world.machines.pool(spec(world, job).pool)
        .update(node, world.now_us(), [](machines::Node& changed) { changed.known_down = true; });
    capacity_changed(world, spec(world, job).pool);
  }
}

void new_node(World& world, std::uint32_t pool, std::uint32_t node) {
  if (!world.machines.renew(world.core, pool, node)) {
    return;
  }
  for (workload::Job& job : world.jobs) {
    if (spec(world, job).pool == pool) {
      // The new machine has yet to fetch the image.
      job.pods.images.forget(node);
    }
  }
  replace_objects(world, pool, node);
  new_machine(world, pool, node);
  world.machines.count_up(world.core, pool);
  serve_queue(world, pool);
}

void ask_replacements(World& world, const workload::Job& job) {
  const std::uint32_t per_node =
      world.scenario().cluster.pools[spec(world, job).pool].accelerators_per_node;
  std::uint32_t needed = (spec(world, job).workers + per_node - 1) / per_node;
  if (job.holding) {
    const machines::Pool& pool = world.machines.pool(spec(world, job).pool);
    const auto kept = static_cast<std::uint32_t>(std::ranges::count_if(
        job.placement.slots, [&](std::uint32_t node) { return pool.placeable(node); }));
    // Nodes that the survivors of an attempt keep need not be asked for.
    needed -= std::min(needed, kept);
  }
  ask_replacements(world, spec(world, job).pool, needed);
}

void ask_replacements(World& world, std::uint32_t pool, std::uint32_t needed) {
  if (world.ailments.denied(pool)) {
    return;
  }
  for (const std::uint32_t node : world.machines.ask(world.core, pool, needed)) {
    new_node(world, pool, node);
  }
}

bool capacity_may_come(const World& world, const workload::Job& job) {
  return capacity_may_come(world, spec(world, job).pool, job.index);
}

namespace {

/// Whether others hold nodes of the pool, or what leaked of its nodes, which are given back some
/// day.
bool others_give_back(const World& world, std::uint32_t pool_index, std::uint32_t holder) {
  return std::ranges::any_of(world.jobs,
                             [&](const workload::Job& other) {
                               const bool holds = other.index != holder && other.holding;
                               const bool gives_back = !other.pods.leaks.empty() &&
                                                       world.scenario().cluster.reclaim_leaked_us;
                               return spec(world, other).pool == pool_index &&
                                      (holds || gives_back);
                             }) ||
         std::ranges::any_of(world.experiments, [&](const workload::Experiment& other) {
           return holder_id(world, other) != holder && spec(world, other).pool == pool_index &&
                  !other.running.empty();
         });
}

}  // namespace

bool capacity_may_come(const World& world, std::uint32_t pool_index, std::uint32_t holder) {
  const machines::Pool& pool = world.machines.pool(pool_index);
  const bool replaced =
      world.scenario().cluster.pools[pool_index].replacement != scenario::Replacement::kNone;
  // Of a few jobs one is sooner asked than all nodes.
  const bool few = world.jobs.size() + world.experiments.size() < pool.size();
  if (few && others_give_back(world, pool_index, holder)) {
    return true;
  }
  for (std::uint32_t i = 0; i < pool.size(); ++i) {
    const machines::Node& node = pool.node(i);
    // A node with a date, or one that waits for an event with a date, may yet serve; and a policy
    // that has set itself a timer may release what it isolated.
    const bool broken = node.bad_accelerators > 0;
    if (node.returns || node.provisioning || node.cut || node.draining || node.withheld ||
        (broken && world.machines.devices_return(pool_index, i)) ||
        (node.isolated && node.up &&
         (node.repairing || node.awaits_crew ||
          world.jobs[node.isolated_by].control.wake_us.has_value())) ||
        ((node.known_down || node.isolated || broken) && replaced)) {
      return true;
    }
    // Most often the first node says already what all jobs would be asked for.
    const workload::Job* other = pool.taken(i) ? job_of(world, node.job) : nullptr;
    if (other != nullptr && other->index != holder && other->holding &&
        spec(world, *other).pool == pool_index) {
      return true;
    }
  }
  return !few && others_give_back(world, pool_index, holder);
}

}  // namespace aftershock::sim::world
