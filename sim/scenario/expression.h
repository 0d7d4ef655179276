#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reports/statistics/statistic.h"

// The one expression language of the program: `sweep --until`, `advise --goal`, and `that` of a
// scenario's `expect`.
//
//   condition   any { "or" any },  any: one { "and" one },  one: { "not" } ( "(" condition ")" |
//               comparison )
//   comparison  quantity OP quantity, OP one of < <= > >= == !=, at least one side no number
//   quantity    NUMBER | METRIC | "p(" EVENT ")"
//   objective   "max" METRIC | "min" METRIC: in a goal only, once, joined to the rest by "and"
//   NUMBER      2, -0.5, 1e-6; 12.5% (a share); 90s, 1.5h: the units of scenario.md decision 8,
//               compared with times only, which are in microseconds
//   METRIC      a name, `lost.steps`; or a JSON Pointer, /jobs/0/ettr, in ' or " where it has more
//               than letters, digits and _ - . ~ : /
//
// Over many runs a metric is its mean, and p(EVENT) the share of runs with it. Behind a dot:
//   .mean  .p50 .p99 .p999 (99.9 %)                     an estimate
//   .ci95 .lo95 .hi95, alone or behind one of those     half its confidence interval, its ends
//   .min .max .sd .n                                    of the runs' values
// `ettr.ci95 < 0.002`, `p(exhausted).hi95 < 1% and max ettr`, `not (wall_us.p99.hi95 > 3d)`.
namespace aftershock::sim::scenario {

/// An operand of a comparison.
struct Term {
  /// Where its value comes from.
  enum class Kind : std::uint8_t { kNumber, kMetric, kProbability };
  Kind kind = Kind::kNumber;
  double number = 0;
  std::string name;  ///< of the metric, its pointer, or the event
  reports::Statistic statistic;
  std::uint32_t column = 1;  ///< where it begins in the text, from 1
  std::string text;          ///< as written

  bool operator==(const Term&) const = default;
};

/// A step of an expression in postfix order: a comparison of two terms gives a truth, the others
/// take theirs from the steps before.
struct ExpressionStep {
  /// The first six compare terms.
  enum class Kind : std::uint8_t {
    kLess,
    kAtMost,
    kMore,
    kAtLeast,
    kEqual,
    kUnequal,
    kAnd,
    kOr,
    kNot
  };
  Kind kind = Kind::kLess;
  std::uint32_t left = 0;   ///< of the terms
  std::uint32_t right = 0;  ///< of the terms

  bool operator==(const ExpressionStep&) const = default;
};

/// The better of two values that keep all conditions.
struct Objective {
  bool greatest = true;
  std::uint32_t term = 0;

  bool operator==(const Objective&) const = default;
};

/// A text that has been understood. Without steps it has no condition, and holds.
struct Expression {
  std::string text;
  std::vector<Term> terms;
  std::vector<ExpressionStep> steps;
  std::optional<Objective> objective;

  bool operator==(const Expression&) const = default;
};

/// Whether something holds; unknown where it depends on a value that is not known (yet), such as an
/// interval of one run.
enum class Truth : std::uint8_t { kNo, kYes, kUnknown };

/// Whether the condition holds for these values of its terms, numbers among them as they are. A
/// result that no unknown value can change is decided (Kleene's logic).
Truth evaluate(const Expression& expression, std::span<const std::optional<double>> values);

/// The values of an expression's terms; `resolve` says that of a metric or probability.
template <class Resolve>
std::vector<std::optional<double>> values_of(const Expression& expression, Resolve&& resolve) {
  std::vector<std::optional<double>> values;
  values.reserve(expression.terms.size());
  for (const Term& term : expression.terms) {
    values.push_back(term.kind == Term::Kind::kNumber ? std::optional<double>(term.number)
                                                      : std::optional<double>(resolve(term)));
  }
  return values;
}

/// The same in one: `resolve(term)` gives an optional double.
template <class Resolve>
Truth holds(const Expression& expression, Resolve&& resolve) {
  return evaluate(expression, values_of(expression, resolve));
}

}  // namespace aftershock::sim::scenario
