#include "sim/advise/cheaper.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace aftershock::sim::advise {

std::string cheaper_words(const Advice& advice, const AdviceContext& context) {
  constexpr double kLittle = 0.01;
  const scenario::Expression& goal = context.question.goal;
  if (!advice.chosen || !goal.objective ||
      goal.terms[goal.objective->term].name != "useful_share") {
    return {};
  }
  const ChoiceResult& chosen = advice.results[0][*advice.chosen];
  const auto& hour = chosen.summary.cost_per_useful_hour;
  const auto& useful = chosen.summary.useful_share;
  if (!hour || !useful) {
    return {};
  }
  std::optional<std::size_t> cheapest;
  double least = hour->value * (1 - kLittle);
  for (std::size_t i = 0; i < advice.results[0].size(); ++i) {
    const reports::CellSummary& other = advice.results[0][i].summary;
    if (advice.results[0][i].keeps == chosen.keeps && other.cost_per_useful_hour &&
        other.useful_share && other.useful_share->value >= useful->value - kLittle &&
        other.cost_per_useful_hour->value < least) {
      cheapest = i;
      least = other.cost_per_useful_hour->value;
    }
  }
  if (!cheapest) {
    return {};
  }
  return fmt::format(
      "Cheaper, for {:.4f} of useful work less: {}, of which a useful accelerator-hour costs "
      "{:.2f} in place of {:.2f}; --goal 'min cost_per_useful_hour' chooses by that.",
      std::max(0.0, useful->value - advice.results[0][*cheapest].summary.useful_share->value),
      choice_label(context.question.choices[*cheapest]), least, hour->value);
}

}  // namespace aftershock::sim::advise
