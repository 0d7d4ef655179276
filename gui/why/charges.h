#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gui/trace/trace.h"
#include "gui/why/accounts.h"
#include "gui/why/decision_card.h"

namespace aftershock::gui {

/// A move of a budget, with the step that made it.
struct Charge {
  std::uint32_t decision = kNone;  ///< among the trace's
  std::int64_t t_us = 0;
  std::uint32_t entity = kNone;
  std::uint32_t fault = kNone;  ///< among the trace's
  std::string rule;
  std::string to;  ///< the vendor's word for what was decided, else the state that followed
  reports::BudgetMove move;
};

/// Every move of every budget that the recording tells, in the order of time, of one job or
/// experiment or (kNone) of all. Costs a pass over the lines of its decisions, which ends early
/// once `stop` is true.
std::vector<Charge> budget_moves(const Trace& trace, const std::string& path,
                                 std::uint32_t entity = kNone,
                                 const std::atomic<bool>* stop = nullptr);

/// The charges that a failed job died of.
struct ChainOfCharges {
  std::string outcome;
  std::string reason;
  std::string budget;  ///< that ran out; empty where none did
  std::vector<Charge> charges;
  std::optional<std::size_t> fatal;  ///< the charge that was one too many
};

/// Of a job or experiment from all moves and its account; without a budget that ran out there are
/// no charges.
ChainOfCharges chain_of_charges(const std::vector<Charge>& moves, const Account& account);

}  // namespace aftershock::gui
