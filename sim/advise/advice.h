#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "reports/results/cell_summary.h"
#include "sim/advise/verdicts.h"
#include "sim/sweep/plan.h"

namespace aftershock::sim::advise {

/// One choice at one rate.
struct ChoiceResult {
  reports::CellSummary summary;
  Keeps keeps = Keeps::kNot;
  double missed = 0;                                    ///< missed_by
  std::vector<std::optional<reports::Estimate>> terms;  ///< of the goal, in its order
  std::optional<double> formula_ettr;                   ///< O4 and O8
  std::optional<double> formula_exhausted;      ///< O7, by the rate at which budgets were charged
  std::map<std::string, std::int64_t> endings;  ///< runs by what ended a job that failed
  std::vector<std::uint64_t> died;              ///< seeds of runs that fail or are stuck
};

/// One value of a place, which a search tried while all other places had one value each.
struct TriedValue {
  std::string name;
  std::string value;
  ChoiceResult result;
};

/// The question: the choices that a plan holds, at each of some rates of failure.
struct AdviceQuestion {
  scenario::Expression goal;
  std::vector<sweep::Dimension> dimensions;  ///< the places to choose for
  std::vector<bool> by_model;                ///< of each: the model found its values (Choosable)
  std::vector<sweep::Point> choices;         ///< their combinations, in order
  std::vector<double> rates;  ///< cell = rate index * choices + choice; the first is as it is
  std::vector<std::optional<std::string>> present;  ///< of each place of a choice (present_value)
  bool random = true;     ///< false: another seed makes the same run, and one run says all
  bool scripted = false;  ///< all runs have the same faults, and differ by what else is drawn
  std::string search;     ///< how the choices were found among many, in words; empty: all are here
  std::vector<TriedValue> alone;  ///< by the search, place by place
};

/// A cure that was tried on the choice that is told.
struct TriedCure {
  std::string words;
  std::string flags;  ///< "--set ...", as a shell reads them
  ChoiceResult result;
};

/// The outcome of an advice.
struct Advice {
  std::vector<std::vector<ChoiceResult>> results;  ///< by rate, then by choice
  std::optional<std::size_t> chosen;   ///< index of a choice; none: nothing keeps the condition
  std::size_t nearest = 0;             ///< that which misses it by least, where nothing keeps it
  std::size_t best = 0;                ///< by the objective alone, of those that keep it
  std::vector<std::size_t> ties;       ///< beside the best: as good as it
  std::vector<std::size_t> open;       ///< so few runs cannot say whether they are
  std::string tie_break;               ///< the tie-break among them: "cost", "idle spares", ...
  std::string tie_by;                  ///< the first of that, of the choice: "the cheapest"
  std::optional<std::size_t> present;  ///< the choice that the scenario has now
  /// Useful share of the told one minus that of the present one, run by run.
  std::optional<reports::Estimate> gain;
  std::vector<std::string> edges;    ///< places whose chosen value is the last of its range
  std::vector<std::string> limits;   ///< where formulas do not hold, a sentence each
  std::vector<std::string> budgets;  ///< the facts of retry budgets, a sentence each
  std::vector<TriedCure> cures;      ///< where runs fail or are stuck, the most helpful first
};

/// The columns that rows need beside the metrics: those of the goal, and use of the job's budgets.
std::vector<std::string> advice_pointers(const AdviceQuestion& question, const sweep::Plan& plan);

/// Reads the rows of a sweep that is whole, and decides: of the choices that keep the condition at
/// the first rate wherever in their intervals the true values are the best by the objective; where
/// others are alike (see Likeness), those of which the fewest runs fail or are stuck, of them those
/// within 1 % of the cheapest useful work, of them those within 1 % of the fewest idle spares, of
/// them those that keep the condition at the most rates, of them those of which the fewest of the
/// same runs fail or are stuck, of them the nearest to the scenario as it is. An error in words
/// where the store breaks off.
std::variant<Advice, std::string> advise(const AdviceQuestion& question, const sweep::Plan& plan,
                                         reports::RunStore& store);

/// The estimate of the goal's objective; none where no run has a value of it.
const std::optional<reports::Estimate>& objective_of(const scenario::Expression& goal,
                                                     const ChoiceResult& result);

/// The rank of a result by the goal's objective: the least is the best, no value the worst.
double rank_by(const scenario::Expression& goal, const ChoiceResult& result);

/// Of choices at one rate, none of which keeps the condition: that which misses it by least, and
/// where several miss it by as much, the best of them by the objective.
std::size_t nearest_choice(const scenario::Expression& goal,
                           const std::vector<ChoiceResult>& results);

/// The common name of a place: the last part of its pointer, the section before it where that
/// alone says nothing ("checkpoint/every"), and its job or pool where that is not the first
/// ("jobs/1/max_failures").
std::string short_name(std::string_view pointer);

/// "checkpoint/every=12min, spares=4": the values of a choice.
std::string choice_label(const sweep::Point& choice);

}  // namespace aftershock::sim::advise
