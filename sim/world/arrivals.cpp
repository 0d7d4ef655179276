#include "sim/world/arrivals.h"

#include <algorithm>

#include "policies/api/assert.h"
#include "sim/faults/source.h"
#include "sim/scenario/fault_catalogue.h"
#include "sim/world/entries.h"

// When sources strike. What is on the calendar has a date; what is on a clock has a rest of a gap,
// which goes by while that clock goes on, as fast as there are units for which it does.
namespace aftershock::sim {

SourceClock* Arrivals::clock_of(std::uint32_t spec) {
  const auto found = std::ranges::find(world_.source_clocks_, spec, &SourceClock::spec);
  return found == world_.source_clocks_.end() ? nullptr : &*found;
}

void Arrivals::begin(std::uint32_t spec) {
  const StochasticSource& source = *world_.scenario_->faults[spec].source;
  if (source.mixed_shape) {
    world_.unit_rates_.try_emplace(spec, *world_.scenario_, spec);
  }
  if (has_memory(source)) {
    const auto rates = world_.unit_rates_.find(spec);
    world_.renewals_.try_emplace(spec, *world_.scenario_, spec,
                                 rates == world_.unit_rates_.end() ? nullptr : &rates->second);
  }
  if (!on_clock(source)) {
    plan(spec, 0);
    return;
  }
  world_.source_clocks_.push_back({.spec = spec});
  plan(world_.source_clocks_.back(), 0);
  if (source.exposure) {
    turn(world_.source_clocks_.back(), units_at_risk(spec));
  }
}

std::int64_t Arrivals::gap_us(std::uint32_t spec, std::uint64_t nth) const {
  if (const auto renewals = world_.renewals_.find(spec); renewals != world_.renewals_.end()) {
    return renewals->second.gap_us();
  }
  const Scenario& scenario = *world_.scenario_;
  const FaultSpec& fault = scenario.faults[spec];
  const auto rates = world_.unit_rates_.find(spec);
  // On a clock of nodes a gap is that of one unit: it passes as fast as there are units.
  const long double units = fault.source->exposure ? 1
                            : rates != world_.unit_rates_.end()
                                ? rates->second.total()
                                : static_cast<long double>(units_of(scenario, fault));
  return draw_gap_us(scenario, spec, nth, world_.branch_, units);
}

void Arrivals::plan(std::uint32_t spec, std::uint64_t nth) {
  world_.next_arrivals_[spec] = nth;
  const StochasticSource& source = *world_.scenario_->faults[spec].source;
  std::int64_t wait_us = 0;
  if (source.occurrences) {
    if (nth >= source.occurrences->size()) {
      return;
    }
    wait_us = (*source.occurrences)[nth].at_us - world_.now_us_;
  } else if (const auto& plan = source.maintenance) {
    const auto window = static_cast<std::int64_t>(nth / plan->nodes);
    if (window > (world_.horizon_us_ - plan->first_us) / plan->every_us) {
      return;
    }
    wait_us = plan->first_us + window * plan->every_us - world_.now_us_;
  } else {
    wait_us = gap_us(spec, nth);
  }
  if (wait_us <= world_.horizon_us_ - world_.now_us_) {
    world_.calendar_.push(world_.now_us_ + wait_us, EntryClass::kFault,
                          static_cast<std::uint16_t>(What::kArrival), spec, 0,
                          static_cast<std::int64_t>(nth));
  }
}

// What the last look was late by is part of this gap.
void Arrivals::plan(SourceClock& clock, std::uint64_t nth) {
  clock.nth = nth;
  clock.left_us = gap_us(clock.spec, nth) + std::min<std::int64_t>(clock.left_us, 0);
  clock.since_us = world_.now_us_;
  if (clock.units > 0) {
    push(clock);
  }
}

void Arrivals::push(const SourceClock& clock) {
  const std::int64_t wait_us =
      std::max<std::int64_t>(0, (clock.left_us + clock.units - 1) / clock.units);
  if (wait_us <= world_.horizon_us_ - world_.now_us_) {
    world_.calendar_.push(world_.now_us_ + wait_us, EntryClass::kFault,
                          static_cast<std::uint16_t>(What::kArrival), clock.spec, clock.epoch,
                          static_cast<std::int64_t>(clock.nth));
  }
}

void Arrivals::arrive(const Entry& entry) {
  const std::uint32_t spec = entry.entity;
  const auto nth = static_cast<std::uint64_t>(entry.arg);
  SourceClock* clock = clock_of(spec);
  if (clock != nullptr && clock->epoch != entry.epoch) {
    return;
  }
  std::optional<std::uint32_t> unit;
  if (const auto renewals = world_.renewals_.find(spec); renewals != world_.renewals_.end()) {
    unit = renewals->second.next().unit;
    const auto rates = world_.unit_rates_.find(spec);
    renewals->second.pop(*world_.scenario_,
                         rates == world_.unit_rates_.end() ? nullptr : &rates->second);
  } else if (world_.scenario_->faults[spec].source->maintenance) {
    const Target& target = world_.scenario_->faults[spec].target;
    unit = static_cast<std::uint32_t>(nth % world_.pools_[target.pool].size());
  }
  if (clock == nullptr) {
    plan(spec, nth + 1);
  } else {
    clock->left_us -= (world_.now_us_ - clock->since_us) * clock->units;
    plan(*clock, nth + 1);
  }
  plan_followers(spec, nth);
  world_.strike(spec, nth, {}, unit);
}

void Arrivals::plan_followers(std::uint32_t spec, std::uint64_t nth) {
  const auto& burst = world_.scenario_->faults[spec].source->burst;
  if (!burst) {
    return;
  }
  const RandomKey key = fault_key(*world_.scenario_, spec, world_.branch_);
  if (draw_index(kAsFast, RandomDraw(key, nth, Purpose::kBurst)) >= burst->share_ppm) {
    return;
  }
  const Distribution when{
      .shape = Distribution::Uniform{0, burst->within_us}, .min_us = {}, .max_us = {}};
  for (std::uint32_t i = 1; i <= burst->more; ++i) {
    const std::uint64_t n = follower(nth, i);
    const std::int64_t wait_us = draw_us(when, RandomDraw(key, n, Purpose::kBurstTime));
    world_.calendar_.push(world_.now_us_ + wait_us, EntryClass::kFault,
                          static_cast<std::uint16_t>(What::kFollower), spec, 0,
                          static_cast<std::int64_t>(n));
  }
}

void Arrivals::follow(const Entry& entry) {
  world_.strike(entry.entity, static_cast<std::uint64_t>(entry.arg));
}

void Arrivals::branch() {
  world_.calendar_.drop(static_cast<std::uint16_t>(What::kArrival));
  for (std::uint32_t spec = 0; spec < world_.scenario_->faults.size(); ++spec) {
    const auto& source = world_.scenario_->faults[spec].source;
    AFTERSHOCK_ASSERT(!source || !has_memory(*source));
    if (SourceClock* clock = clock_of(spec); clock != nullptr) {
      plan(*clock, clock->nth);
    } else if (source) {
      plan(spec, world_.next_arrivals_[spec]);
    }
  }
}

// One node is at risk while the job works on it.
bool Arrivals::works_on_target(const Job& job, std::uint32_t spec_index) {
  const Target& target = world_.scenario_->faults[spec_index].target;
  const bool one_node = target.kind == TargetKind::kNode || target.kind == TargetKind::kAccelerator;
  return !one_node || world_.holder(target.pool, target.index) == &job;
}

void Arrivals::turn(const Job& job, bool trains) {
  for (SourceClock& clock : world_.source_clocks_) {
    const auto& of_job = world_.scenario_->faults[clock.spec].source->training_job;
    const bool runs = trains && of_job && works_on_target(job, clock.spec);
    if (of_job == job.index && runs != (clock.units > 0)) {
      turn(clock, runs ? 1 : 0);
    }
  }
}

void Arrivals::turn(SourceClock& clock, std::int64_t units) {
  clock.left_us -= (world_.now_us_ - clock.since_us) * clock.units;
  clock.since_us = world_.now_us_;
  clock.units = units;
  ++clock.epoch;
  if (units > 0) {
    push(clock);
  }
}

std::int64_t Arrivals::units_at_risk(std::uint32_t spec) const {
  const FaultSpec& fault = world_.scenario_->faults[spec];
  const Target& target = fault.target;
  const Pool& pool = world_.pools_[target.pool];
  const bool powered = *fault.source->exposure == Exposure::kPowered;
  const std::int64_t per_node =
      fault.source->per == RatePer::kAccelerator && target.kind != TargetKind::kAccelerator
          ? world_.scenario_->cluster.pools[target.pool].accelerators_per_node
          : 1;
  if (target.kind == TargetKind::kPool) {
    return (powered ? pool.nodes_up() : pool.nodes_taken()) * per_node;
  }
  const bool exposed = powered ? pool.node(target.index).up : pool.taken(target.index);
  return exposed ? per_node : 0;
}

void Arrivals::expose() {
  for (SourceClock& clock : world_.source_clocks_) {
    if (!world_.scenario_->faults[clock.spec].source->exposure) {
      continue;
    }
    if (const std::int64_t units = units_at_risk(clock.spec); units != clock.units) {
      turn(clock, units);
    }
  }
}

}  // namespace aftershock::sim
