#include "sim/advise/verdicts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/assert.h"

namespace aftershock::sim::advise {
namespace {

using Step = scenario::ExpressionStep::Kind;
using Estimates = std::span<const std::optional<reports::Estimate>>;

reports::Interval range_of(const reports::Estimate& estimate) {
  return estimate.interval.value_or(reports::Interval{estimate.value, estimate.value});
}

/// Whether each value of one interval is below each of the other, or none is.
scenario::Truth below(const reports::Interval& left, const reports::Interval& right,
                      bool or_equal) {
  if (or_equal ? left.high <= right.low : left.high < right.low) {
    return scenario::Truth::kYes;
  }
  return (or_equal ? left.low > right.high : left.low >= right.high) ? scenario::Truth::kNo
                                                                     : scenario::Truth::kUnknown;
}

scenario::Truth negated(scenario::Truth truth) {
  return truth == scenario::Truth::kUnknown ? truth
         : truth == scenario::Truth::kYes   ? scenario::Truth::kNo
                                            : scenario::Truth::kYes;
}

scenario::Truth compared(Step kind, const reports::Interval& left, const reports::Interval& right) {
  switch (kind) {
    case Step::kLess:
      return below(left, right, false);
    case Step::kAtMost:
      return below(left, right, true);
    case Step::kMore:
      return below(right, left, false);
    case Step::kAtLeast:
      return below(right, left, true);
    default:
      break;
  }
  const bool apart = left.high < right.low || right.high < left.low;
  const bool points = left.low == left.high && right.low == right.high;
  const scenario::Truth same = apart    ? scenario::Truth::kNo
                               : points ? scenario::Truth::kYes
                                        : scenario::Truth::kUnknown;
  return kind == Step::kEqual ? same : negated(same);
}

scenario::Truth both(scenario::Truth left, scenario::Truth right) {
  if (left == scenario::Truth::kNo || right == scenario::Truth::kNo) {
    return scenario::Truth::kNo;
  }
  return left == scenario::Truth::kYes && right == scenario::Truth::kYes
             ? scenario::Truth::kYes
             : scenario::Truth::kUnknown;
}

/// The condition where each term may be anywhere in its interval.
scenario::Truth by_intervals(const scenario::Expression& goal, Estimates terms) {
  std::vector<scenario::Truth> stack;
  const auto pop = [&stack] {
    const scenario::Truth top = stack.back();
    stack.pop_back();
    return top;
  };
  for (const scenario::ExpressionStep& step : goal.steps) {
    if (step.kind == Step::kNot) {
      stack.push_back(negated(pop()));
    } else if (step.kind == Step::kAnd || step.kind == Step::kOr) {
      const scenario::Truth right = pop();
      const scenario::Truth left = pop();
      stack.push_back(step.kind == Step::kAnd ? both(left, right)
                                              : negated(both(negated(left), negated(right))));
    } else {
      const auto& left = terms[step.left];
      const auto& right = terms[step.right];
      stack.push_back(left && right ? compared(step.kind, range_of(*left), range_of(*right))
                                    : scenario::Truth::kUnknown);
    }
  }
  return stack.empty() ? scenario::Truth::kYes : stack.back();
}

std::vector<std::optional<double>> values(Estimates terms) {
  std::vector<std::optional<double>> numbers;
  numbers.reserve(terms.size());
  for (const auto& term : terms) {
    numbers.push_back(term ? std::optional(term->value) : std::nullopt);
  }
  return numbers;
}

}  // namespace

std::string_view name_of(Keeps keeps) {
  constexpr std::array<std::string_view, 4> kNames{"surely", "likely", "unlikely", "no"};
  return kNames[static_cast<std::size_t>(keeps)];
}

Keeps keeps_condition(const scenario::Expression& goal, Estimates terms) {
  AFTERSHOCK_ASSERT(terms.size() == goal.terms.size());
  if (goal.steps.empty()) {
    return Keeps::kSurely;
  }
  const bool here = scenario::evaluate(goal, values(terms)) == scenario::Truth::kYes;
  const scenario::Truth anywhere = by_intervals(goal, terms);
  if (here) {
    return anywhere == scenario::Truth::kYes ? Keeps::kSurely : Keeps::kLikely;
  }
  return anywhere == scenario::Truth::kNo ? Keeps::kNot : Keeps::kUnlikely;
}

namespace {

/// By how much two ranges miss a comparison where each is at its worse end.
double shortfall(Step kind, const reports::Interval& left, const reports::Interval& right) {
  switch (kind) {
    case Step::kLess:
    case Step::kAtMost:
      return left.high - right.low;
    case Step::kMore:
    case Step::kAtLeast:
      return right.high - left.low;
    default:
      return std::max(left.high, right.high) - std::min(left.low, right.low);
  }
}

/// The measure of a shortfall, the same for every choice: the number that was asked for, and 1 for
/// shares, which are compared by their points.
double scale_of(const scenario::Term& left, const scenario::Term& right) {
  const auto asked = [](const scenario::Term& term) {
    return term.kind == scenario::Term::Kind::kNumber ? std::abs(term.number) : 0;
  };
  return std::max({asked(left), asked(right), 1.0});
}

}  // namespace

double missed_by(const scenario::Expression& goal, Estimates terms) {
  if (goal.steps.empty() || by_intervals(goal, terms) == scenario::Truth::kYes) {
    return 0;
  }
  double missed = 0;
  for (const scenario::ExpressionStep& step : goal.steps) {
    if (step.kind == Step::kAnd || step.kind == Step::kOr || step.kind == Step::kNot) {
      continue;
    }
    const auto& left = terms[step.left];
    const auto& right = terms[step.right];
    if (!left || !right) {
      missed += 1e9;  // a term without a value is further off than anything
      continue;
    }
    const reports::Interval here = range_of(*left);
    const reports::Interval there = range_of(*right);
    if (compared(step.kind, here, there) != scenario::Truth::kYes) {
      const double scale = scale_of(goal.terms[step.left], goal.terms[step.right]);
      missed += std::max(shortfall(step.kind, here, there) / scale, 1e-9);
    }
  }
  return missed;
}

}  // namespace aftershock::sim::advise
