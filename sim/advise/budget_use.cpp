#include "sim/advise/budget_use.h"

#include <algorithm>

#include <fmt/format.h>

#include "sim/advise/analytic.h"
#include "sim/advise/cell_runs.h"
#include "sim/scenario/text/error.h"
#include "sim/simulate/simulate.h"

namespace aftershock::sim::advise {
namespace {

constexpr double kDayUs = 86'400e6;

/// A budget as it stands before anything happens.
struct Limited {
  std::string name;
  std::string place;  ///< in the summary
  std::optional<std::int64_t> limit;
  bool in_a_row = false;
};

std::vector<Limited> budgets_in(const scenario::Scenario& scenario) {
  std::vector<Limited> budgets;
  if (scenario.jobs.size() != 1 || !scenario.experiments.empty()) {
    return budgets;
  }
  const auto hosts = simulate::make_hosts(scenario);
  const policies::PolicyInfo& info = hosts.front().info();
  const auto states = hosts.front().policy().budgets();
  for (std::size_t i = 0; i < info.budgets.size(); ++i) {
    Limited budget;
    budget.name = info.budgets[i];
    budget.place = kBudgets.substr(0, kBudgets.size() - 1);
    scenario::append_to_pointer(budget.place, info.budgets[i]);
    budget.limit = states[i].limit;
    budget.in_a_row = std::ranges::find(info.budgets_in_a_row, i) != info.budgets_in_a_row.end();
    budgets.push_back(std::move(budget));
  }
  return budgets;
}

}  // namespace

std::vector<std::string> BudgetUse::pointers(const scenario::Scenario& scenario) {
  std::vector<std::string> pointers;
  for (const Limited& budget : budgets_in(scenario)) {
    pointers.push_back(budget.place + "/used");
    pointers.push_back(fmt::format("{}{}", budget.place, kExhausted));
  }
  return pointers;
}

void BudgetUse::add(const CellRuns& runs) { cells_.push_back(&runs); }

double BudgetUse::per_us(const std::string& pointer) const {
  double used = 0;
  double watched_us = 0;
  for (const CellRuns* runs : cells_) {
    used += runs->sum_at(pointer);
    watched_us += runs->wall_us();
  }
  return watched_us > 0 ? used / watched_us : 0;
}

std::optional<double> BudgetUse::exhausted(const scenario::Scenario& scenario,
                                           const CellRuns& runs) {
  const bool open_ended = scenario.jobs.size() == 1 && !scenario.jobs.front().steps;
  const auto until =
      scenario.until_us ? std::optional(static_cast<double>(*scenario.until_us)) : std::nullopt;
  const auto time_us = open_ended ? until : runs.full_wall_us() ? runs.full_wall_us() : until;
  if (!time_us) {
    return std::nullopt;
  }
  double lasts = 1;
  bool any = false;
  for (const Limited& budget : budgets_in(scenario)) {
    if (budget.limit && !budget.in_a_row) {
      any = true;
      const double charges =
          runs.wall_us() > 0 ? runs.sum_at(budget.place + "/used") / runs.wall_us() * *time_us : 0;
      lasts *= 1 - poisson_tail(charges, *budget.limit);
    }
  }
  return any ? std::optional(1 - lasts) : std::nullopt;
}

std::vector<std::string> BudgetUse::words(const scenario::Scenario& scenario) const {
  std::vector<std::string> words;
  for (const Limited& budget : budgets_in(scenario)) {
    if (budget.limit && !budget.in_a_row && per_us(budget.place + "/used") > 0) {
      words.push_back(fmt::format(
          "Retries: {} was charged {:.3g} times a day; the formula (Poisson) has the charges "
          "independent, and as many a day all the time.",
          budget.name, per_us(budget.place + "/used") * kDayUs));
    } else if (budget.limit && budget.in_a_row) {
      words.push_back(fmt::format(
          "Retries: {} counts what came in a row, and is in the simulation alone.", budget.name));
    }
  }
  return words;
}

}  // namespace aftershock::sim::advise
