#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "sim/scenario/scenario.h"
#include "sim/scenario/text/units.h"

namespace aftershock::sim::scenario {

/// The error in a JSON Pointer as a place of a run's summary (design.md 7): a key that no
/// summary has there, with the keys that it has. Which faults, budgets and list elements there will
/// be is known after the run only, so names and numbers in their places are taken as they are.
std::optional<TextProblem> check_summary_place(std::string_view pointer);

/// The error in a place of the summary as a number: it holds text, a list or an object.
std::optional<TextProblem> check_number_place(std::string_view pointer);

/// The place that a metric of an expression names: a pointer names itself, "lost.steps" is
/// /lost/steps of the summary if that begins like a place of it, else of the job or experiment
/// whose name comes first ("llm.lost.steps"), else of the only one there is.
std::variant<std::string, TextProblem> metric_place(std::string_view name,
                                                    const Scenario& scenario);

}  // namespace aftershock::sim::scenario
