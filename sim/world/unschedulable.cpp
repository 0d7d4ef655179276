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
namespace aftershock::sim {

namespace {

bool interrupts(const FaultSpec& fault) {
  return std::ranges::any_of(fault.effects, [](const WeightedEffect& each) {
    return each.effect.kind == FaultKind::kUserInterrupt;
  });
}

bool is_to_come(const World& world, std::uint32_t spec_index, std::uint32_t waiter) {
  const FaultSpec& fault = world.scenario().faults[spec_index];
  const auto goes_on = [&](std::uint32_t other) {
    const Job* job = job_of(world, other);
    const Experiment* experiment = experiment_of(world, other);
    return other != waiter && (job != nullptr ? job->stage != Stage::kEnded && !job->stuck
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
    return goes_on(fault.step_job ? *fault.step_job
                                  : holder_of_experiment(world.scenario(), *fault.step_experiment));
  }
  const PhaseTrigger& trigger = *fault.when;
  // Its phase has begun, and only the offset is still to pass.
  if (world.faults.probes()[spec_index].began_us) {
    return true;
  }
  // A job whose placement keeps timing out re-enters this phase.
  return goes_on(trigger.job) ||
         (trigger.job == waiter && trigger.phase == Phase::kWaitingForCapacity &&
          world.jobs[waiter].wait.placement_wait_us);
}

// A place outside all pools affects every job.
bool of_pool(const NamedPlace& place) {
  return place.kind == PlaceKind::kPoolSwitch || place.kind == PlaceKind::kRackSwitch ||
         place.kind == PlaceKind::kNode;
}

bool can_reach(const Scenario& scenario, const FaultSpec& fault, std::uint32_t waiter) {
  const auto pool_of = [&](std::uint32_t holder) {
    return of_holder(scenario, holder, [](const auto& spec) { return spec.pool; });
  };
  const Target& target = fault.target;
  const auto reaches_holder = [&](std::uint32_t holder) {
    return holder == waiter ? interrupts(fault)
                            : !fault.source && pool_of(holder) == pool_of(waiter);
  };
  switch (target.kind) {
    case TargetKind::kHead: {
      const std::uint32_t head =
          of_holder(scenario, waiter, [](const auto& spec) { return spec.head; });
      const auto& restart = scenario.cluster.heads[target.head].restart;
      // A source that strikes a head which always comes back ends nothing, ever.
      return target.head == head && (!fault.source || !restart || restart->limit);
    }
    case TargetKind::kJob:
    case TargetKind::kRank:
    case TargetKind::kAgent:
      return reaches_holder(target.job);
    case TargetKind::kExperiment:
    case TargetKind::kTrial:
      return reaches_holder(holder_of_experiment(scenario, target.experiment));
    case TargetKind::kNode:
    case TargetKind::kAccelerator:
    case TargetKind::kRack:
    case TargetKind::kPool:
    case TargetKind::kPowerDomain:
      // Nor does one that breaks nodes bring any.
      return !fault.source && target.pool == pool_of(waiter);
    case TargetKind::kLink:
    case TargetKind::kSwitch:
      return !fault.source && (!of_pool(target.end) || target.end.pool == pool_of(waiter));
    case TargetKind::kStorage:
      break;  // nor does a storage
    case TargetKind::kCluster:
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
  return world.stuck || std::ranges::any_of(world.jobs, &Job::stuck) ||
         std::ranges::any_of(world.experiments, &Experiment::stuck);
}

bool stuck(const World& world, const Job& job) {
  const bool stands =
      job.ledger && job.stage != Stage::kEnded && (job.stage != Stage::kTraining || job.broken);
  return job.stuck || (world.stuck && stands);
}

bool stuck(const World& world, const Experiment& experiment) {
  return experiment.stuck || (world.stuck && experiment.submitted && !experiment.ended);
}

// That waits for nodes without a limit of its own.
void give_up_if_unschedulable(World& world, Job& job) {
  if (job.stuck || job.wait.placement_wait_us || capacity_may_come(world, job)) {
    return;
  }
  if (may_be_struck(world, job.index)) {
    world.queue.hold_out();
  } else {
    give_up_on(world, job.stuck);
  }
}

void give_up_if_unschedulable(World& world, Experiment& experiment) {
  if (!unschedulable(world, experiment) || experiment.stuck) {
    return;
  }
  if (may_be_struck(world, holder_id(world, experiment))) {
    world.queue.hold_out();
  } else {
    give_up_on(world, experiment.stuck);
  }
}

bool unschedulable(const World& world, const Job& job) {
  return job.stage == Stage::kQueued && job.wait.waiting && !job.wait.placement_wait_us &&
         !capacity_may_come(world, job);
}

bool unschedulable(const World& world, const Experiment& experiment) {
  return experiment.waiting_count > 0 && experiment.running.empty() &&
         !capacity_may_come(world, experiment);
}

}  // namespace aftershock::sim
