#pragma once

#include <string_view>
#include <variant>

#include "sim/scenario/expression/parse_expression.h"
#include "sim/scenario/scenario.h"

namespace aftershock::sim::scenario {

/// The event that a run's verdict is "passed".
inline constexpr std::string_view kPassed = "passed";

/// Reads an expression about many runs of a scenario, of a goal with `objective`. Its metrics are
/// those of `run_metric`, so that they are called as in the scenario's `expect`; the names of terms
/// are of reports::metrics() or pointers. Events are those metrics that are 0 or 1, and kPassed.
std::variant<Expression, ExpressionProblem> parse_many_runs(std::string_view text,
                                                            const Scenario& scenario,
                                                            bool objective);

}  // namespace aftershock::sim::scenario
