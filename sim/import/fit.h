#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "reports/render/style.h"
#include "sim/import/fit_laws.h"
#include "sim/import/trace.h"

namespace aftershock::sim::imports {

/// The outages of one cause, as a random process.
struct CauseFit {
  std::string cause;
  scenario::FaultKind kind = scenario::FaultKind::kNodeCrash;
  std::int64_t outages = 0;     ///< but for those that the trace begins with
  std::int64_t begun = 0;       ///< of these, while their node was up
  double node_hours = 0;        ///< in which nodes were up and could have failed so
  std::vector<Fitted> between;  ///< hours that a node is up from one to the next; empty: too few
  std::vector<Fitted> repair;   ///< hours away; empty: too few
};

/// All of a trace. Its laws are those of sources, which spare nodes that are down: time counts
/// while the node is up, from the beginning or from its return to the next outage of that cause;
/// what was going on at the end is cut short.
struct TraceFit {
  std::vector<CauseFit> causes;  ///< first all outages together, then those with the most first
  /// Under way when the trace begins, by line: it cannot tell since when, so they are in no fit.
  std::vector<std::uint64_t> at_start;
  /// Begin while their node is away for another, by line: their lengths count, their beginnings do
  /// not.
  std::vector<std::uint64_t> overlapping;
};

/// A p below this is a bad fit.
inline constexpr double kBadFit = 0.05;

/// Of every cause and, where there are several, of all together.
TraceFit fit_causes(const Trace& trace, std::uint32_t nodes);

/// As a table, with what to paste and warnings.
std::string fit_text(const TraceFit& fit, const std::string& pool, const reports::Style& style);
/// Faults of the fit and of the trace, a sentence each.
std::vector<std::string> fit_warnings(const TraceFit& fit);
/// The table alone.
std::string fit_markdown(const TraceFit& fit);
/// A row a cause, what is fitted ("between": from one outage to the next; "away") and law, the one
/// with the smallest AIC first. "length_h" is the mean, in hours, of a lognormal law the median;
/// "shape" is its sigma. Where there are too few to fit, the row has no law.
nlohmann::ordered_json fit_rows(const TraceFit& fit);
/// As {"causes": [...], "faults": [...]}: the latter for a scenario.
nlohmann::ordered_json fit_json(const TraceFit& fit, const std::string& pool);

}  // namespace aftershock::sim::imports
