#pragma once

#include <cstdint>
#include <vector>

#include "sim/faults/unit_rates.h"
#include "sim/scenario/scenario.h"

namespace aftershock::sim::faults {

/// The arrivals of a source whose units have a memory: each has a series of gaps of its own, and
/// the next of each waits in a heap, so that an arrival costs the logarithm of their number. In the
/// time of the source's clock.
class Renewals {
 public:
  /// Every unit is new at 0.
  Renewals(const scenario::Scenario& scenario, std::uint32_t spec, const UnitRates* rates);

  /// When a unit strikes next.
  struct Arrival {
    std::int64_t at_us = 0;
    std::uint32_t unit = 0;
  };

  /// The first of all, and how long after the one before that is.
  [[nodiscard]] const Arrival& next() const { return heap_.front(); }
  [[nodiscard]] std::int64_t gap_us() const { return next().at_us - last_us_; }
  /// Takes that one; its unit is as new from then on.
  void pop(const scenario::Scenario& scenario, const UnitRates* rates);

 private:
  [[nodiscard]] std::int64_t draw_gap(const scenario::Scenario& scenario, std::uint32_t unit,
                                      const UnitRates* rates);

  std::uint32_t spec_;
  std::int64_t last_us_ = 0;
  std::vector<Arrival> heap_;         ///< the first is at the front
  std::vector<std::uint32_t> drawn_;  ///< gaps, by unit
};

}  // namespace aftershock::sim::faults
