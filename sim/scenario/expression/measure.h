#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/scenario/expression.h"
#include "sim/scenario/text/units.h"

namespace aftershock::sim::scenario {

/// The dimension of a term, as far as its unit must fit.
enum class Measure : std::uint8_t { kPlain, kTime, kShare, kTimeMetric, kMetric };

/// The dimension of a term: of a number by its unit, of a metric by its name.
Measure measure_of(const Term& term);

/// A number that no share reaches: `ettr > 95` never holds, `ettr < 95` always does, and 95 % was
/// meant. None where the number is from 0 to 1, or `metric` has other values.
std::optional<TextProblem> beyond_a_share(const Term& metric, const Term& number);

/// The same of a place of the summary and the bound of an expectation.
std::optional<TextProblem> beyond_a_share(std::string_view place, double bound);

}  // namespace aftershock::sim::scenario
