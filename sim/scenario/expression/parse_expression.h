#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

#include "sim/scenario/expression.h"
#include "sim/scenario/text/error.h"
#include "sim/scenario/text/units.h"

namespace aftershock::sim::scenario {

/// The error in an expression, and its column.
struct ExpressionProblem {
  std::uint32_t column = 1;  ///< from 1, in characters
  TextProblem problem;
};

/// The names that an expression may use.
struct Vocabulary {
  /// The error in the name of a metric; for a pointer, which begins with "/", as well.
  std::function<std::optional<TextProblem>(std::string_view)> check_metric;
  /// Events that p() knows; none: there are no probabilities here.
  std::span<const std::string_view> events;
  bool many_runs = true;   ///< one run has values and no statistics
  bool objective = false;  ///< there must be one
  /// A name says whether it is that of a time, and numbers must fit; else each may have any unit.
  bool named_units = true;
};

/// "unknown WHAT "etr"", unless it is one of those known: for the vocabulary's check.
std::optional<TextProblem> check_one_of(std::string_view name,
                                        std::span<const std::string_view> known,
                                        std::string_view what);

/// No expression is longer, or deeper in parentheses and "not".
inline constexpr std::size_t kLongestExpression = 4096;
inline constexpr int kDeepestExpression = 64;

/// Reads a text.
std::variant<Expression, ExpressionProblem> parse_expression(std::string_view text,
                                                             const Vocabulary& vocabulary);

/// The problem as an error of a command line argument: `--until "etr < 1":1:1: unknown ...`.
ScenarioError argument_error(std::string_view option, std::string_view text,
                             const ExpressionProblem& problem);

}  // namespace aftershock::sim::scenario
