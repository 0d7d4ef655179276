#include "sim/advise/known_runs.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "reports/results/run_row.h"
#include "sim/sweep/where.h"

namespace aftershock::sim::advise {
namespace {

/// The limit that is written so; none where it is unlimited, or no number.
std::optional<std::int64_t> limit_in(const std::string& written) {
  const std::string_view text = sweep::unquoted(written);
  std::int64_t limit = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), limit);
  if (error != std::errc{} || end != text.data() + text.size() || limit < 0) {
    return std::nullopt;
  }
  return limit;
}

/// Whether the budgets of a cell with such a parameter may be others than the scenario's, or have
/// limits that its own parameters do not name: it is another policy, or an object that holds one.
bool moves_budgets(const std::string& pointer, const std::vector<BudgetPlace>& budgets) {
  return pointer == "policy" || pointer == "/jobs/0/policy/name" ||
         pointer == "/jobs/0/policy/profile" ||
         std::ranges::any_of(budgets, [&](const BudgetPlace& budget) {
           return budget.pointer.starts_with(pointer + "/");
         });
}

}  // namespace

KnownRuns::KnownRuns(const scenario::Scenario& scenario)
    : none_(scenario.policies != nullptr), budgets_(budgets_of(scenario)) {
  std::erase_if(budgets_, [](const BudgetPlace& budget) { return budget.in_a_row; });
}

KnownRuns::Choice KnownRuns::choice_of(const sweep::PlannedCell& cell) const {
  Choice choice;
  const bool apart = std::ranges::any_of(cell.about.parameters, [this](const auto& parameter) {
    return moves_budgets(parameter.first, budgets_);
  });
  for (const BudgetPlace& budget : budgets_) {
    choice.limits.push_back(std::to_string(budget.limit));
  }
  for (const auto& [pointer, value] : cell.about.parameters) {
    const auto budget = std::ranges::find(budgets_, pointer, &BudgetPlace::pointer);
    if (budget != budgets_.end()) {
      choice.limits[static_cast<std::size_t>(budget - budgets_.begin())] = value;
    }
    if (apart || budget == budgets_.end()) {
      choice.rest += fmt::format("{}={}\n", pointer, value);
    }
  }
  return choice;
}

bool KnownRuns::follows(const Known& known, const std::vector<std::string>& limits) const {
  // The count at the end says too little: agents and controllers that were lost had their
  // counts.
  const auto most = reports::number_of(known.row, "peak_charges");
  for (std::size_t i = 0; i < budgets_.size(); ++i) {
    if (known.limits[i] == limits[i]) {
      continue;
    }
    const auto one = limit_in(known.limits[i]);
    const auto other = limit_in(limits[i]);
    // The last charge that a budget has may already lead to another decision.
    if (!one || !other || !most || *most >= static_cast<double>(std::min(*one, *other))) {
      return false;
    }
  }
  return true;
}

std::vector<bool> KnownRuns::first_of(const sweep::Plan& plan) const {
  std::vector<bool> first(plan.cells.size(), true);
  std::map<std::string, std::size_t> largest;
  for (std::size_t i = 0; !none_ && i < plan.cells.size(); ++i) {
    const Choice choice = choice_of(plan.cells[i]);
    const auto [at, fresh] = largest.try_emplace(choice.rest, i);
    if (fresh) {
      continue;
    }
    // From the largest budgets, which are used up least, most follows.
    const Choice other = choice_of(plan.cells[at->second]);
    bool larger = false;
    for (std::size_t b = 0; b < budgets_.size() && !larger; ++b) {
      larger = limit_in(choice.limits[b]) > limit_in(other.limits[b]);
    }
    first[larger ? at->second : i] = false;
    at->second = larger ? i : at->second;
  }
  return first;
}

std::uint64_t KnownRuns::give(const sweep::Plan& plan, reports::RunStore& store) const {
  if (none_ || plan.pointers != pointers_) {
    return 0;
  }
  std::uint64_t given = 0;
  for (std::uint32_t cell = 0; cell < plan.cells.size(); ++cell) {
    const Choice choice = choice_of(plan.cells[cell]);
    for (std::uint32_t replica = 0; replica < plan.replicas_of(cell); ++replica) {
      const auto found = runs_.find({choice.rest, plan.seed_of(cell, replica)});
      if (found == runs_.end()) {
        continue;
      }
      const auto known = std::ranges::find_if(
          found->second, [&](const Known& each) { return follows(each, choice.limits); });
      if (known != found->second.end()) {
        reports::RunRow row = known->row;
        row.cell = cell;
        row.replica = replica;
        store.add(row);
        ++given;
      }
    }
  }
  return given;
}

void KnownRuns::take(const sweep::Plan& plan, reports::RunStore& store) {
  if (none_ || (!runs_.empty() && plan.pointers != pointers_)) {
    return;
  }
  pointers_ = plan.pointers;
  std::vector<Choice> choices;
  for (const sweep::PlannedCell& cell : plan.cells) {
    choices.push_back(choice_of(cell));
  }
  static_cast<void>(store.each([&](reports::RunRow&& row) {
    const Choice& choice = choices[row.cell];
    auto& known = runs_[{choice.rest, row.seed}];
    // A worker that died over a run says nothing of it.
    if (!row.values.empty() && std::ranges::none_of(known, [&](const Known& each) {
          return each.limits == choice.limits;
        })) {
      known.push_back({choice.limits, std::move(row)});
      ++count_;
    }
    return count_ < kMost;
  }));
}

}  // namespace aftershock::sim::advise
