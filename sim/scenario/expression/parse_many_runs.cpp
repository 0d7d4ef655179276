#include "sim/scenario/expression/parse_many_runs.h"

#include <array>
#include <utility>

#include "sim/scenario/expression/run_metric.h"

namespace aftershock::sim {

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
  return parsed;
}

}  // namespace aftershock::sim
