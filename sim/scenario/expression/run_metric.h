#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "sim/scenario/scenario.h"
#include "sim/scenario/text/units.h"

namespace aftershock::sim::scenario {

/// The first meaning of a name that is both a place of the summary and a metric of the whole run.
/// They differ for an experiment only, whose trials' times add up to more than its own.
enum class NameFirst : std::uint8_t {
  kPlace,   ///< in `expect`, which speaks of one run's summary
  kMetric,  ///< over many runs, whose rows have the metrics
};

/// The metric that an expression names, in every condition on runs: one of reports::metrics(), as
/// itself, or else a place of the summary (`metric_place`), as its JSON Pointer. A problem has the
/// nearest of both. A metric that is not a number in any run (`check_number`) is refused.
std::variant<std::string, TextProblem> run_metric(std::string_view name, const Scenario& scenario,
                                                  NameFirst first);

/// The metric of the whole run that a word for one names, which may be its own name: `useful` is
/// useful_share.
std::string_view metric_meant(std::string_view word);

/// The error in a metric or a pointer as a number, which it is in no run of the scenario: it is
/// text, a list or an object, or a cost where nothing has a price.
std::optional<TextProblem> check_number(const std::string& metric, const Scenario& scenario);

/// The error in "/jobs/N/..." where the scenario has no job or experiment N; none for every other
/// pointer.
std::optional<TextProblem> check_part_of(const std::string& pointer, const Scenario& scenario);

}  // namespace aftershock::sim::scenario
