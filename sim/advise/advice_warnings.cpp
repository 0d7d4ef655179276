#include "sim/advise/advice_warnings.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "reports/render/format.h"
#include "reports/results/metrics.h"
#include "sim/sweep/term_text.h"

namespace aftershock::sim::advise {
namespace {

/// The most that the usual goal allows.
constexpr double kManyDead = 0.05;

void add_corpses(const Advice& advice, std::vector<std::string>& words) {
  if (!advice.chosen) {
    return;  // its survival is what the sentences are about
  }
  const auto& alive = advice.results[0][*advice.chosen].summary.alive;
  const double surely_dead =
      !alive ? 0 : 1 - (alive->interval ? alive->interval->high : alive->value);
  if (surely_dead > kManyDead) {
    words.push_back(fmt::format(
        "Warning: {} of its runs fail or are stuck, and the goal does not ask that they live: what "
        "a run costs or loses until it dies says nothing of one that goes on. --goal 'p(alive) > "
        "95% and ...' asks it.",
        reports::format_share(1 - alive->value)));
  }
}

/// "min cost" takes runs that die for cheap, also where few do.
void add_cheap_deaths(const Advice& advice, const scenario::Expression& goal,
                      std::vector<std::string>& words) {
  if (!advice.chosen || !goal.objective) {
    return;
  }
  const scenario::Term& term = goal.terms[goal.objective->term];
  const auto alive_of = [](const ChoiceResult& result) {
    return result.summary.alive ? result.summary.alive->value : 1;
  };
  const double alive = alive_of(advice.results[0][*advice.chosen]);
  double most = alive;
  for (const ChoiceResult& result : advice.results[0]) {
    most = std::max(most, alive_of(result));
  }
  if (term.kind != scenario::Term::Kind::kProbability && !reports::compares_lives(term.name) &&
      most > alive) {
    words.push_back(fmt::format(
        "Warning: {} of its runs fail or are stuck, and {} stops where they do; of another choice "
        "{} are. The least of it may be that of the dead: cost_per_useful_hour and useful work pay "
        "nothing for a death.",
        reports::format_share(1 - alive), sweep::term_title(term),
        reports::format_share(1 - most)));
  }
}

void add_bad_verdicts(const Advice& advice, std::vector<std::string>& words) {
  std::int64_t stuck = 0;
  std::int64_t invalid = 0;
  std::int64_t died = 0;
  std::int64_t all = 0;
  for (const auto& results : advice.results) {
    for (const ChoiceResult& result : results) {
      const auto& verdicts = result.summary.verdicts;
      all += result.summary.runs;
      stuck += verdicts[static_cast<std::size_t>(reports::Verdict::kStuck)];
      invalid += verdicts[static_cast<std::size_t>(reports::Verdict::kInvalid)];
      died += verdicts[static_cast<std::size_t>(reports::Verdict::kInternalError)];
    }
  }
  const std::pair<std::int64_t, const char*> kinds[] = {
      {stuck,
       "are stuck: a job waits for what never comes, or has not trained for a day at the end"},
      {invalid, "are invalid: a required fault did not bite"},
      {died, "did not end: their process died"}};
  for (const auto& [count, what] : kinds) {
    if (count > 0) {
      words.push_back(fmt::format("Warning: {} of {} runs {}.", reports::format_count(count),
                                  reports::format_count(all), what));
    }
  }
}

/// "max steps" of a job with so many steps says nothing: each choice has as many.
void add_constant_objective(const Advice& advice, const scenario::Expression& goal,
                            std::vector<std::string>& words) {
  if (!goal.objective || advice.results[0].size() < 2) {
    return;
  }
  const std::optional<reports::Estimate>& first = objective_of(goal, advice.results[0].front());
  const bool constant =
      first && std::ranges::all_of(advice.results[0], [&](const ChoiceResult& result) {
        const std::optional<reports::Estimate>& here = objective_of(goal, result);
        return here && here->value == first->value &&
               (!here->interval || here->interval->low == here->interval->high);
      });
  if (constant) {
    const scenario::Term& term = goal.terms[goal.objective->term];
    words.push_back(
        fmt::format("Warning: {} is {} in every run of every choice: the goal's objective tells "
                    "none of them from another.",
                    sweep::term_title(term), sweep::value_text(term, first->value)));
  }
}

}  // namespace

std::vector<std::string> advice_warnings(const Advice& advice, const scenario::Expression& goal) {
  std::vector<std::string> words;
  add_constant_objective(advice, goal, words);
  add_corpses(advice, words);
  add_cheap_deaths(advice, goal, words);
  add_bad_verdicts(advice, words);
  return words;
}

}  // namespace aftershock::sim::advise
