#include "sim/advise/advice.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/assert.h"
#include "sim/advise/budget_use.h"
#include "sim/advise/cell_runs.h"
#include "sim/advise/job_model.h"
#include "sim/advise/policy_settings.h"
#include "sim/advise/ties.h"
#include "sim/advise/values_beyond.h"
#include "sim/chance/logarithm.h"
#include "sim/sweep/where.h"

namespace aftershock::sim::advise {
namespace {

constexpr double kAlike = 0.01;

/// How far a choice is from what the scenario has: by the logarithm of each number.
double distance(const AdviceQuestion& question, const sweep::Point& choice) {
  double sum = 0;
  for (std::size_t i = 0; i < choice.size(); ++i) {
    const auto& present = question.present[i];
    if (present && is_same_value(*present, choice[i].second)) {
      continue;
    }
    const auto here = sweep::amount_of(choice[i].second);
    std::optional<double> now;
    if (present) {
      now = sweep::amount_of(*present);
    }
    // Below zero a setting has no limit, which is far from every limit.
    if (here && now && (*here < 0) != (*now < 0)) {
      sum += 100;
    } else if (here && now) {
      sum +=
          std::abs(chance::logarithm(1 + std::abs(*here)) - chance::logarithm(1 + std::abs(*now)));
    } else {
      sum += 1;
    }
  }
  return sum;
}

std::optional<double> mean_of(const ChoiceResult& result, std::string_view metric) {
  return result.summary.columns[*reports::metric_named(metric)].mean();
}

/// One run says all where nothing is random: another would be the same.
void forget_intervals(ChoiceResult& result) {
  reports::CellSummary& all = result.summary;
  for (auto* estimate : {&all.useful_share, &all.ettr, &all.completed, &all.alive, &all.stuck,
                         &all.failed, &all.exhausted}) {
    if (*estimate) {
      (*estimate)->interval.reset();
    }
  }
  for (auto& term : result.terms) {
    if (term) {
      term->interval.reset();
    }
  }
}

class Adviser {
 public:
  Adviser(const AdviceQuestion& question, const sweep::Plan& plan, reports::RunStore& store)
      : question_(question), plan_(plan), store_(store) {}

  std::variant<Advice, std::string> run();

 private:
  std::optional<std::string> read_rows();
  void take_formulas();
  void decide();
  /// The best by the objective of these.
  [[nodiscard]] std::size_t best_of(const std::vector<std::size_t>& choices) const;
  /// At how many rates of failure a choice does not keep the goal.
  [[nodiscard]] std::optional<double> rates_missed(std::size_t choice) const;
  /// The share of its runs that fail or are stuck.
  [[nodiscard]] std::optional<double> dead_share(std::size_t choice) const;
  /// Those that miss the goal by as little as the nearest, which stands first.
  [[nodiscard]] std::vector<std::size_t> as_near(std::size_t nearest) const;
  /// By the paired runs, or where one run says all by what it came to.
  [[nodiscard]] Likeness likeness_to(std::size_t other, std::size_t choice) const;
  /// Of these the best, or one that is as good and preferable.
  std::size_t best_of_alike(const std::vector<std::size_t>& choices);
  std::size_t break_ties(std::vector<std::size_t> alike);
  void find_present();
  void find_edges(std::size_t choice);
  /// Whether another value of this place does as well as this one, which is the last.
  [[nodiscard]] bool inner_is_alike(std::size_t edge, std::string_view name) const;

  const AdviceQuestion& question_;
  const sweep::Plan& plan_;
  reports::RunStore& store_;
  std::vector<CellRuns> runs_;  ///< by cell
  Advice advice_;
};

std::variant<Advice, std::string> Adviser::run() {
  if (auto problem = read_rows()) {
    return *std::move(problem);
  }
  take_formulas();
  find_present();
  decide();
  return std::move(advice_);
}

std::optional<std::string> Adviser::read_rows() {
  const std::size_t choices = question_.choices.size();
  runs_.reserve(plan_.cells.size());
  for (std::size_t cell = 0; cell < plan_.cells.size(); ++cell) {
    runs_.emplace_back(question_.goal, plan_.pointers);
  }
  if (auto problem = store_.each([this](reports::RunRow&& row) {
        runs_[row.cell].add(row);
        return true;
      })) {
    return problem;
  }
  auto summaries = reports::summarise_cells(store_);
  if (auto* problem = std::get_if<std::string>(&summaries)) {
    return std::move(*problem);
  }
  auto& cells = std::get<0>(summaries);
  AFTERSHOCK_ASSERT(cells.size() == question_.rates.size() * choices);
  for (std::size_t rate = 0; rate < question_.rates.size(); ++rate) {
    auto& results = advice_.results.emplace_back();
    for (std::size_t choice = 0; choice < choices; ++choice) {
      const std::size_t cell = rate * choices + choice;
      const CellRuns& runs = runs_[cell];
      ChoiceResult result;
      result.summary = std::move(cells[cell]);
      result.terms = runs.estimates();
      if (!question_.random) {
        forget_intervals(result);
      }
      result.keeps = keeps_condition(question_.goal, result.terms);
      result.missed = missed_by(question_.goal, result.terms);
      result.endings = runs.endings();
      result.died = runs.died();
      results.push_back(std::move(result));
    }
  }
  return std::nullopt;
}

void Adviser::take_formulas() {
  for (std::size_t rate = 0; rate < question_.rates.size(); ++rate) {
    auto& results = advice_.results[rate];
    BudgetUse use;
    for (std::size_t choice = 0; choice < results.size(); ++choice) {
      use.add(runs_[rate * results.size() + choice]);
    }
    for (std::size_t choice = 0; choice < results.size(); ++choice) {
      const std::size_t cell = rate * results.size() + choice;
      const scenario::Scenario scenario = sweep::scenario_of(plan_.cells[cell]);
      ChoiceResult& result = results[choice];
      if (const auto model = job_model(scenario)) {
        result.formula_ettr = formula_ettr(*model);
      }
      result.formula_exhausted = BudgetUse::exhausted(scenario, runs_[cell]);
      if (rate == 0 && choice == 0) {
        advice_.budgets = use.words(scenario);
      }
    }
  }
}

void Adviser::find_present() {
  for (std::size_t choice = 0; choice < question_.choices.size(); ++choice) {
    if (distance(question_, question_.choices[choice]) < 1e-9) {
      advice_.present = choice;
    }
  }
}

std::size_t Adviser::best_of(const std::vector<std::size_t>& choices) const {
  return *std::ranges::min_element(choices, {}, [&](std::size_t choice) {
    return rank_by(question_.goal, advice_.results[0][choice]);
  });
}

void Adviser::decide() {
  const auto& results = advice_.results[0];
  std::vector<std::size_t> keeping;
  for (std::size_t choice = 0; choice < results.size(); ++choice) {
    // The share that fails may be at the upper end of its interval.
    if (results[choice].keeps == Keeps::kSurely && objective_of(question_.goal, results[choice])) {
      keeping.push_back(choice);
    }
  }
  advice_.nearest = nearest_choice(question_.goal, results);
  const bool kept = !keeping.empty();
  if (!kept) {
    keeping = as_near(advice_.nearest);
  }
  advice_.best = kept ? best_of(keeping) : advice_.nearest;
  const std::size_t told = best_of_alike(keeping);
  (kept ? advice_.chosen.emplace() : advice_.nearest) = told;
  if (advice_.present) {
    advice_.gain = useful_gain(runs_[*advice_.present], runs_[told]);
  }
  find_edges(told);
  // Limits are those of what is advised, as it is now.
  const scenario::Scenario scenario = sweep::scenario_of(plan_.cells[told]);
  if (const auto model = job_model(scenario)) {
    advice_.limits = model_limits(scenario, *model);
  } else {
    advice_.limits.emplace_back(
        "One job that saves, and nothing beside it, is what the formulas are about.");
  }
  const auto& failed = results[told].summary.failed;
  if (failed && failed->value > 0.01) {
    advice_.limits.push_back(fmt::format(
        "Runs that end early: {:.1f} % of the jobs fail; the formula has the job go on.",
        100 * failed->value));
  }
}

std::vector<std::size_t> Adviser::as_near(std::size_t nearest) const {
  const auto& results = advice_.results[0];
  const auto& exhausted = results[nearest].summary.exhausted;
  std::vector<std::size_t> all{nearest};
  // Where every run exhausts its budgets the objective is of what is cut short.
  for (std::size_t choice = 0; choice < results.size(); ++choice) {
    if (choice != nearest && results[choice].missed <= results[nearest].missed &&
        objective_of(question_.goal, results[choice]) && !(exhausted && exhausted->value >= 1)) {
      all.push_back(choice);
    }
  }
  return all;
}

Likeness Adviser::likeness_to(std::size_t other, std::size_t choice) const {
  if (question_.random) {
    return likeness(runs_[other], runs_[choice]);
  }
  const double best = rank_by(question_.goal, advice_.results[0][other]);
  const double here = rank_by(question_.goal, advice_.results[0][choice]);
  return here <= best + kAlike * std::abs(best) ? Likeness::kAlike : Likeness::kApart;
}

std::size_t Adviser::best_of_alike(const std::vector<std::size_t>& choices) {
  std::vector<std::size_t> alike;
  for (const std::size_t choice : choices) {
    const Likeness like =
        choice == advice_.best ? Likeness::kAlike : likeness_to(advice_.best, choice);
    if (like == Likeness::kAlike) {
      alike.push_back(choice);
    } else if (like == Likeness::kOpen) {
      advice_.open.push_back(choice);
    }
  }
  return break_ties(std::move(alike));
}

std::optional<double> Adviser::rates_missed(std::size_t choice) const {
  return static_cast<double>(std::ranges::count_if(advice_.results, [choice](const auto& results) {
    return results[choice].keeps != Keeps::kSurely;
  }));
}

std::optional<double> Adviser::dead_share(std::size_t choice) const {
  const auto& alive = advice_.results[0][choice].summary.alive;
  return alive ? std::optional(1 - alive->value) : std::nullopt;
}

std::size_t Adviser::break_ties(std::vector<std::size_t> alike) {
  for (const std::size_t choice : alike) {
    if (choice != advice_.best) {
      advice_.ties.push_back(choice);
    }
  }
  const auto of = [this](std::string_view metric) {
    return
        [this, metric](std::size_t choice) { return mean_of(advice_.results[0][choice], metric); };
  };
  std::vector<std::string_view> decided;
  const auto decide_by = [&](bool left, std::string_view words, const char* by) {
    if (left) {
      advice_.tie_by = decided.empty() ? by : advice_.tie_by;
      decided.push_back(words);
    }
  };
  decide_by(leave_safest(alike, advice_.results[0]), "the fewest runs that fail or are stuck",
            "the safest");
  decide_by(leave_least(alike,
                        [this](std::size_t choice) {
                          const auto& cost =
                              advice_.results[0][choice].summary.cost_per_useful_hour;
                          return cost ? std::optional(cost->value) : std::nullopt;
                        }),
            "the lowest cost of useful work", "the cheapest");
  decide_by(leave_least(alike, of("idle_spares_us")), "the fewest idle spares",
            "with the fewest idle spares");
  bool by_rates = leave_least(alike, [this](std::size_t choice) { return rates_missed(choice); });
  for (std::size_t rate = 1; rate < advice_.results.size(); ++rate) {
    by_rates = leave_safest(alike, advice_.results[rate]) || by_rates;
  }
  decide_by(by_rates, "other rates of failure, at which the goal is kept or fewer runs fail",
            "the best at other rates");
  decide_by(leave_least(alike, [this](std::size_t choice) { return dead_share(choice); }),
            "the fewest of the same runs that fail or are stuck", "the safest");
  if (alike.size() > 1) {
    decide_by(true, "nearness to what the scenario has now", "the nearest to what it has now");
    std::ranges::stable_sort(alike, {}, [this](std::size_t choice) {
      return distance(question_, question_.choices[choice]);
    });
  }
  advice_.tie_break = fmt::format("{}", fmt::join(decided, ", then "));
  return alike.front();
}

bool Adviser::inner_is_alike(std::size_t edge, std::string_view name) const {
  const sweep::Point& here = question_.choices[edge];
  for (std::size_t choice = 0; choice < question_.choices.size(); ++choice) {
    const bool alone =
        choice != edge && std::ranges::equal(here, question_.choices[choice],
                                             [&](const auto& left, const auto& right) {
                                               return left.first == name || left == right;
                                             });
    if (alone && likeness_to(edge, choice) == Likeness::kAlike &&
        std::abs(dead_share(edge).value_or(0) - dead_share(choice).value_or(0)) <= kAlike) {
      return true;
    }
  }
  return false;
}

void Adviser::find_edges(std::size_t choice) {
  for (const sweep::Dimension& dimension : question_.dimensions) {
    for (std::size_t i = 0; i < dimension.names.size(); ++i) {
      const auto here = std::ranges::find(question_.choices[choice], dimension.names[i],
                                          &sweep::Point::value_type::first);
      const auto amount = reach_of(here->second);
      double least = HUGE_VAL;
      double most = -HUGE_VAL;
      for (const auto& point : dimension.points) {
        least = std::min(least, reach_of(point[i]).value_or(HUGE_VAL));
        most = std::max(most, reach_of(point[i]).value_or(-HUGE_VAL));
      }
      if (!amount || least >= most || (*amount > least && *amount < most) || *amount == 0 ||
          *amount == HUGE_VAL || (advice_.chosen && inner_is_alike(choice, here->first))) {
        continue;  // spares cannot be fewer than none
      }
      advice_.edges.push_back(fmt::format("{} is the {} {} that was tried", choice_label({*here}),
                                          *amount >= most ? "greatest" : "least",
                                          short_name(here->first)));
    }
  }
}

}  // namespace

std::vector<std::string> advice_pointers(const AdviceQuestion& question, const sweep::Plan& plan) {
  std::vector<std::string> pointers = sweep::pointers_in(question.goal);
  for (const std::string& pointer : BudgetUse::pointers(sweep::scenario_of(plan.cells.front()))) {
    if (std::ranges::find(pointers, pointer) == pointers.end()) {
      pointers.push_back(pointer);
    }
  }
  return pointers;
}

std::variant<Advice, std::string> advise(const AdviceQuestion& question, const sweep::Plan& plan,
                                         reports::RunStore& store) {
  return Adviser(question, plan, store).run();
}

}  // namespace aftershock::sim::advise
