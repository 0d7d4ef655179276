#include "sim/world/unschedulable.h"

#include <algorithm>
#include <utility>

#include "sim/scenario/holders.h"
#include "sim/world/closing.h"
#include "sim/world/nodes.h"
#include "sim/world/scheduling.h"
#include "sim/world/trial_places.h"
#include "sim/world/world.h"

// Jobs and experiments for which no nodes will ever come: when they are given up, and when what
// befalls them still counts.
namespace aftershock::sim::world {

namespace {

bool interrupts(const scenario::FaultSpec& fault) {
  return std::ranges::any_of(fault.effects, [](const scenario::WeightedEffect& each) {
    return each.effect.kind == scenario::FaultKind::kUserInterrupt;
  });
}

bool is_to_come(const World& world, std::uint32_t spec_index, std::uint32_t waiter) {
  const scenario::FaultSpec& fault = world.scenario().faults[spec_index];
  const auto goes_on = [&](std::uint32_t other) {
    const workload::Job* job = job_of(world, other);
    const workload::Experiment* experiment = experiment_of(world, other);
    return other != waiter && (job != nullptr ? job->stage != workload::Stage::kEnded && !job->stuck
                                              : !experiment->ended && !experiment->stuck);
  };
  if (fault.source) {
    return !fault.source->training_job || goes_on(*fault.source->training_job);
  }
  if (world.faults.spent(spec_index)) {
    return false;
  }
  if (fault.at_us) {
    return !world.scenario().until_us || *fault.at_us <= *world.scenario().until_us;
  }
  if (fault.at_step) {
    return goes_on(fault.step_job
                       ? *fault.step_job
                       : scenario::holder_of_experiment(world.scenario(), *fault.step_experiment));
  }
  const scenario::PhaseTrigger& trigger = *fault.when;
  // Its phase has begun, and only the offset is still to pass.
  if (world.faults.probes()[spec_index].began_us) {
    return true;
  }
  // A job whose placement keeps timing out re-enters this phase.
  return goes_on(trigger.job) ||
         (trigger.job == waiter && trigger.phase == scenario::Phase::kWaitingForCapacity &&
          world.jobs[waiter].wait.placement_wait_us);
}

// A place outside all pools affects every job.
bool of_pool(const scenario::NamedPlace& place) {
  return place.kind == scenario::PlaceKind::kPoolSwitch ||
         place.kind == scenario::PlaceKind::kRackSwitch || place.kind == scenario::PlaceKind::kNode;
}

bool can_reach(const scenario::Scenario& scenario, const scenario::FaultSpec& fault,
               std::uint32_t waiter) {
  const auto pool_of = [&](std::uint32_t holder) {
    return scenario::of_holder(scenario, holder, [](const auto& spec) { return spec.pool; });
  };
  const scenario::Target& target = fault.target;
  const auto reaches_holder = [&](std::uint32_t holder) {
    return holder == waiter ? interrupts(fault)
                            : !fault.source && pool_of(holder) == pool_of(waiter);
  };
  switch (target.kind) {
    case scenario::TargetKind::kHead: {
      const std::uint32_t head =
          scenario::of_holder(scenario, waiter, [](const auto& spec) { return spec.head; });
      const auto& restart = scenario.cluster.heads[target.head].restart;
      // A source that strikes a head which always comes back ends nothing, ever.
      return target.head == head && (!fault.source || !restart || restart->limit);
    }
    case scenario::TargetKind::kJob:
    case scenario::TargetKind::kRank:
    case scenario::TargetKind::kAgent:
      return reaches_holder(target.job);
    case scenario::TargetKind::kExperiment:
    case scenario::TargetKind::kTrial:
      return reaches_holder(scenario::holder_of_experiment(scenario, target.experiment));
    case scenario::TargetKind::kNode:
    case scenario::TargetKind::kAccelerator:
    case scenario::TargetKind::kRack:
    case scenario::TargetKind::kPool:
    case scenario::TargetKind::kPowerDomain:
      // Nor does one that breaks nodes bring any.
      return !fault.source && target.pool == pool_of(waiter);
    case scenario::TargetKind::kLink:
    case scenario::TargetKind::kSwitch:
      return !fault.source && (!of_pool(target.end) || target.end.pool == pool_of(waiter));
    case scenario::TargetKind::kStorage:
      break;  // nor does a storage
    case scenario::TargetKind::kCluster:
      return !fault.source;
  }
  return false;
}

}  // namespace

bool may_be_struck(const World& world, std::uint32_t waiter) {
  for (std::uint32_t i = 0; i < world.scenario().faults.size(); ++i) {
    if (is_to_come(world, i, waiter) &&
        can_reach(world.scenario(), world.scenario().faults[i], waiter)) {
      return true;
    }
  }
  return false;
}

// Neither a fault nor a repair can change it any more: the others go on without it.
void give_up_on(World& world, bool& stuck) {
  stuck = true;
  --world.jobs_left;
}

// Something did befall it.
void count_again(World& world, bool& stuck) {
  if (std::exchange(stuck, false)) {
    ++world.jobs_left;
  }
}

bool stuck(const World& world) {
  return world.stuck || std::ranges::any_of(world.jobs, &workload::Job::stuck) ||
         std::ranges::any_of(world.experiments, &workload::Experiment::stuck);
}

bool stuck(const World& world, const workload::Job& job) {
  const bool stands = job.ledger && job.stage != workload::Stage::kEnded &&
                      (job.stage != workload::Stage::kTraining || job.broken);
  return job.stuck || (world.stuck && stands);
}

bool stuck(const World& world, const workload::Experiment& experiment) {
  return experiment.stuck || (world.stuck && experiment.submitted && !experiment.ended);
}

// That waits for nodes without a limit of its own.
void give_up_if_unschedulable(World& world, workload::Job& job) {
  if (job.stuck || job.wait.placement_wait_us || capacity_may_come(world, job)) {
    return;
  }
  if (may_be_struck(world, job.index)) {
    world.queue.hold_out();
  } else {
    give_up_on(world, job.stuck);
  }
}

void give_up_if_unschedulable(World& world, workload::Experiment& experiment) {
  if (!unschedulable(world, experiment) || experiment.stuck) {
    return;
  }
  if (may_be_struck(world, holder_id(world, experiment))) {
    world.queue.hold_out();
  } else {
    give_up_on(world, experiment.stuck);
  }
}

bool unschedulable(const World& world, const workload::Job& job) {
  return job.stage == workload::Stage::kQueued && job.wait.waiting && !job.wait.placement_wait_us &&
         !capacity_may_come(world, job);
}

bool unschedulable(const World& world, const workload::Experiment& experiment) {
  return experiment.waiting_count > 0 && experiment.running.empty() &&
         !capacity_may_come(world, experiment);
}

}  // namespace aftershock::sim::world
