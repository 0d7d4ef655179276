#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "reports/results/run_row.h"
#include "reports/statistics/estimate.h"
#include "sim/scenario/expression/parse_many_runs.h"
#include "sim/scenario/scenario.h"
#include "sim/sweep/plan.h"

namespace aftershock::sim::sweep {

/// Reads an expression about a plan's runs: what is a number in the runs of one cell may be asked
/// of all.
std::variant<scenario::Expression, scenario::ExpressionProblem> parse_many_runs(
    std::string_view text, const Plan& plan, bool objective);

/// The pointers that an expression speaks of, each once, in its order.
std::vector<std::string> pointers_in(const scenario::Expression& expression);

/// The values of one cell's runs that an expression needs, and no others.
class RunValues {
 public:
  /// `pointers`: those of the plan, whose values stand behind the metrics'.
  RunValues(const scenario::Expression& expression, std::span<const std::string> pointers);

  /// Takes a run in. One whose worker died has no values, and is left out.
  void add(const reports::RunRow& row);

  /// How often `add` took one in.
  [[nodiscard]] std::int64_t runs() const { return runs_; }
  /// The value of the term; none where there are too few runs for it.
  [[nodiscard]] std::optional<double> value(const scenario::Term& term) const;
  [[nodiscard]] scenario::Truth holds(const scenario::Expression& expression) const;

 private:
  struct Column {
    std::size_t place = 0;  ///< in a row's values
    std::vector<double> values;
  };

  std::int64_t runs_ = 0;
  std::map<std::string, Column, std::less<>> columns_;
  std::optional<std::vector<double>> passed_;  ///< 0 or 1 a run, for `p(passed)`
  bool ratio_wanted_ = false;
  std::vector<reports::Pair> ratio_;  ///< productive and wall time, for `ettr`
};

/// When a sweep has seen enough: the expression holds in every cell.
class StopRule {
 public:
  StopRule(const scenario::Expression& expression, std::size_t cells,
           std::span<const std::string> pointers);

  /// Takes a row in.
  void saw(const reports::RunRow& row) { cells_[row.cell].add(row); }
  /// Whether so many replicas are enough. It is looked at from 32 on and then with every 20th part
  /// more: a rule that is tried after every run stops too early by luck.
  bool met(std::uint32_t replicas);
  /// Whether it ever was.
  [[nodiscard]] bool was_met() const { return met_; }

 private:
  const scenario::Expression& expression_;
  std::vector<RunValues> cells_;
  std::uint32_t next_ = 32;
  bool met_ = false;
};

}  // namespace aftershock::sim::sweep
