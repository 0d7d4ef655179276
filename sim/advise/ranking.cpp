#include <algorithm>
#include <cmath>
#include <tuple>

#include "sim/advise/advice.h"

namespace aftershock::sim::advise {

const std::optional<reports::Estimate>& objective_of(const scenario::Expression& goal,
                                                     const ChoiceResult& result) {
  return result.terms[goal.objective->term];
}

double rank_by(const scenario::Expression& goal, const ChoiceResult& result) {
  const auto& objective = objective_of(goal, result);
  return !objective ? HUGE_VAL : goal.objective->greatest ? -objective->value : objective->value;
}

std::size_t nearest_choice(const scenario::Expression& goal,
                           const std::vector<ChoiceResult>& results) {
  // Where every run exhausts its budgets the objective is of what is cut short: what lasts longer
  // is nearer.
  const auto rank = [&](const ChoiceResult& result) {
    const auto& exhausted = result.summary.exhausted;
    const bool all = exhausted && exhausted->value >= 1;
    const double lasts_us =
        all ? result.summary.columns[*reports::metric_named("exhausted_us")].mean().value_or(0)
            : HUGE_VAL;
    return std::tuple(result.missed, -lasts_us, rank_by(goal, result));
  };
  const auto nearest = std::ranges::min_element(results, {}, rank);
  return static_cast<std::size_t>(nearest - results.begin());
}

}  // namespace aftershock::sim::advise
