#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "sim/advise/advice.h"

// Choices that do as well as each other, and by what one of them is preferable.
namespace aftershock::sim::advise {

/// A value of a choice, by its index; none: it has none, and goes where another one has.
using ValueOfChoice = std::function<std::optional<double>(std::size_t)>;

/// Leaves the choices within 1 % of the least; whether any went.
bool leave_least(std::vector<std::size_t>& choices, const ValueOfChoice& value);

/// Leaves the choices of which it cannot be said that more of their runs fail or are stuck than of
/// the safest; whether any went. `results`: of all choices at one rate of failure.
bool leave_safest(std::vector<std::size_t>& choices, const std::vector<ChoiceResult>& results);

}  // namespace aftershock::sim::advise
