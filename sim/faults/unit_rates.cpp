#include "sim/faults/unit_rates.h"

#include <algorithm>

#include "sim/chance/draws.h"
#include "sim/faults/source.h"

namespace aftershock::sim::faults {

UnitRates::UnitRates(const scenario::Scenario& scenario, std::uint32_t spec) {
  const scenario::FaultSpec& fault = scenario.faults[spec];
  const chance::RandomKey key = fault_key(scenario, spec, 0);
  const std::uint32_t units = units_of(scenario, fault);
  double sum = 0;
  for (std::uint32_t unit = 0; unit < units; ++unit) {
    // One that never strikes would still have to have its turn.
    constexpr double kLeast = 1e-12;
    const chance::RandomDraw draw(key, unit, chance::Purpose::kUnitRate);
    sum += std::max(kLeast, chance::draw_gamma(*fault.source->mixed_shape, draw));
    up_to_.push_back(sum);
  }
}

double UnitRates::of(std::uint32_t unit) const {
  return unit == 0 ? up_to_[0] : up_to_[unit] - up_to_[unit - 1];
}

std::uint32_t UnitRates::draw(chance::RandomDraw random) const {
  const auto found = std::ranges::upper_bound(up_to_, chance::draw_unit(random) * total());
  // Rounding may take the product up to the total itself.
  return std::min(static_cast<std::uint32_t>(found - up_to_.begin()), size() - 1);
}

}  // namespace aftershock::sim::faults
