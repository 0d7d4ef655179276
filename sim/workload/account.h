#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace aftershock::sim::workload {

/// The recovery of one broken attempt, from the fault to the step it had reached.
struct Recovery {
  std::uint32_t fault = 0;
  std::vector<std::uint16_t> rules;
  std::optional<std::int64_t> detected_us;
  std::optional<std::int64_t> running_us;
  std::optional<std::int64_t> caught_up_us;
  std::int64_t lost_us = 0;
  std::int64_t high_water_us = 0;   ///< work that had been done when it broke
  std::int64_t cost_before_us = 0;  ///< put down to the fault when the recovery began
};

/// The losses of a job and the outcome of its attempts, beside its ledger.
struct Account {
  std::int64_t lost_us = 0;
  std::int64_t lost_steps = 0;
  std::int64_t stale_accelerator_us = 0;
  std::vector<Recovery> recoveries;
  std::size_t caught_up = 0;      ///< how many of them are, from the first one on
  std::uint32_t launches = 0;     ///< attempts that got their nodes
  std::int64_t false_alarms = 0;  ///< hangs that were suspected while nothing hung
  bool limited = false;           ///< the last charge was to a budget with a limit
};

}  // namespace aftershock::sim::workload
