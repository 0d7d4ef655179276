#include "sim/world/holdings.h"

#include <utility>
#include <vector>

#include "sim/world/world.h"

namespace aftershock::sim::world {

using reports::EntityKind;

void record_holdings(World& world, workload::Job& job) {
  if (!world.core.recorder().writing()) {
    return;
  }
  std::vector<std::uint32_t> nodes;
  if (job.holding) {
    nodes = job.placement.slots;
  }
  for (const workload::Leak& leak : job.pods.leaks) {
    nodes.insert(nodes.end(), leak.placement.slots.begin(), leak.placement.slots.end());
  }
  if (nodes != job.recorded_nodes) {
    world.core.recorder().holds(world.now_us(), {EntityKind::kJob, job.index}, nodes);
    job.recorded_nodes = std::move(nodes);
  }
}

void record_holdings(World& world, const workload::Experiment& experiment,
                     const workload::Trial& trial) {
  if (!world.core.recorder().writing()) {
    return;
  }
  std::vector<std::uint32_t> nodes;
  for (const std::uint32_t held : trial.place.held) {
    nodes.push_back(experiment.places.node(held));
  }
  world.core.recorder().holds(
      world.now_us(),
      {EntityKind::kTrial, experiment.index, workload::number_of(experiment, trial)}, nodes);
}

}  // namespace aftershock::sim::world
