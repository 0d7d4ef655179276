#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "policies/api/commands.h"
#include "policies/api/decision.h"
#include "policies/api/fields.h"
#include "policies/api/json.h"

// A decision as it stands on the wire, with words where Decision has indices: what
// decision_from_json reads, and what the schema of the protocol is made from.
namespace aftershock::policies {

/// BudgetMove.
struct WireBudget {
  std::string budget{};
  ChargeCause cause = ChargeCause::kApplication;
  std::int64_t used = 0;
  std::optional<std::int64_t> limit{};
  bool charged = true;
  bool exhausted = false;
  static constexpr auto fields(auto list) {
    return list(field("budget", &WireBudget::budget), field("cause", &WireBudget::cause),
                field("used", &WireBudget::used), field("limit", &WireBudget::limit),
                field("charged", &WireBudget::charged), field("exhausted", &WireBudget::exhausted));
  }
};

/// Rejected.
struct WireRejected {
  std::string what{};
  std::string why{};
  static constexpr auto fields(auto list) {
    return list(field("what", &WireRejected::what), field("why", &WireRejected::why));
  }
};

/// Step.
struct WireStep {
  std::string rule{};
  std::string from{};
  std::string to{};
  std::optional<std::string> decision{};
  std::vector<std::uint16_t> saw{};
  std::vector<WireBudget> budgets{};
  std::vector<Command> commands{};
  std::vector<WireRejected> rejected{};
  static constexpr auto fields(auto list) {
    return list(field("rule", &WireStep::rule), field("from", &WireStep::from),
                field("to", &WireStep::to), field("decision", &WireStep::decision),
                field("saw", &WireStep::saw), field("budgets", &WireStep::budgets),
                field("commands", &WireStep::commands), field("rejected", &WireStep::rejected));
  }
};

/// Decision.
struct WireDecision {
  std::vector<WireStep> steps{};
  Watch watch{};
  static constexpr auto fields(auto list) {
    return list(field("steps", &WireDecision::steps), field("watch", &WireDecision::watch));
  }
};

/// The decision that these words say; moved from. Rules, states and budgets must be in `info`.
ReadResult<Decision> decision_of(WireDecision& wire, const PolicyInfo& info);

}  // namespace aftershock::policies
