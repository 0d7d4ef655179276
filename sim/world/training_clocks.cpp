#include <algorithm>

#include "policies/api/assert.h"
#include "sim/faults/source.h"
#include "sim/world/entries.h"
#include "sim/world/world.h"

// Sources whose clock is the training of a job: entries come and go with its phases, and what is
// left of a gap when it stops is what it goes on with.
namespace aftershock::sim {

namespace {

std::uint32_t job_of(const Scenario& scenario, const TrainingClock& clock) {
  return *scenario.faults[clock.spec].source->training_job;
}

}  // namespace

TrainingClock& World::training_clock(std::uint32_t spec) {
  const auto found = std::ranges::find(training_clocks_, spec, &TrainingClock::spec);
  AFTERSHOCK_ASSERT(found != training_clocks_.end());
  return *found;
}

void World::plan_arrival_in_training(std::uint32_t spec, std::uint64_t nth) {
  TrainingClock& clock = training_clock(spec);
  clock.nth = nth;
  clock.left_us = draw_gap_us(*scenario_, spec, nth, branch_);
  clock.since_us = now_us_;
  if (clock.runs) {
    plan_arrival(clock);
  }
}

void World::plan_arrival(const TrainingClock& clock) {
  if (clock.left_us <= horizon_us_ - now_us_) {
    calendar_.push(now_us_ + clock.left_us, EntryClass::kFault,
                   static_cast<std::uint16_t>(What::kArrival), clock.spec, clock.epoch,
                   static_cast<std::int64_t>(clock.nth));
  }
}

void World::arrive(const Entry& entry) {
  const std::uint32_t spec = entry.entity;
  const auto nth = static_cast<std::uint64_t>(entry.arg);
  if (!on_training_clock(scenario_->faults[spec])) {
    plan_arrival(spec, nth + 1);
  } else if (training_clock(spec).epoch == entry.epoch) {
    plan_arrival_in_training(spec, nth + 1);
  } else {
    return;
  }
  strike(spec, nth);
}

void World::branch(std::uint64_t branch) {
  branch_ = branch;
  calendar_.drop(static_cast<std::uint16_t>(What::kArrival));
  for (std::uint32_t spec = 0; spec < scenario_->faults.size(); ++spec) {
    const auto& source = scenario_->faults[spec].source;
    if (on_training_clock(scenario_->faults[spec])) {
      plan_arrival_in_training(spec, training_clock(spec).nth);
    } else if (source) {
      plan_arrival(spec, next_arrivals_[spec]);
    }
  }
}

// One node is at risk while the job works on it.
bool World::works_on_target(const Job& job, std::uint32_t spec_index) {
  const Target& target = scenario_->faults[spec_index].target;
  const bool one_node = target.kind == TargetKind::kNode || target.kind == TargetKind::kAccelerator;
  return !one_node || holder(target.pool, target.index) == &job;
}

void World::turn_training_clocks(const Job& job, bool trains) {
  for (TrainingClock& clock : training_clocks_) {
    const bool runs = trains && works_on_target(job, clock.spec);
    if (job_of(*scenario_, clock) != job.index || runs == clock.runs) {
      continue;
    }
    clock.left_us -= clock.runs ? now_us_ - clock.since_us : 0;
    clock.since_us = now_us_;
    clock.runs = runs;
    ++clock.epoch;
    if (runs) {
      plan_arrival(clock);
    }
  }
}

// Of a pool, what the job uses: any of its nodes alike, or any of its accelerators.
void World::resolve_in_training(const FaultSpec& spec, FaultRecord& fault) {
  const Job& job = jobs_[*spec.source->training_job];
  const std::uint32_t per_node = scenario_->cluster.pools[spec.target.pool].accelerators_per_node;
  const bool of_accelerators = spec.source->per == RatePer::kAccelerator;
  const std::uint32_t workers = scenario_->jobs[job.index].workers;
  const std::uint32_t slots = (workers + per_node - 1) / per_node;
  const std::uint32_t drawn = draw_index(
      of_accelerators ? workers : slots * per_node,
      RandomDraw(fault_key(*scenario_, fault.spec, fault.branch), fault.nth, Purpose::kTarget));
  const std::uint32_t slot = drawn / per_node;
  if (slot >= job.placement.slots.size()) {
    return;  // a job below its full size, and a node that it would have
  }
  fault.pool = spec.target.pool;
  fault.node = job.placement.slots[slot];
  fault.accelerator = drawn % per_node;
  if (drawn < job.workers) {
    fault.job = job.index;
    fault.rank = drawn;
  }
}

}  // namespace aftershock::sim
