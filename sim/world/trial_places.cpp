#include "sim/world/trial_places.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/assert.h"
#include "sim/core/entry_kind.h"
#include "sim/world/nodes.h"
#include "sim/world/scheduling.h"
#include "sim/world/trials.h"
#include "sim/world/world.h"

// Nodes for trials. Ray packs: a trial goes to a node that its experiment holds already, and only
// where none has room to a new one.
namespace aftershock::sim::world {

namespace {

using reports::Cause;

}  // namespace

const workload::Experiment* experiment_on(const World& world, std::uint32_t pool,
                                          std::uint32_t node) {
  if (!world.machines.pool(pool).taken(node)) {
    return nullptr;
  }
  return experiment_of(world, world.machines.pool(pool).node(node).job);
}

workload::Experiment* experiment_on(World& world, std::uint32_t pool, std::uint32_t node) {
  const workload::Experiment* experiment = experiment_on(std::as_const(world), pool, node);
  return experiment == nullptr ? nullptr : &world.experiments[experiment->index];
}

bool cut_off(const World& world, const workload::Experiment& experiment,
             const workload::Trial& trial) {
  if (world.network.whole()) {
    return false;
  }
  return std::ranges::any_of(trial.places, [&](std::uint32_t place) {
    return world.machines.pool(spec(world, experiment).pool).node(experiment.held[place].node).cut;
  });
}

// `first`: before all that wait already.
void wait_for_place(World& world, workload::Experiment& experiment, workload::Trial& trial,
                    bool first) {
  trial.stage = workload::TrialStage::kPending;
  ++trial.stage_epoch;
  const bool fault = trial.start_cause.is_fault();
  set_phase(world, experiment, trial, scenario::Phase::kWaitingForCapacity,
            fault ? trial.start_cause : Cause::queue());
  const std::pair entry{workload::number_of(experiment, trial), trial.stage_epoch};
  first ? experiment.waiting.push_front(entry) : experiment.waiting.push_back(entry);
  ++experiment.waiting_count;
  if (!experiment.queued) {
    experiment.queued = true;
    world.queue.join({.holder = holder_id(world, experiment),
                      .priority = spec(world, experiment).priority,
                      .is_job = false,
                      .pool = spec(world, experiment).pool});
  }
  plan_serving(world, spec(world, experiment).pool);
}

// Served when all that ask, or give back, in this microsecond have done so.
void plan_serving(World& world, std::uint32_t pool) {
  if (!world.queue.plan_serving(pool)) {
    return;
  }
  world.core.schedule(core::EntryKind::kServeQueue, world.now_us(), {.entity = pool});
}

// Places trials in their order until one does not fit. True when none is left to wait.
bool serve_trials(World& world, workload::Experiment& experiment) {
  while (!experiment.waiting.empty()) {
    const auto [number, stage_epoch] = experiment.waiting.front();
    workload::Trial& trial = experiment.trials[number];
    if (trial.stage_epoch == stage_epoch) {
      if (!place(world, experiment, trial)) {
        return false;
      }
      --experiment.waiting_count;
      experiment.waiting.pop_front();
      begin_launching(world, experiment, trial);
    } else {
      experiment.waiting.pop_front();  // it was told to stop
    }
  }
  experiment.queued = false;
  return true;
}

namespace {

// Takes one more node of the pool; there must be a free one. Returns its element of `held`.
std::uint32_t hold_node(World& world, workload::Experiment& experiment) {
  if (experiment.free_held.empty()) {
    experiment.free_held.push_back(static_cast<std::uint32_t>(experiment.held.size()));
    experiment.held.emplace_back();
  }
  const std::uint32_t element = experiment.free_held.back();
  experiment.free_held.pop_back();
  const auto node = world.machines.pool(spec(world, experiment).pool)
                        .take_one(holder_id(world, experiment), element, world.now_us());
  AFTERSHOCK_ASSERT(node.has_value());
  workload::HeldNode& held = experiment.held[element];
  held.node = *node;
  held.used = 0;
  held.trials.assign(experiment.trials_per_node, workload::HeldNode::kFree);
  return element;
}

}  // namespace

bool place(World& world, workload::Experiment& experiment, workload::Trial& trial) {
  const machines::Pool& pool = world.machines.pool(spec(world, experiment).pool);
  const std::uint32_t number = workload::number_of(experiment, trial);
  if (experiment.nodes_per_trial > 0) {
    // All of its nodes or none: one that held some while it waits would keep them from others.
    if (pool.available() < experiment.nodes_per_trial) {
      return false;
    }
    for (std::uint32_t i = 0; i < experiment.nodes_per_trial; ++i) {
      trial.places.push_back(hold_node(world, experiment));
      workload::HeldNode& held = experiment.held[trial.places.back()];
      held.used = 1;
      held.trials.front() = number;
    }
    trial.slot = 0;
  } else {
    // A node with room may be draining, or have an accelerator out of order.
    const auto roomy = std::ranges::find_if(
        experiment.room, [&](const auto& each) { return pool.placeable(each.first); });
    if (roomy == experiment.room.end() && pool.available() == 0) {
      return false;
    }
    const std::uint32_t element =
        roomy == experiment.room.end() ? hold_node(world, experiment) : roomy->second;
    workload::HeldNode& held = experiment.held[element];
    const auto slot = std::ranges::find(held.trials, workload::HeldNode::kFree);
    *slot = number;
    trial.slot = static_cast<std::uint32_t>(slot - held.trials.begin());
    trial.places.push_back(element);
    ++held.used;
    if (held.used == experiment.trials_per_node) {
      experiment.room.erase({held.node, element});
    } else {
      experiment.room.insert({held.node, element});
    }
  }
  count_again(world, experiment.stuck);
  trial.placement = ++experiment.placements;
  trial.running_index = static_cast<std::uint32_t>(experiment.running.size());
  experiment.running.push_back(number);
  return true;
}

void leave_place(World& world, workload::Experiment& experiment, workload::Trial& trial) {
  if (trial.places.empty()) {
    return;
  }
  machines::Pool& pool = world.machines.pool(spec(world, experiment).pool);
  for (const std::uint32_t element : trial.places) {
    workload::HeldNode& held = experiment.held[element];
    held.trials[trial.slot] = workload::HeldNode::kFree;
    --held.used;
    if (held.used == 0) {
      experiment.room.erase({held.node, element});
      // Elements keep their numbers, which trials hold: a free one is used again.
      experiment.free_held.push_back(element);
      pool.release_one(held.node, world.now_us());
    } else {
      experiment.room.insert({held.node, element});
    }
  }
  trial.places.clear();
  experiment.running[trial.running_index] = experiment.running.back();
  experiment.trials[experiment.running.back()].running_index = trial.running_index;
  experiment.running.pop_back();
  plan_serving(world, spec(world, experiment).pool);
}

// An autoscaler sees what the trials that wait would take.
void ask_nodes(World& world, workload::Experiment& experiment) {
  // A machine that is there at once serves the queue, from which this is called again.
  if (experiment.waiting_count == 0 || experiment.asking) {
    return;
  }
  const std::uint64_t nodes =
      experiment.nodes_per_trial > 0
          ? std::uint64_t{experiment.waiting_count} * experiment.nodes_per_trial
          : (experiment.waiting_count + experiment.trials_per_node - 1) /
                experiment.trials_per_node;
  const std::uint32_t pool = spec(world, experiment).pool;
  experiment.asking = true;
  ask_replacements(
      world, pool,
      static_cast<std::uint32_t>(std::min<std::uint64_t>(nodes, world.machines.pool(pool).size())));
  experiment.asking = false;
  give_up_if_unschedulable(world, experiment);
}

bool capacity_may_come(const World& world, const workload::Experiment& experiment) {
  return capacity_may_come(world, spec(world, experiment).pool, holder_id(world, experiment));
}

// Tells what experiments hold in this pool, and whether it is what the pool believes.
void check_held(const World& world, std::uint32_t pool, std::vector<int>& holders,
                std::vector<std::string>& found) {
  for (const workload::Experiment& experiment : world.experiments) {
    if (spec(world, experiment).pool != pool) {
      continue;
    }
    for (const std::uint32_t number : experiment.running) {
      const workload::Trial& trial = experiment.trials[number];
      for (const std::uint32_t element : trial.places) {
        const workload::HeldNode& held = experiment.held[element];
        const machines::Node& node = world.machines.pool(pool).node(held.node);
        if (held.trials[trial.slot] != number || node.job != holder_id(world, experiment) ||
            node.slot != element) {
          found.push_back(fmt::format("node {} of pool {} does not know its trial {}", held.node,
                                      pool, number));
        }
        holders[held.node] = 1;
      }
    }
  }
}

}  // namespace aftershock::sim::world
