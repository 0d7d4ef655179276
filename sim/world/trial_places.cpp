#include <algorithm>

#include <fmt/format.h>

#include "policies/api/assert.h"
#include "sim/core/entry_kind.h"
#include "sim/world/world.h"

// Nodes for trials. Ray packs: a trial goes to a node that its experiment holds already, and only
// where none has room to a new one.
namespace aftershock::sim {

namespace {

using reports::Cause;

}  // namespace

std::int32_t World::priority_of(std::uint32_t holder) const {
  return holder < jobs_.size() ? core_.scenario().jobs[holder].priority
                               : core_.scenario().experiments[holder - jobs_.size()].priority;
}

const Experiment* WorldState::experiment_on(std::uint32_t pool, std::uint32_t node) const {
  if (!machines_.pool(pool).taken(node)) {
    return nullptr;
  }
  const std::uint32_t holder_id = machines_.pool(pool).node(node).job;
  return holder_id < jobs_.size() ? nullptr : &experiments_[holder_id - jobs_.size()];
}

Experiment* World::experiment_on(std::uint32_t pool, std::uint32_t node) {
  const Experiment* experiment = WorldState::experiment_on(pool, node);
  return experiment == nullptr ? nullptr : &experiments_[experiment->index];
}

bool World::cut_off(const Experiment& experiment, const Trial& trial) const {
  if (network_.whole()) {
    return false;
  }
  return std::ranges::any_of(trial.places, [&](std::uint32_t place) {
    return machines_.pool(spec(experiment).pool).node(experiment.held[place].node).cut;
  });
}

// `first`: before all that wait already.
void World::wait_for_place(Experiment& experiment, Trial& trial, bool first) {
  trial.stage = TrialStage::kPending;
  ++trial.stage_epoch;
  const bool fault = trial.start_cause.is_fault();
  set_phase(experiment, trial, Phase::kWaitingForCapacity,
            fault ? trial.start_cause : Cause::queue());
  const std::pair entry{number_of(experiment, trial), trial.stage_epoch};
  first ? experiment.waiting.push_front(entry) : experiment.waiting.push_back(entry);
  ++experiment.waiting_count;
  if (!experiment.queued) {
    experiment.queued = true;
    const std::uint32_t holder = job_id(experiment);
    const auto after = std::find_if(queue_.begin(), queue_.end(), [&](std::uint32_t other) {
      return priority_of(other) < priority_of(holder);
    });
    queue_.insert(after, holder);
  }
  plan_serving(spec(experiment).pool);
}

// Served when all that ask, or give back, in this microsecond have done so.
void World::plan_serving(std::uint32_t pool) {
  if (serving_planned_[pool]) {
    return;
  }
  serving_planned_[pool] = true;
  core_.schedule(EntryKind::kServeQueue, core_.now_us(), {.entity = pool});
}

// Places trials in their order until one does not fit. True when none is left to wait.
bool World::serve_trials(Experiment& experiment) {
  while (!experiment.waiting.empty()) {
    const auto [number, stage_epoch] = experiment.waiting.front();
    Trial& trial = experiment.trials[number];
    if (trial.stage_epoch == stage_epoch) {
      if (!place(experiment, trial)) {
        return false;
      }
      --experiment.waiting_count;
      experiment.waiting.pop_front();
      begin_launching(experiment, trial);
    } else {
      experiment.waiting.pop_front();  // it was told to stop
    }
  }
  experiment.queued = false;
  return true;
}

// Takes one more node of the pool; there must be a free one. Returns its element of `held`.
std::uint32_t World::hold_node(Experiment& experiment) {
  if (experiment.free_held.empty()) {
    experiment.free_held.push_back(static_cast<std::uint32_t>(experiment.held.size()));
    experiment.held.emplace_back();
  }
  const std::uint32_t element = experiment.free_held.back();
  experiment.free_held.pop_back();
  const auto node =
      machines_.pool(spec(experiment).pool).take_one(job_id(experiment), element, core_.now_us());
  AFTERSHOCK_ASSERT(node.has_value());
  HeldNode& held = experiment.held[element];
  held.node = *node;
  held.used = 0;
  held.trials.assign(experiment.trials_per_node, HeldNode::kFree);
  return element;
}

bool World::place(Experiment& experiment, Trial& trial) {
  const Pool& pool = machines_.pool(spec(experiment).pool);
  const std::uint32_t number = number_of(experiment, trial);
  if (experiment.nodes_per_trial > 0) {
    if (pool.available() < experiment.nodes_per_trial) {
      return false;
    }
    for (std::uint32_t i = 0; i < experiment.nodes_per_trial; ++i) {
      trial.places.push_back(hold_node(experiment));
      HeldNode& held = experiment.held[trial.places.back()];
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
        roomy == experiment.room.end() ? hold_node(experiment) : roomy->second;
    HeldNode& held = experiment.held[element];
    const auto slot = std::ranges::find(held.trials, HeldNode::kFree);
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
  count_again(experiment.stuck);
  trial.running_index = static_cast<std::uint32_t>(experiment.running.size());
  experiment.running.push_back(number);
  return true;
}

void World::leave_place(Experiment& experiment, Trial& trial) {
  if (trial.places.empty()) {
    return;
  }
  Pool& pool = machines_.pool(spec(experiment).pool);
  for (const std::uint32_t element : trial.places) {
    HeldNode& held = experiment.held[element];
    held.trials[trial.slot] = HeldNode::kFree;
    --held.used;
    if (held.used == 0) {
      experiment.room.erase({held.node, element});
      experiment.free_held.push_back(element);
      pool.release_one(held.node, core_.now_us());
    } else {
      experiment.room.insert({held.node, element});
    }
  }
  trial.places.clear();
  experiment.running[trial.running_index] = experiment.running.back();
  experiment.trials[experiment.running.back()].running_index = trial.running_index;
  experiment.running.pop_back();
  plan_serving(spec(experiment).pool);
}

// An autoscaler sees what the trials that wait would take.
void World::ask_nodes(Experiment& experiment) {
  if (experiment.waiting_count == 0 || experiment.asking) {
    return;
  }
  const std::uint64_t nodes =
      experiment.nodes_per_trial > 0
          ? std::uint64_t{experiment.waiting_count} * experiment.nodes_per_trial
          : (experiment.waiting_count + experiment.trials_per_node - 1) /
                experiment.trials_per_node;
  const std::uint32_t pool = spec(experiment).pool;
  experiment.asking = true;
  ask_replacements(pool, static_cast<std::uint32_t>(
                             std::min<std::uint64_t>(nodes, machines_.pool(pool).size())));
  experiment.asking = false;
  give_up_if_unschedulable(experiment);
}

bool World::capacity_may_come(const Experiment& experiment) const {
  return capacity_may_come(spec(experiment).pool, job_id(experiment));
}

// Tells what experiments hold in this pool, and whether it is what the pool believes.
void World::check_held(std::uint32_t pool, std::vector<int>& holders,
                       std::vector<std::string>& found) const {
  for (const Experiment& experiment : experiments_) {
    if (spec(experiment).pool != pool) {
      continue;
    }
    for (const std::uint32_t number : experiment.running) {
      const Trial& trial = experiment.trials[number];
      for (const std::uint32_t element : trial.places) {
        const HeldNode& held = experiment.held[element];
        const Node& node = machines_.pool(pool).node(held.node);
        if (held.trials[trial.slot] != number || node.job != job_id(experiment) ||
            node.slot != element) {
          found.push_back(fmt::format("node {} of pool {} does not know its trial {}", held.node,
                                      pool, number));
        }
        holders[held.node] = 1;
      }
    }
  }
}

}  // namespace aftershock::sim
