#pragma once

#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/scenario/expression/parse_expression.h"

namespace aftershock::sim::scenario {

/// A word of an expression.
struct Token {
  /// The kind of token, by its first character.
  enum class Kind : std::uint8_t {
    kNumber,
    kName,    ///< of a metric, an event, or a word of the language
    kQuoted,  ///< its text without the quotes
    kSuffix,  ///< of p() or of what was quoted: begins with a dot
    kCompare,
    kOpen,
    kClose,
    kEnd,
  };
  Kind kind = Kind::kEnd;
  std::string_view text;
  std::uint32_t column = 1;

  /// Whether it is this word of the language.
  [[nodiscard]] bool is(std::string_view word) const { return kind == Kind::kName && text == word; }
};

/// The words of the text, the last one being its end; they point into it.
std::variant<std::vector<Token>, ExpressionProblem> tokens_of(std::string_view text);

/// The statistic that the words behind the dots mean ("p99.hi95"), beginning from `statistic`, or
/// none.
std::optional<reports::Statistic> statistic_of(std::string_view suffix);

/// The words for `statistic_of` in an error.
inline constexpr std::string_view kStatisticWords =
    "mean, min, max, sd, n, a quantile such as p50 or p99, or an interval's ci95, lo95, hi95";

}  // namespace aftershock::sim::scenario
