#include "sim/scenario/expression.h"

namespace aftershock::sim::scenario {
namespace {

using Kind = ExpressionStep::Kind;

Truth negated(Truth truth) {
  return truth == Truth::kUnknown ? truth : (truth == Truth::kYes ? Truth::kNo : Truth::kYes);
}

Truth both(Truth left, Truth right) {
  if (left == Truth::kNo || right == Truth::kNo) return Truth::kNo;
  return left == Truth::kYes && right == Truth::kYes ? Truth::kYes : Truth::kUnknown;
}

Truth compared(Kind kind, std::optional<double> left, std::optional<double> right) {
  if (!left || !right || *left != *left || *right != *right) return Truth::kUnknown;
  const auto truth = [](bool yes) { return yes ? Truth::kYes : Truth::kNo; };
  switch (kind) {
    case Kind::kLess:
      return truth(*left < *right);
    case Kind::kAtMost:
      return truth(*left <= *right);
    case Kind::kMore:
      return truth(*left > *right);
    case Kind::kAtLeast:
      return truth(*left >= *right);
    case Kind::kEqual:
      return truth(*left == *right);
    default:
      return truth(*left != *right);
  }
}

}  // namespace

Truth evaluate(const Expression& expression, std::span<const std::optional<double>> values) {
  std::vector<Truth> truths{Truth::kYes};
  for (const ExpressionStep& step : expression.steps) {
    if (step.kind == Kind::kNot) {
      truths.back() = negated(truths.back());
    } else if (step.kind == Kind::kAnd || step.kind == Kind::kOr) {
      const Truth right = truths.back();
      truths.pop_back();
      truths.back() = step.kind == Kind::kAnd
                          ? both(truths.back(), right)
                          : negated(both(negated(truths.back()), negated(right)));
    } else {
      truths.push_back(compared(step.kind, values[step.left], values[step.right]));
    }
  }
  return truths.back();
}

}  // namespace aftershock::sim::scenario
