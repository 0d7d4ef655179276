#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "reports/results/run_store.h"
#include "sim/advise/budget_places.h"
#include "sim/sweep/plan.h"

namespace aftershock::sim::advise {

/// The runs that were made for one advice, so that none is made twice: a search tries the same
/// choices by few runs and then by many. A retry budget decides nothing before it is used up, so
/// that a run that has charges left is the same run with any other budget that these do not use up
/// (tests: KnownRuns). Only the rows are: hashes and decisions may name the limit.
class KnownRuns {
 public:
  /// `scenario`: as it is before anything is chosen. Of policies outside the program nothing is
  /// known, and budgets that progress refills are told apart.
  explicit KnownRuns(const scenario::Scenario& scenario);

  /// Of the plan's cells those that are to be run before the others, whose runs may follow.
  [[nodiscard]] std::vector<bool> first_of(const sweep::Plan& plan) const;
  /// Adds the runs of the plan that are known to its store; returns how many these are.
  std::uint64_t give(const sweep::Plan& plan, reports::RunStore& store) const;
  /// Remembers the runs of the plan that its store has, up to kMost in all. Where the store cannot
  /// be read, those that can.
  void take(const sweep::Plan& plan, reports::RunStore& store);

  /// Runs are remembered up to so many: about a hundred megabytes.
  static constexpr std::size_t kMost = 100'000;

 private:
  /// All that decides a run, its budgets apart.
  using Key = std::pair<std::string, std::uint64_t>;
  struct Known {
    std::vector<std::string> limits;  ///< as written
    reports::RunRow row;
  };
  /// A cell's parameters without budgets, and these.
  struct Choice {
    std::string rest;
    std::vector<std::string> limits;
  };

  [[nodiscard]] Choice choice_of(const sweep::PlannedCell& cell) const;
  [[nodiscard]] bool follows(const Known& known, const std::vector<std::string>& limits) const;

  bool none_ = false;
  std::vector<BudgetPlace> budgets_;
  std::vector<std::string> pointers_;  ///< of the rows
  std::map<Key, std::vector<Known>> runs_;
  std::size_t count_ = 0;
};

}  // namespace aftershock::sim::advise
