#include "sim/faults/renewals.h"

#include <algorithm>
#include <tuple>

#include "sim/chance/draws.h"
#include "sim/faults/source.h"

namespace aftershock::sim::faults {

namespace {

// Units that strike in the same microsecond do so in their order.
bool comes_later(const Renewals::Arrival& a, const Renewals::Arrival& b) {
  return std::tie(a.at_us, a.unit) > std::tie(b.at_us, b.unit);
}

}  // namespace

Renewals::Renewals(const scenario::Scenario& scenario, std::uint32_t spec, const UnitRates* rates)
    : spec_(spec) {
  const std::uint32_t units = units_of(scenario, scenario.faults[spec]);
  drawn_.resize(units);
  for (std::uint32_t unit = 0; unit < units; ++unit) {
    heap_.push_back({draw_gap(scenario, unit, rates), unit});
  }
  std::ranges::make_heap(heap_, comes_later);
}

void Renewals::pop(const scenario::Scenario& scenario, const UnitRates* rates) {
  last_us_ = next().at_us;
  std::ranges::pop_heap(heap_, comes_later);
  Arrival& taken = heap_.back();
  taken.at_us += draw_gap(scenario, taken.unit, rates);
  std::ranges::push_heap(heap_, comes_later);
}

std::int64_t Renewals::draw_gap(const scenario::Scenario& scenario, std::uint32_t unit,
                                const UnitRates* rates) {
  // Each unit has numbers of its own: its gaps do not depend on how often the others struck.
  const std::uint64_t n = (std::uint64_t{unit} << 32U) | drawn_[unit]++;
  // Far beyond any run, and sums of a few stay within 64 bits.
  constexpr std::int64_t kLongest_us = 1'000'000'000'000'000'000;
  const chance::RandomDraw draw(fault_key(scenario, spec_, 0), n, chance::Purpose::kUnitGap);
  const std::int64_t drawn_us = chance::draw_us(*scenario.faults[spec_].source->gaps, draw);
  const std::int64_t gap_us =
      rates == nullptr ? drawn_us
                       : chance::whole_us(static_cast<double>(drawn_us) / rates->of(unit));
  return std::clamp<std::int64_t>(gap_us, 1, kLongest_us);
}

}  // namespace aftershock::sim::faults
