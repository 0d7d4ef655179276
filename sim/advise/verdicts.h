#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "reports/statistics/estimate.h"
#include "sim/scenario/expression.h"

namespace aftershock::sim::advise {

/// Whether runs keep a condition: by their estimates, and by what their intervals leave open.
enum class Keeps : std::uint8_t {
  kSurely,    ///< wherever in their intervals the true values are
  kLikely,    ///< the estimates do, their intervals leave it open
  kUnlikely,  ///< the estimates do not, their intervals leave it open
  kNot,       ///< nowhere in their intervals
};

/// "surely", "likely", "unlikely", "no".
std::string_view name_of(Keeps keeps);

/// Whether the estimates keep the condition.
inline bool kept(Keeps keeps) { return keeps == Keeps::kSurely || keeps == Keeps::kLikely; }

/// The condition of a goal by its terms' estimates, in their order; a number is an estimate without
/// an interval, and a term without a value keeps nothing. One without conditions is kept surely.
Keeps keeps_condition(const scenario::Expression& goal,
                      std::span<const std::optional<reports::Estimate>> terms);

/// By how much the estimates, each at the worse end of its interval, miss the condition: the sum
/// over its comparisons that do not surely hold of the distance, as a share of the number that was
/// asked for where that is above 1. 0 where it surely holds.
double missed_by(const scenario::Expression& goal,
                 std::span<const std::optional<reports::Estimate>> terms);

}  // namespace aftershock::sim::advise
