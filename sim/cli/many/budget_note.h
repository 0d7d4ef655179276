#pragma once

#include <string>

#include "sim/scenario/scenario.h"

namespace aftershock::sim::cli {

/// Where the first job's policy has another retry budget in `other` than in `own`: both, and the
/// flag that gives each policy as many, in one sentence. Survival is then a matter of the budget,
/// as of one that `init` made for the scenario beside a preset of three. Empty where they are
/// alike, or where either has none or decides elsewhere.
std::string budget_note(const scenario::Scenario& own, const scenario::Scenario& other);

}  // namespace aftershock::sim::cli
