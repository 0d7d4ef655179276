#include "sim/faults/arrivals.h"

#include <algorithm>

#include "base/assert.h"
#include "sim/chance/draws.h"
#include "sim/faults/source.h"
#include "sim/scenario/faults/fault_catalogue.h"

namespace aftershock::sim::faults {

SourceClock* Arrivals::clock_of(std::uint32_t spec) {
  const auto found = std::ranges::find(clocks_, spec, &SourceClock::spec);
  return found == clocks_.end() ? nullptr : &*found;
}

void Arrivals::begin(core::RunCore& core, std::uint32_t spec) {
  const scenario::StochasticSource& source = *core.scenario().faults[spec].source;
  if (source.mixed_shape) {
    unit_rates_.try_emplace(spec, core.scenario(), spec);
  }
  if (scenario::has_memory(source)) {
    const auto rates = unit_rates_.find(spec);
    renewals_.try_emplace(spec, core.scenario(), spec,
                          rates == unit_rates_.end() ? nullptr : &rates->second);
  }
  if (!scenario::on_clock(source)) {
    plan(core, spec, 0);
    return;
  }
  clocks_.push_back({.spec = spec});
  plan(core, clocks_.back(), 0);
}

std::int64_t Arrivals::gap_us(const core::RunCore& core, std::uint32_t spec,
                              std::uint64_t nth) const {
  if (const auto renewals = renewals_.find(spec); renewals != renewals_.end()) {
    return renewals->second.gap_us();
  }
  const scenario::Scenario& scenario = core.scenario();
  const scenario::FaultSpec& fault = scenario.faults[spec];
  const auto rates = unit_rates_.find(spec);
  // On a clock of nodes a gap is that of one unit: it passes as fast as there are units.
  const double units = fault.source->exposure       ? 1
                       : rates != unit_rates_.end() ? rates->second.total()
                                                    : units_of(scenario, fault);
  return draw_gap_us(scenario, spec, nth, core.branch(), units);
}

void Arrivals::plan(core::RunCore& core, std::uint32_t spec, std::uint64_t nth) {
  // A branch of the world plans this occurrence anew.
  next_[spec] = nth;
  const scenario::StochasticSource& source = *core.scenario().faults[spec].source;
  std::int64_t wait_us = 0;
  if (source.occurrences) {
    if (nth >= source.occurrences->size()) {
      return;
    }
    wait_us = (*source.occurrences)[nth].at_us - core.now_us();
  } else if (const auto& plan = source.maintenance) {
    const auto window = static_cast<std::int64_t>(nth / plan->nodes);
    // Divided, as the product of a late window could overflow.
    if (window > (core.horizon_us() - plan->first_us) / plan->every_us) {
      return;
    }
    wait_us = plan->first_us + window * plan->every_us - core.now_us();
  } else {
    wait_us = gap_us(core, spec, nth);
  }
  // An arrival beyond the horizon never plays, and its time could overflow.
  if (wait_us <= core.horizon_us() - core.now_us()) {
    core.schedule(core::EntryKind::kArrival, core.now_us() + wait_us,
                  {.entity = spec, .arg = static_cast<std::int64_t>(nth)});
  }
}

// The lateness of the last look is part of this gap.
void Arrivals::plan(core::RunCore& core, SourceClock& clock, std::uint64_t nth) {
  clock.nth = nth;
  clock.left_us = gap_us(core, clock.spec, nth) + std::min<std::int64_t>(clock.left_us, 0);
  clock.since_us = core.now_us();
  if (clock.units > 0) {
    push(core, clock);
  }
}

void Arrivals::push(core::RunCore& core, const SourceClock& clock) {
  // Rounded up: a look that comes too early would find time left.
  const std::int64_t wait_us =
      std::max<std::int64_t>(0, (clock.left_us + clock.units - 1) / clock.units);
  if (wait_us <= core.horizon_us() - core.now_us()) {
    core.schedule(
        core::EntryKind::kArrival, core.now_us() + wait_us,
        {.entity = clock.spec, .epoch = clock.epoch, .arg = static_cast<std::int64_t>(clock.nth)});
  }
}

std::optional<Arrival> Arrivals::arrive(core::RunCore& core, const engine::Entry& entry) {
  const std::uint32_t spec = entry.entity;
  const auto nth = static_cast<std::uint64_t>(entry.arg);
  SourceClock* clock = clock_of(spec);
  // The number of units has changed since: another entry stands for this arrival.
  if (clock != nullptr && clock->epoch != entry.epoch) {
    return std::nullopt;
  }
  std::optional<std::uint32_t> unit;
  if (const auto renewals = renewals_.find(spec); renewals != renewals_.end()) {
    unit = renewals->second.next().unit;
    const auto rates = unit_rates_.find(spec);
    renewals->second.pop(core.scenario(), rates == unit_rates_.end() ? nullptr : &rates->second);
  } else if (core.scenario().faults[spec].source->maintenance) {
    const scenario::Target& target = core.scenario().faults[spec].target;
    // Windows go round the slots of the pool in turn.
    unit = static_cast<std::uint32_t>(nth % core.scenario().cluster.pools[target.pool].max_nodes);
  }
  if (clock == nullptr) {
    plan(core, spec, nth + 1);
  } else {
    clock->left_us -= (core.now_us() - clock->since_us) * clock->units;
    plan(core, *clock, nth + 1);
  }
  plan_followers(core, spec, nth);
  return Arrival{spec, nth, unit};
}

void Arrivals::plan_followers(core::RunCore& core, std::uint32_t spec, std::uint64_t nth) {
  const auto& burst = core.scenario().faults[spec].source->burst;
  if (!burst) {
    return;
  }
  const chance::RandomKey key = fault_key(core.scenario(), spec, core.branch());
  if (chance::draw_index(1'000'000, chance::RandomDraw(key, nth, chance::Purpose::kBurst)) >=
      burst->share_ppm) {
    return;
  }
  const scenario::Distribution when{
      .shape = scenario::Distribution::Uniform{0, burst->within_us}, .min_us = {}, .max_us = {}};
  for (std::uint32_t i = 1; i <= burst->more; ++i) {
    // Followers have numbers of their own: their draws never meet those of arrivals.
    const std::uint64_t n = follower(nth, i);
    const std::int64_t wait_us =
        chance::draw_us(when, chance::RandomDraw(key, n, chance::Purpose::kBurstTime));
    core.schedule(core::EntryKind::kFollower, core.now_us() + wait_us,
                  {.entity = spec, .arg = static_cast<std::int64_t>(n)});
  }
}

Arrival Arrivals::follow(const engine::Entry& entry) {
  return {entry.entity, static_cast<std::uint64_t>(entry.arg), std::nullopt};
}

void Arrivals::branch(core::RunCore& core) {
  // The arrivals that are planned belong to the future that is left behind.
  core.drop(core::EntryKind::kArrival);
  for (std::uint32_t spec = 0; spec < core.scenario().faults.size(); ++spec) {
    const auto& source = core.scenario().faults[spec].source;
    // A source with memory draws gaps from those before, which a new branch cannot redraw.
    AFTERSHOCK_ASSERT(!source || !scenario::has_memory(*source));
    if (SourceClock* clock = clock_of(spec); clock != nullptr) {
      plan(core, *clock, clock->nth);
    } else if (source) {
      plan(core, spec, next_[spec]);
    }
  }
}

void Arrivals::turn_on(core::RunCore& core, SourceClock& clock, std::int64_t units) {
  if (units == clock.units) {
    return;
  }
  // Time that has passed counts with the old number of units.
  clock.left_us -= (core.now_us() - clock.since_us) * clock.units;
  clock.since_us = core.now_us();
  clock.units = units;
  // The planned entry stays in the calendar, void by its old epoch.
  ++clock.epoch;
  if (units > 0) {
    push(core, clock);
  }
}

const UnitRates* Arrivals::rates_of(std::uint32_t spec) const {
  const auto rates = unit_rates_.find(spec);
  return rates == unit_rates_.end() ? nullptr : &rates->second;
}

}  // namespace aftershock::sim::faults
