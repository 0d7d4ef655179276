#pragma once

#include <optional>
#include <string_view>

#include "sim/scenario/units.h"

namespace aftershock::sim {

/// What is wrong with a JSON Pointer as a place of a run's summary (design section 7): a key that
/// no summary has there, with the keys that it has. Which faults, budgets and list elements there
/// will be is known after the run only, so names and numbers in their places are taken as they are.
std::optional<TextProblem> check_summary_place(std::string_view pointer);

}  // namespace aftershock::sim
