#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/scenario/distribution.h"
#include "sim/scenario/fault_target.h"

namespace aftershock::sim::scenario {

/// Of what a source's rate is. A rack, a power domain or a rack's switch is struck as a whole.
enum class RatePer : std::uint8_t {
  kNode,
  kAccelerator,
  kJob,
  kPool,
  kRack,
  kPowerDomain,
  kCluster,
  kSwitch,  ///< of a rack
};

/// The state of a node in which a source's time goes on for it.
enum class Exposure : std::uint8_t { kPowered, kAllocated };

/// Some occurrences bring others of their kind with them.
struct Burst {
  std::int64_t share_ppm = 1'000'000;  ///< of the occurrences that do
  std::uint32_t more = 1;
  std::int64_t within_us = 0;  ///< any time from then on, each
};

/// Planned work: so many nodes every time, in turn.
struct Maintenance {
  std::int64_t first_us = 0;
  std::int64_t every_us = 0;
  std::uint32_t nodes = 1;
};

/// One time that a source struck in a run, with what was drawn for it.
struct Occurrence {
  std::uint64_t nth = 0;  ///< its number, by which all else about it is drawn
  std::int64_t at_us = 0;
  std::optional<Target> target;        ///< none: it found nobody
  std::optional<std::uint32_t> cause;  ///< index into FaultSpec::effects; none: drawn
  std::optional<std::int64_t> lasts_us;
};

/// A stochastic source (scenario.md decision 6).
struct StochasticSource {
  double mean_gap_us = 0;  ///< of one unit
  RatePer per = RatePer::kNode;
  /// The job whose training its gaps are measured in; none: they are on the calendar.
  std::optional<std::uint32_t> training_job{};
  std::optional<Exposure> exposure{};  ///< none: its time always goes on
  /// The gaps of one unit, each of which has its own series; none: exponential, without memory.
  std::optional<Distribution> gaps{};
  /// Units' rates differ as gamma draws with this shape and the mean rate; none: all are alike.
  std::optional<double> mixed_shape{};
  std::optional<Burst> burst{};
  std::optional<Maintenance> maintenance{};  ///< then nothing of it is random
  /// The faults that it sent in a run, in the order of time, and sends again: nothing is drawn.
  /// Else none.
  std::optional<std::vector<Occurrence>> occurrences{};
};

/// Whether its units have a past that counts, so that no future of it is like another.
inline bool has_memory(const StochasticSource& source) { return source.gaps.has_value(); }

/// Whether its next arrival comes and goes with what jobs and nodes do. Those that were drawn
/// before have dates, whatever clock they were drawn on.
inline bool on_clock(const StochasticSource& source) {
  return !source.occurrences && (source.training_job || source.exposure);
}

}  // namespace aftershock::sim::scenario
