#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gui/trace/trace.h"
#include "gui/why/accounts.h"

namespace aftershock::gui {

/// The costs of a fault for one job or experiment, and how they came back.
struct EntityFaultCost {
  std::uint32_t entity = kNone;
  std::optional<Recovered> recovery;
  BucketTimes us;
};

/// A fault and all that came of it.
struct FaultCard {
  std::uint32_t fault = kNone;              ///< among the trace's
  std::optional<std::int64_t> detected_us;  ///< when a policy first answered or was said to know
  std::vector<std::uint32_t> decisions;     ///< that answer it, among the trace's
  std::vector<Effect> effects;              ///< spans with it for their cause
  std::vector<RolledBack> rolled_back;
  std::vector<EntityFaultCost> fault_costs;
};

/// The card of a fault, which is there.
FaultCard fault_card(const Trace& trace, const std::vector<Account>& accounts, std::uint32_t fault);

/// The fault that a span has for its cause; none for one without.
std::optional<std::uint32_t> fault_of_span(const Trace& trace, std::uint32_t lane,
                                           std::uint32_t span);
/// The fault that a decision answers.
std::optional<std::uint32_t> fault_of_decision(const Trace& trace, std::uint32_t decision);
/// The first decision that answers a fault.
std::optional<std::uint32_t> first_decision(const Trace& trace, std::uint32_t fault);

}  // namespace aftershock::gui
