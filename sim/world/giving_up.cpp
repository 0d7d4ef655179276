#include <algorithm>
#include <utility>

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

}  // namespace

// Neither a fault nor a repair can change it any more: the others go on without it.
void World::give_up_on(Job& job) {
  job.stuck = true;
  --jobs_left_;
}

void World::give_up_on(Experiment& experiment) {
  experiment.stuck = true;
  --jobs_left_;
}

// Something did befall it.
void World::count_again(Job& job) {
  if (std::exchange(job.stuck, false)) {
    ++jobs_left_;
  }
}

void World::count_again(Experiment& experiment) {
  if (std::exchange(experiment.stuck, false)) {
    ++jobs_left_;
  }
}

bool World::stuck() const {
  return stuck_ || std::ranges::any_of(jobs_, &Job::stuck) ||
         std::ranges::any_of(experiments_, &Experiment::stuck);
}

// That waits for nodes without a limit of its own.
void World::give_up_if_hopeless(Job& job) {
  if (job.stuck || job.placement_wait_us || capacity_may_come(job)) {
    return;
  }
  if (may_be_struck(job.index)) {
    holding_out_ = true;
  } else {
    give_up_on(job);
  }
}

void World::give_up_if_hopeless(Experiment& experiment) {
  if (!waits_in_vain(experiment) || experiment.stuck) {
    return;
  }
  if (may_be_struck(job_id(experiment))) {
    holding_out_ = true;
  } else {
    give_up_on(experiment);
  }
}

bool World::waits_in_vain(const Job& job) const {
  return job.stage == Stage::kQueued && job.waiting && !job.placement_wait_us &&
         !capacity_may_come(job);
}

bool World::waits_in_vain(const Experiment& experiment) const {
  return experiment.waiting_count > 0 && experiment.running.empty() &&
         !capacity_may_come(experiment);
}

// Whether a fault is still to come that can reach one who waits for nodes: its driver, or its
// pool. Experiments are counted after the jobs.
bool World::may_be_struck(std::uint32_t waiter) const {
  for (std::uint32_t i = 0; i < scenario_->faults.size(); ++i) {
    if (is_to_come(i, waiter) && can_reach(scenario_->faults[i], waiter)) {
      return true;
    }
  }
  return false;
}

bool World::is_to_come(std::uint32_t spec_index, std::uint32_t waiter) const {
  const FaultSpec& fault = scenario_->faults[spec_index];
  const auto goes_on = [&](std::uint32_t other) {
    return other != waiter &&
           (other < jobs_.size() ? jobs_[other].stage != Stage::kEnded && !jobs_[other].stuck
                                 : !experiments_[other - jobs_.size()].ended &&
                                       !experiments_[other - jobs_.size()].stuck);
  };
  if (fault.source) {
    return true;
  }
  if (fault_spent_[spec_index]) {
    return false;
  }
  if (fault.at_us) {
    return *fault.at_us <= horizon_us_;
  }
  if (fault.at_step) {
    return goes_on(fault.step_job
                       ? *fault.step_job
                       : static_cast<std::uint32_t>(jobs_.size()) + *fault.step_experiment);
  }
  const PhaseTrigger& trigger = *fault.when;
  if (probes_[spec_index].began_us) {
    return !trigger.offset_ppm || trigger_offsets_us_.contains(spec_index);
  }
  // Who is placed in vain again and again enters its wait again and again.
  return goes_on(trigger.job) ||
         (trigger.job == waiter && trigger.phase == Phase::kWaitingForCapacity &&
          jobs_[waiter].placement_wait_us);
}

bool World::can_reach(const FaultSpec& fault, std::uint32_t waiter) const {
  const bool is_job = waiter < jobs_.size();
  const auto pool_of = [&](std::uint32_t holder) {
    return holder < jobs_.size() ? scenario_->jobs[holder].pool
                                 : scenario_->experiments[holder - jobs_.size()].pool;
  };
  const Target& target = fault.target;
  const auto reaches_holder = [&](std::uint32_t holder) {
    return holder == waiter ? interrupts(fault)
                            : !fault.source && pool_of(holder) == pool_of(waiter);
  };
  switch (target.kind) {
    case TargetKind::kHead: {
      const std::uint32_t head = is_job ? scenario_->jobs[waiter].head
                                        : scenario_->experiments[waiter - jobs_.size()].head;
      const auto& restart = scenario_->cluster.heads[target.head].restart;
      // A source that strikes a head which always comes back ends nothing, ever.
      return target.head == head && (!fault.source || !restart || restart->limit);
    }
    case TargetKind::kJob:
    case TargetKind::kRank:
      return reaches_holder(target.job);
    case TargetKind::kExperiment:
    case TargetKind::kTrial:
      return reaches_holder(static_cast<std::uint32_t>(jobs_.size()) + target.experiment);
    case TargetKind::kNode:
    case TargetKind::kAccelerator:
    case TargetKind::kRack:
    case TargetKind::kPool:
      // Nor does one that breaks nodes bring any.
      return !fault.source && target.pool == pool_of(waiter);
  }
  return false;
}

}  // namespace aftershock::sim
