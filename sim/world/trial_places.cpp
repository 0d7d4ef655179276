#include "sim/world/trial_places.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/assert.h"
#include "sim/core/entry_kind.h"
#include "sim/world/holdings.h"
#include "sim/world/nodes.h"
#include "sim/world/scheduling.h"
#include "sim/world/trials.h"
#include "sim/world/world.h"

// Nodes for trials. Ray packs: a trial goes to a node that its experiment holds already, and only
// where none has room to a new one.
namespace aftershock::sim::world {

using reports::Cause;

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
  const machines::Pool& pool = world.machines.pool(spec(world, experiment).pool);
  return std::ranges::any_of(trial.place.held, [&](std::uint32_t held) {
    return pool.node(experiment.places.node(held)).cut;
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

bool place(World& world, workload::Experiment& experiment, workload::Trial& trial) {
  const std::uint32_t number = workload::number_of(experiment, trial);
  if (!experiment.places.take(world.machines.pool(spec(world, experiment).pool),
                              holder_id(world, experiment), number, world.now_us(), trial.place)) {
    return false;
  }
  count_again(world, experiment.stuck);
  trial.placement = ++experiment.placements;
  trial.running_index = static_cast<std::uint32_t>(experiment.running.size());
  experiment.running.push_back(number);
  record_holdings(world, experiment, trial);
  return true;
}

void leave_place(World& world, workload::Experiment& experiment, workload::Trial& trial) {
  if (trial.place.empty()) {
    return;
  }
  const std::uint32_t pool = spec(world, experiment).pool;
  experiment.places.give_back(world.machines.pool(pool), world.now_us(), trial.place);
  experiment.running[trial.running_index] = experiment.running.back();
  experiment.trials[experiment.running.back()].running_index = trial.running_index;
  experiment.running.pop_back();
  record_holdings(world, experiment, trial);
  plan_serving(world, pool);
}

// An autoscaler sees what the trials that wait would take.
void ask_nodes(World& world, workload::Experiment& experiment) {
  // A machine that is there at once serves the queue, from which this is called again.
  if (experiment.waiting_count == 0 || experiment.asking) {
    return;
  }
  const std::uint64_t nodes = experiment.places.nodes_for(experiment.waiting_count);
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
      for (const std::uint32_t held : trial.place.held) {
        const std::uint32_t index = experiment.places.node(held);
        const machines::Node& node = world.machines.pool(pool).node(index);
        if (experiment.places.trials_on(held)[trial.place.slot] != number ||
            node.job != holder_id(world, experiment) || node.slot != held) {
          found.push_back(
              fmt::format("node {} of pool {} does not know its trial {}", index, pool, number));
        }
        holders[index] = 1;
      }
    }
  }
}

}  // namespace aftershock::sim::world
