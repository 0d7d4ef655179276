#include "sim/scenario/expression/parse_many_runs.h"

#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "sim/scenario/expression/run_metric.h"

namespace aftershock::sim::scenario {

namespace {

using Step = ExpressionStep::Kind;

/// Whether a share, from 0 to 1, is decided whatever it is: "p(failed) < 0", "p(alive) > -5%".
bool is_decided(Step kind, double bound) {
  switch (kind) {
    case Step::kLess:
    case Step::kAtLeast:
      return bound <= 0 || bound > 1;
    case Step::kMore:
    case Step::kAtMost:
      return bound >= 1 || bound < 0;
    case Step::kEqual:
    case Step::kUnequal:
      return bound < 0 || bound > 1;
    default:
      return false;
  }
}

Step turned(Step kind) {
  switch (kind) {
    case Step::kLess:
      return Step::kMore;
    case Step::kMore:
      return Step::kLess;
    case Step::kAtMost:
      return Step::kAtLeast;
    case Step::kAtLeast:
      return Step::kAtMost;
    default:
      return kind;
  }
}

std::optional<ExpressionProblem> beyond_probabilities(const Expression& expression) {
  for (const ExpressionStep& step : expression.steps) {
    if (step.kind == Step::kAnd || step.kind == Step::kOr || step.kind == Step::kNot) {
      continue;
    }
    const Term& left = expression.terms[step.left];
    const Term& right = expression.terms[step.right];
    const bool first = left.kind == Term::Kind::kProbability && right.kind == Term::Kind::kNumber;
    const bool second = right.kind == Term::Kind::kProbability && left.kind == Term::Kind::kNumber;
    if ((first && is_decided(step.kind, right.number)) ||
        (second && is_decided(turned(step.kind), left.number))) {
      const Term& number = first ? right : left;
      return ExpressionProblem{
          number.column,
          {fmt::format("decides whatever {} is, a share from 0 to 1", (first ? left : right).text),
           "a bound that it can lie on both sides of",
           {}}};
    }
  }
  return std::nullopt;
}

}  // namespace

std::variant<Expression, ExpressionProblem> parse_many_runs(std::string_view text,
                                                            const Scenario& scenario,
                                                            bool objective) {
  static constexpr std::array<std::string_view, 6> kEvents{"completed", "alive",     "failed",
                                                           "stuck",     "exhausted", kPassed};
  const auto check_metric = [&](std::string_view name) -> std::optional<TextProblem> {
    auto metric = run_metric(name, scenario, NameFirst::kMetric);
    if (auto* problem = std::get_if<TextProblem>(&metric)) {
      return std::move(*problem);
    }
    return std::nullopt;
  };
  auto parsed = parse_expression(
      text, {.check_metric = check_metric, .events = kEvents, .objective = objective});
  if (auto* expression = std::get_if<Expression>(&parsed)) {
    for (Term& term : expression->terms) {
      if (term.kind == Term::Kind::kMetric) {
        term.name = std::get<std::string>(run_metric(term.name, scenario, NameFirst::kMetric));
      }
    }
  }
  if (const auto* expression = std::get_if<Expression>(&parsed)) {
    if (auto problem = beyond_probabilities(*expression)) {
      return *std::move(problem);
    }
  }
  return parsed;
}

}  // namespace aftershock::sim::scenario
