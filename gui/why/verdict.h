#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gui/trace/trace.h"
#include "gui/why/accounts.h"

namespace aftershock::gui {

/// The use of a budget, as the summary has it.
struct BudgetUse {
  std::string name;
  std::int64_t used = 0;
  std::optional<std::int64_t> limit;
};

/// The end of a job or experiment in short; what a recording does not tell is left out.
struct Verdict {
  std::uint32_t entity = kNone;
  std::string name;     ///< without "job:"
  std::string outcome;  ///< "completed", "failed", "running"; empty where it is not recorded
  std::string reason;   ///< empty where it is the outcome
  std::int64_t begin_us = 0;
  std::optional<std::int64_t> end_us;  ///< none for one that was still running
  std::optional<double> useful_share;  ///< from 0 to 1, as are all shares
  std::optional<double> ettr;
  std::optional<std::int64_t> steps_done;
  std::optional<std::int64_t> steps;  ///< that it was to do
  std::optional<std::int64_t> lost_accelerator_us;
  std::vector<BudgetUse> budgets;  ///< those that were used, or have a limit
  std::uint32_t worst = kNone;     ///< the fault that cost it most, among the trace's
  std::int64_t worst_us = 0;

  /// Whether it came to an end that nobody wanted.
  [[nodiscard]] bool failed() const {
    return !outcome.empty() && outcome != "completed" && outcome != "running";
  }
};

/// Of each job and experiment of the header, the failed ones first, else in the header's order.
std::vector<Verdict> verdicts_of(const Trace& trace, const std::vector<Account>& accounts);

/// The money that the whole run cost, in the currency of its prices; none where it has none.
std::optional<double> cost_of_run(const Trace& trace);

}  // namespace aftershock::gui
