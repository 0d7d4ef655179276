#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/sweep/run_values.h"

namespace aftershock::sim::advise {

/// Where the summary has a budget of the only job, in between these.
inline constexpr std::string_view kBudgets = "/jobs/0/budgets/";
inline constexpr std::string_view kExhausted = "/exhausted";

/// How the objective of one cell stands to that of the best.
enum class Likeness : std::uint8_t {
  kApart,  ///< the paired 95 % interval of their difference does not include zero
  kAlike,  ///< it does, its middle within a hundredth of the best and all of it within two; or all
           ///< of it is within a thousandth
  kOpen,   ///< it does, and reaches further, or there is none: so few runs cannot say
};

/// The figures that an advice needs of one cell's runs.
class CellRuns {
 public:
  /// The goal must have an objective; `pointers` are those of the plan.
  CellRuns(const scenario::Expression& goal, std::span<const std::string> pointers);

  /// Takes a run in. One whose worker died has no values, and is left out.
  void add(const reports::RunRow& row);

  /// Of the goal's terms, in their order.
  [[nodiscard]] std::vector<std::optional<reports::Estimate>> estimates() const;
  /// Runs by what ended a job that failed, the budget that it exhausted or else in other words, or
  /// by what one that is stuck waits for.
  [[nodiscard]] const std::map<std::string, std::int64_t>& endings() const { return endings_; }
  /// The seeds of runs that failed or are stuck, in the order in which they came.
  [[nodiscard]] const std::vector<std::uint64_t>& died() const { return died_; }

  /// The sum over runs of the value at a pointer of the plan, and of their wall time.
  [[nodiscard]] double sum_at(const std::string& pointer) const;
  [[nodiscard]] double wall_us() const { return wall_us_; }
  /// The mean wall time of runs that no retry budget ended; none where all were.
  [[nodiscard]] std::optional<double> full_wall_us() const;

 private:
  friend Likeness likeness(const CellRuns& best, const CellRuns& other);
  friend std::optional<reports::Estimate> useful_gain(const CellRuns& first,
                                                      const CellRuns& second);

  [[nodiscard]] std::optional<reports::Estimate> estimate_of(const scenario::Term& term) const;

  const scenario::Expression* goal_;
  std::span<const std::string> pointers_;
  sweep::RunValues values_;
  std::vector<std::optional<reports::Pair>> objective_;  ///< by replica; of a mean the first alone
  std::vector<std::optional<double>> useful_;            ///< share, by replica
  std::map<std::string, std::int64_t> endings_;
  std::vector<std::uint64_t> died_;
  std::vector<double> sums_;  ///< by pointer
  double wall_us_ = 0;
  double full_wall_us_ = 0;
  std::int64_t full_ = 0;
};

/// How much more useful share the second has, as a paired mean; none without pairs.
std::optional<reports::Estimate> useful_gain(const CellRuns& first, const CellRuns& second);

/// Whether it is the mean itself, and no end of its interval.
bool is_mean(const reports::Statistic& statistic);

/// By the objective's paired 95 % interval. Only means and ETTR have one; quantiles are told apart
/// where their own intervals are, and all else where it differs at all.
Likeness likeness(const CellRuns& best, const CellRuns& other);

}  // namespace aftershock::sim::advise
