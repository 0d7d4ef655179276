#include "sim/advise/goal_columns.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "sim/advise/cell_runs.h"

namespace aftershock::sim::advise {
namespace {

bool has_own_column(const scenario::Term& term) {
  constexpr std::array<std::string_view, 4> kMeans{"useful_share", "ettr", "lost_us", "cost"};
  return term.kind == scenario::Term::Kind::kProbability
             ? term.name == "exhausted" || term.name == "alive"
             : is_mean(term.statistic) &&
                   std::ranges::find(kMeans, std::string_view(term.name)) != kMeans.end();
}

bool is_new(const scenario::Expression& goal, const std::vector<std::size_t>& places,
            std::size_t place) {
  return std::ranges::none_of(
      places, [&](std::size_t other) { return goal.terms[other].text == goal.terms[place].text; });
}

}  // namespace

std::vector<std::size_t> goal_columns(const scenario::Expression& goal) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < goal.terms.size(); ++i) {
    if (goal.terms[i].kind != scenario::Term::Kind::kNumber && !has_own_column(goal.terms[i]) &&
        is_new(goal, places, i)) {
      places.push_back(i);
    }
  }
  return places;
}

std::vector<std::size_t> condition_terms(const scenario::Expression& goal) {
  std::vector<std::size_t> places;
  const auto add = [&](std::uint32_t place) {
    const scenario::Term& term = goal.terms[place];
    const bool told = (term.kind == scenario::Term::Kind::kProbability && term.name == "alive") ||
                      (term.kind == scenario::Term::Kind::kMetric && term.name == "useful_share" &&
                       is_mean(term.statistic));
    if (term.kind != scenario::Term::Kind::kNumber && !told && is_new(goal, places, place)) {
      places.push_back(place);
    }
  };
  for (const scenario::ExpressionStep& step : goal.steps) {
    if (step.kind < scenario::ExpressionStep::Kind::kAnd) {
      add(step.left);
      add(step.right);
    }
  }
  return places;
}

}  // namespace aftershock::sim::advise
