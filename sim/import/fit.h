#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "reports/render/style.h"
#include "sim/import/fit_laws.h"
#include "sim/import/trace.h"

namespace aftershock::sim {

/// The outages of one cause, as a random process.
struct CauseFit {
  std::string cause;
  FaultKind kind = FaultKind::kNodeCrash;
  std::int64_t outages = 0;
  double node_hours = 0;        ///< in which nodes could have failed so
  std::vector<Fitted> between;  ///< hours of a node from one to the next; empty: too few
  std::vector<Fitted> repair;   ///< hours away; empty: too few
};

/// A p below this is a bad fit.
inline constexpr double kBadFit = 0.05;

/// Of every cause and, first, of all outages together; then those with the most first. Of a node
/// time counts from the beginning, or from its return, to the next of that cause; what was going on
/// at the end is cut short. An outage that a trace begins with is none of a process.
std::vector<CauseFit> fit_causes(const Trace& trace, std::uint32_t nodes);

/// As a table, with what to paste and warnings.
std::string fit_text(const std::vector<CauseFit>& fits, const std::string& pool,
                     const reports::Style& style);
/// As {"causes": [...], "faults": [...]}: the latter for a scenario.
nlohmann::ordered_json fit_json(const std::vector<CauseFit>& fits, const std::string& pool);

}  // namespace aftershock::sim
