#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gui/trace/trace.h"
#include "gui/why/accounts.h"

namespace aftershock::gui {

/// A fault with its costs for all jobs and experiments together.
struct FaultBill {
  std::uint32_t fault = kNone;  ///< among the trace's
  std::int64_t cost_us = 0;     ///< time that it took from them
  TextId mostly = kNoText;      ///< among `FaultBills::buckets`: on what most of that went
  std::int64_t lost_us = 0;     ///< work that was rolled back
  std::optional<std::int64_t> detected_us;  ///< when the first of them knew of it
  std::optional<std::int64_t> running_us;   ///< when the last of them trained again
  std::uint32_t decisions = 0;              ///< that answer it
};

/// Of all faults of a trace, in their order.
struct FaultBills {
  std::vector<FaultBill> bills;
  TextTable buckets;
};

/// `accounts` are those of the trace. Ledgers name faults by their ids: of several with one id the
/// last that fired has the bill (see fault_with_id).
FaultBills fault_bills(const Trace& trace, const std::vector<Account>& accounts);

}  // namespace aftershock::gui
