#pragma once

#include <cstdint>
#include <vector>

#include "sim/chance/random_draw.h"
#include "sim/scenario/scenario.h"

namespace aftershock::sim::faults {

/// The rates of a source's units where they differ: how often each strikes, against the mean. A
/// function of scenario and seed, the same in every future of a world.
class UnitRates {
 public:
  /// Gamma draws with the source's shape and mean 1, one a unit.
  UnitRates(const scenario::Scenario& scenario, std::uint32_t spec);

  /// Of one unit, of all together, and how many there are.
  [[nodiscard]] double of(std::uint32_t unit) const;
  [[nodiscard]] double total() const { return up_to_.back(); }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(up_to_.size()); }

  /// A unit, each as likely as its rate is of the total.
  [[nodiscard]] std::uint32_t draw(chance::RandomDraw random) const;

 private:
  std::vector<double> up_to_;  ///< sums of the rates
};

}  // namespace aftershock::sim::faults
