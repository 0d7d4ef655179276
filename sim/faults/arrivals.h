#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "sim/core/run_core.h"
#include "sim/faults/renewals.h"
#include "sim/faults/source_clock.h"
#include "sim/faults/unit_rates.h"

namespace aftershock::sim::faults {

/// An occurrence that is to strike now.
struct Arrival {
  std::uint32_t spec = 0;             ///< fault of the scenario
  std::uint64_t nth = 0;              ///< of its occurrences
  std::optional<std::uint32_t> unit;  ///< of its source, where that is known already
};

/// The faults that random processes and plans send into a run: when the next one comes. The room
/// owns the clocks of sources whose time does not always go on, the rates of units that differ, and
/// the series of units with a memory. Sources on the calendar have a date; those on a clock have
/// the rest of a gap, which goes by while the clock goes on, as fast as there are units at risk. It
/// promises that what it draws depends on scenario, seed and branch alone.
class Arrivals {
 public:
  explicit Arrivals(const scenario::Scenario& scenario) : next_(scenario.faults.size()) {}

  /// Plans the first occurrence of a fault with a source. One that depends on nodes stands still
  /// until expose().
  void begin(core::RunCore& core, std::uint32_t spec);
  /// The occurrence of an entry of kArrival, behind which the next is planned; none: the clock has
  /// moved on since.
  std::optional<Arrival> arrive(core::RunCore& core, const engine::Entry& entry);
  /// The occurrence of an entry of kFollower.
  [[nodiscard]] static Arrival follow(const engine::Entry& entry);
  /// Draws anew what is to come, in the run's branch. Plans stay; no source may have a memory.
  void branch(core::RunCore& core);
  /// The job begins or ceases to train: sources whose time is that go on or stand still.
  /// `on_target(spec)`: whether the job works on the target of the fault.
  template <class OnTarget>
  void turn(core::RunCore& core, std::uint32_t job, bool trains, const OnTarget& on_target) {
    for (SourceClock& clock : clocks_) {
      if (core.scenario().faults[clock.spec].source->training_job == job) {
        turn_on(core, clock, trains && on_target(clock.spec) ? 1 : 0);
      }
    }
  }
  /// Whether expose() has anything to do.
  [[nodiscard]] bool has_clocks() const { return !clocks_.empty(); }
  /// Nodes may have come up, gone down, been taken or given back. `at_risk(spec)`: how many units
  /// of the fault's source are at risk now.
  template <class AtRisk>
  void expose(core::RunCore& core, const AtRisk& at_risk) {
    for (SourceClock& clock : clocks_) {
      if (core.scenario().faults[clock.spec].source->exposure) {
        turn_on(core, clock, at_risk(clock.spec));
      }
    }
  }
  /// The rates of the units of a fault's source, null where they do not differ.
  [[nodiscard]] const UnitRates* rates_of(std::uint32_t spec) const;

 private:
  void plan(core::RunCore& core, std::uint32_t spec, std::uint64_t nth);
  void plan(core::RunCore& core, SourceClock& clock, std::uint64_t nth);
  void push(core::RunCore& core, const SourceClock& clock);
  /// Lets the clock go on for so many units, where it does not already.
  void turn_on(core::RunCore& core, SourceClock& clock, std::int64_t units);
  static void plan_followers(core::RunCore& core, std::uint32_t spec, std::uint64_t nth);
  [[nodiscard]] SourceClock* clock_of(std::uint32_t spec);
  [[nodiscard]] std::int64_t gap_us(const core::RunCore& core, std::uint32_t spec,
                                    std::uint64_t nth) const;

  std::vector<SourceClock> clocks_;
  std::vector<std::uint64_t> next_;  ///< by fault: what its source on the calendar plans
  std::map<std::uint32_t, UnitRates> unit_rates_;  ///< by fault, of those that have some
  std::map<std::uint32_t, Renewals> renewals_;
};

}  // namespace aftershock::sim::faults
