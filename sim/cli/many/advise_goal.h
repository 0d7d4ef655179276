#pragma once

#include <string>

#include "sim/scenario/expression.h"
#include "sim/scenario/scenario.h"

namespace aftershock::sim::cli {

/// The condition that a goal gets whose objective says nothing of how many runs live: the least of
/// a loss, a cost or a time is that of a run that died. Empty where the goal has one of its own, of
/// runs that are alive or done, or of those that fail and of those that are stuck.
std::string survival_added(const scenario::Expression& goal);

/// Why no run can keep a goal of completion: no job has an end of its own. Empty: it may be kept.
std::string never_completes(const scenario::Expression& goal, const scenario::Scenario& scenario);

}  // namespace aftershock::sim::cli
