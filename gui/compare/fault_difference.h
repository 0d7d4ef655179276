#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "gui/compare/fault_pairs.h"

namespace aftershock::gui {

/// The faults that two runs share and those that they do not, up to the end of the shorter one.
struct FaultDifference {
  std::size_t same = 0;               ///< of one id, kind, place and time
  std::vector<FaultPair> changed;     ///< of one id, but another kind, place or time
  std::vector<std::uint32_t> only_a;  ///< among the faults of A
  std::vector<std::uint32_t> only_b;  ///< among the faults of B

  /// Whether the runs can be held against each other.
  [[nodiscard]] bool is_same() const { return changed.empty() && only_a.empty() && only_b.empty(); }
};

/// Each fault beside the one of its id. Two are at one place if they were aimed at the same or
/// struck the same node, whatever ran there. A fault of one run that is later than the end of the
/// other does not count.
FaultDifference compare_faults(const Trace& a, const Trace& b);

/// The first fault that differs, in one run, both or the other; kNone where a run has no such
/// fault. None where they are the same.
std::optional<FaultPair> first_difference(const Trace& a, const Trace& b,
                                          const FaultDifference& difference);

}  // namespace aftershock::gui
