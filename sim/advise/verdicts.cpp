#include "sim/advise/verdicts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/assert.h"

namespace aftershock::sim {
namespace {

using Step = ExpressionStep::Kind;
using Estimates = std::span<const std::optional<reports::Estimate>>;

reports::Interval range_of(const reports::Estimate& estimate) {
  return estimate.interval.value_or(reports::Interval{estimate.value, estimate.value});
}

/// Whether each value of one interval is below each of the other, or none is.
Truth below(const reports::Interval& left, const reports::Interval& right, bool or_equal) {
  if (or_equal ? left.high <= right.low : left.high < right.low) {
    return Truth::kYes;
  }
  return (or_equal ? left.low > right.high : left.low >= right.high) ? Truth::kNo : Truth::kUnknown;
}

Truth negated(Truth truth) {
  return truth == Truth::kUnknown ? truth : truth == Truth::kYes ? Truth::kNo : Truth::kYes;
}

Truth compared(Step kind, const reports::Interval& left, const reports::Interval& right) {
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
  const Truth same = apart ? Truth::kNo : points ? Truth::kYes : Truth::kUnknown;
  return kind == Step::kEqual ? same : negated(same);
}

Truth both(Truth left, Truth right) {
  if (left == Truth::kNo || right == Truth::kNo) {
    return Truth::kNo;
  }
  return left == Truth::kYes && right == Truth::kYes ? Truth::kYes : Truth::kUnknown;
}

/// The condition where each term may be anywhere in its interval.
Truth by_intervals(const Expression& goal, Estimates terms) {
  std::vector<Truth> stack;
  const auto pop = [&stack] {
    const Truth top = stack.back();
    stack.pop_back();
    return top;
  };
  for (const ExpressionStep& step : goal.steps) {
    if (step.kind == Step::kNot) {
      stack.push_back(negated(pop()));
    } else if (step.kind == Step::kAnd || step.kind == Step::kOr) {
      const Truth right = pop();
      const Truth left = pop();
      stack.push_back(step.kind == Step::kAnd ? both(left, right)
                                              : negated(both(negated(left), negated(right))));
    } else {
      const auto& left = terms[step.left];
      const auto& right = terms[step.right];
      stack.push_back(left && right ? compared(step.kind, range_of(*left), range_of(*right))
                                    : Truth::kUnknown);
    }
  }
  return stack.empty() ? Truth::kYes : stack.back();
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

Keeps keeps_condition(const Expression& goal, Estimates terms) {
  AFTERSHOCK_ASSERT(terms.size() == goal.terms.size());
  if (goal.steps.empty()) {
    return Keeps::kSurely;
  }
  const bool here = evaluate(goal, values(terms)) == Truth::kYes;
  const Truth anywhere = by_intervals(goal, terms);
  if (here) {
    return anywhere == Truth::kYes ? Keeps::kSurely : Keeps::kLikely;
  }
  return anywhere == Truth::kNo ? Keeps::kNot : Keeps::kUnlikely;
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
double scale_of(const Term& left, const Term& right) {
  const auto asked = [](const Term& term) {
    return term.kind == Term::Kind::kNumber ? std::abs(term.number) : 0;
  };
  return std::max({asked(left), asked(right), 1.0});
}

}  // namespace

double missed_by(const Expression& goal, Estimates terms) {
  if (goal.steps.empty() || by_intervals(goal, terms) == Truth::kYes) {
    return 0;
  }
  double missed = 0;
  for (const ExpressionStep& step : goal.steps) {
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
    if (compared(step.kind, here, there) != Truth::kYes) {
      const double scale = scale_of(goal.terms[step.left], goal.terms[step.right]);
      missed += std::max(shortfall(step.kind, here, there) / scale, 1e-9);
    }
  }
  return missed;
}

}  // namespace aftershock::sim
