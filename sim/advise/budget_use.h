#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/advise/cell_runs.h"
#include "sim/scenario/scenario.h"

namespace aftershock::sim::advise {

/// How fast the only job's retry budgets are used up, whatever the policy charges them for: charges
/// over time watched, of all runs together. A budget of the job's life is exhausted by one charge
/// more than its limit, which Poisson's law gives a probability (O7).
class BudgetUse {
 public:
  /// Where the summary has what is used of each, and whether it is exhausted; none where there are
  /// several jobs.
  static std::vector<std::string> pointers(const scenario::Scenario& scenario);

  /// Takes in the runs of a cell, for what is said of all; their rate of failure must be one.
  void add(const CellRuns& runs);

  /// P(some budget is exhausted) within the time that runs of this cell take, at the rate at which
  /// they were charged; none where the policy has no limited budget for the job's life, or nothing
  /// is known of the time.
  static std::optional<double> exhausted(const scenario::Scenario& scenario, const CellRuns& runs);
  /// The charges a day, and the budgets that no formula covers, a sentence each.
  [[nodiscard]] std::vector<std::string> words(const scenario::Scenario& scenario) const;

 private:
  [[nodiscard]] double per_us(const std::string& pointer) const;

  std::vector<const CellRuns*> cells_;
};

}  // namespace aftershock::sim::advise
