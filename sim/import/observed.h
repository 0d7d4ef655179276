#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "sim/scenario/scenario.h"
#include "sim/scenario/text/units.h"

// How a job really ended, and whether the simulated one ends so.
namespace aftershock::sim::imports {

/// The observed end, as --observed says it.
struct ObservedEnd {
  std::uint32_t job = 0;  ///< index into Scenario::jobs
  std::string outcome;    ///< completed, failed, aborted
  std::int64_t at_us = 0;
};

/// "failed@03:12", with several jobs "llm:failed@03:12". A time of day is the first such after the
/// scenario's start, in its zone; without a start, and with a number of seconds or a duration, it
/// is since clock zero; a date is itself.
std::variant<ObservedEnd, scenario::TextProblem> parse_observed(std::string_view text,
                                                                const scenario::Scenario& scenario);

/// How a simulated job ended.
struct SimulatedEnd {
  std::string outcome;
  std::string reason;
  std::int64_t at_us = 0;
};

/// A change of the scenario.
struct ScenarioChange {
  std::string words;  ///< "one more charge to max_failures"
  std::string set;    ///< as --set takes it
};

/// The outcome of the comparison.
struct ObservedAnswer {
  SimulatedEnd simulated;  ///< of the scenario as it is
  bool agrees = false;     ///< the outcome is the same, and the time within what is allowed
  std::optional<ScenarioChange> least;  ///< with which it does; none: with none that was tried
  std::optional<SimulatedEnd> changed;  ///< the end that then comes
  std::uint32_t tried = 0;              ///< changes
};

/// No more changes are tried.
inline constexpr std::uint32_t kMostChanges = 64;

/// Runs the scenario, and, where it ends otherwise than observed, runs it with one change at a time
/// until it does: one more charge to a retry budget, then other limits of the budgets, the nearest
/// first, then other profiles of the policy. At most kMostChanges of them.
ObservedAnswer judge_observed(const nlohmann::ordered_json& scenario, const ObservedEnd& observed,
                              std::int64_t within_us);

}  // namespace aftershock::sim::imports
