#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/live/backend.h"
#include "sim/live/fact.h"
#include "sim/scenario/scenario.h"

namespace aftershock::sim::live {

/// The order in which the facts of one run come: "begin", "rules", all others, and last the end, or
/// "invalid" at any place. A fault of the scenario strikes or is missed, once, but for one that
/// strikes in every attempt; only one that struck is over.
class FactOrder {
 public:
  /// `scenario` outlives it; `backend` is the one that the run was asked of.
  FactOrder(const scenario::Scenario& scenario, Backend backend);

  /// Why `fact` is not the next one; empty: it is, and is counted.
  std::string take(const Fact& fact);

 private:
  [[nodiscard]] std::string at_start(const Fact& fact) const;
  std::string of_fault(const FaultTold& told);

  const scenario::Scenario& scenario_;
  Backend backend_;
  std::int64_t taken_ = 0;
  bool over_ = false;
  std::vector<std::optional<std::string>> told_;  ///< of each fault: "struck" or "missed"
};

}  // namespace aftershock::sim::live
