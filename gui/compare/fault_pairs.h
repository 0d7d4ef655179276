#pragma once

#include <cstdint>
#include <vector>

#include "gui/trace/trace.h"

namespace aftershock::gui {

/// One fault in two runs, as indices among their faults.
struct FaultPair {
  std::uint32_t a = 0;
  std::uint32_t b = 0;

  friend bool operator==(const FaultPair&, const FaultPair&) = default;
};

/// Those of the same id, the n-th with it beside the n-th, in the order of A.
std::vector<FaultPair> pair_faults(const Trace& a, const Trace& b);

/// Whether the runs met the same faults: see compare_faults.
bool same_faults(const Trace& a, const Trace& b);

}  // namespace aftershock::gui
