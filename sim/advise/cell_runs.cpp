#include "sim/advise/cell_runs.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "reports/results/ending.h"
#include "reports/statistics/paired.h"

namespace aftershock::sim::advise {
namespace {

using reports::Statistic;

const scenario::Term& objective_of(const scenario::Expression& goal) {
  return goal.terms[goal.objective->term];
}

/// Values of runs whose mean is the objective: of ETTR, a ratio of means, by linearisation about
/// itself.
std::vector<double> linear(std::span<const reports::Pair> runs) {
  double first = 0;
  double second = 0;
  for (const reports::Pair& run : runs) {
    first += run.first;
    second += run.second;
  }
  const double ratio = second == 0 ? 0 : first / second;
  const double mean = second == 0 ? 1 : second / static_cast<double>(runs.size());
  std::vector<double> values;
  values.reserve(runs.size());
  for (const reports::Pair& run : runs) {
    values.push_back(ratio + (run.first - ratio * run.second) / mean);
  }
  return values;
}

/// Of few runs a quantile has no interval, and may be anywhere.
bool may_be_alike(const std::optional<reports::Estimate>& one,
                  const std::optional<reports::Estimate>& other) {
  return !one || !other || !one->interval || !other->interval ||
         (one->interval->low <= other->interval->high &&
          other->interval->low <= one->interval->high);
}

}  // namespace

CellRuns::CellRuns(const scenario::Expression& goal, std::span<const std::string> pointers)
    : goal_(&goal), pointers_(pointers), values_(goal, pointers), sums_(pointers.size()) {}

void CellRuns::add(const reports::RunRow& row) {
  objective_.resize(std::max<std::size_t>(objective_.size(), row.replica + std::size_t{1}));
  if (row.values.empty()) {
    return;
  }
  values_.add(row);
  useful_.resize(objective_.size());
  useful_[row.replica] = reports::number_of(row, "useful_share");
  const double wall = reports::number_of(row, "wall_us").value_or(0);
  wall_us_ += wall;
  if (!reports::number_of(row, "exhausted_us")) {
    full_wall_us_ += wall;
    ++full_;
  }
  const std::size_t fixed = reports::metrics().size();
  std::string ending;
  for (std::size_t i = 0; i < pointers_.size(); ++i) {
    const double value = reports::number_of(row.values[fixed + i]).value_or(0);
    sums_[i] += value;
    const std::string_view pointer = pointers_[i];
    if (value > 0 && pointer.starts_with(kBudgets) && pointer.ends_with(kExhausted)) {
      ending = fmt::format(
          "exhausted({})",
          pointer.substr(kBudgets.size(), pointer.size() - kBudgets.size() - kExhausted.size()));
    }
  }
  if (const std::string how = reports::ending_of(row); !how.empty()) {
    ++endings_[ending.empty() || how.starts_with("stuck") ? how : ending];
    died_.push_back(row.seed);
  }
  const scenario::Term& term = objective_of(*goal_);
  if (term.name == "ettr") {
    objective_[row.replica] = {reports::number_of(row, "productive_us").value_or(0), wall};
  } else {
    const auto metric = reports::metric_named(term.name);
    const auto pointer = std::ranges::find(pointers_, term.name);
    const std::size_t place =
        metric ? *metric : fixed + static_cast<std::size_t>(pointer - pointers_.begin());
    if (const auto number = reports::number_of(row.values[place])) {
      objective_[row.replica] = {*number, 1};
    }
  }
}

std::vector<std::optional<reports::Estimate>> CellRuns::estimates() const {
  std::vector<std::optional<reports::Estimate>> all;
  for (const scenario::Term& term : goal_->terms) {
    all.push_back(estimate_of(term));
  }
  return all;
}

std::optional<reports::Estimate> CellRuns::estimate_of(const scenario::Term& term) const {
  const auto value = values_.value(term);
  if (!value) {
    return std::nullopt;
  }
  reports::Estimate estimate{*value, {}};
  if (term.kind != scenario::Term::Kind::kNumber &&
      term.statistic.part == Statistic::Part::kValue) {
    scenario::Term end = term;
    end.statistic.part = Statistic::Part::kLow;
    const auto low = values_.value(end);
    end.statistic.part = Statistic::Part::kHigh;
    const auto high = values_.value(end);
    if (low && high) {
      estimate.interval = {*low, *high};
    }
  }
  return estimate;
}

double CellRuns::sum_at(const std::string& pointer) const {
  const auto found = std::ranges::find(pointers_, pointer);
  return found == pointers_.end() ? 0 : sums_[static_cast<std::size_t>(found - pointers_.begin())];
}

std::optional<double> CellRuns::full_wall_us() const {
  return full_ == 0 ? std::nullopt : std::optional(full_wall_us_ / static_cast<double>(full_));
}

std::optional<reports::Estimate> useful_gain(const CellRuns& first, const CellRuns& second) {
  std::vector<reports::Pair> pairs;
  for (std::size_t i = 0; i < std::min(first.useful_.size(), second.useful_.size()); ++i) {
    if (first.useful_[i] && second.useful_[i]) {
      pairs.push_back({*first.useful_[i], *second.useful_[i]});
    }
  }
  const auto difference = reports::paired_difference(pairs, reports::Bootstrap{.resamples = 0});
  return difference ? std::optional(difference->mean) : std::nullopt;
}

bool is_mean(const Statistic& statistic) {
  return statistic.of == Statistic::Of::kMean && statistic.part == Statistic::Part::kValue;
}

Likeness likeness(const CellRuns& best, const CellRuns& other) {
  const scenario::Term& term = objective_of(*best.goal_);
  const auto value = best.values_.value(term);
  if (value == other.values_.value(term)) {
    return Likeness::kAlike;
  }
  if (!is_mean(term.statistic)) {
    return may_be_alike(best.estimate_of(term), other.estimate_of(term)) &&
                   term.statistic.of == Statistic::Of::kQuantile
               ? Likeness::kOpen
               : Likeness::kApart;
  }
  std::vector<reports::Pair> first;
  std::vector<reports::Pair> second;
  const std::size_t runs = std::min(best.objective_.size(), other.objective_.size());
  for (std::size_t i = 0; i < runs; ++i) {
    if (best.objective_[i] && other.objective_[i]) {
      first.push_back(*best.objective_[i]);
      second.push_back(*other.objective_[i]);
    }
  }
  if (first.size() < 2) {
    return Likeness::kOpen;  // of one run nothing can be told
  }
  const std::vector<double> here = linear(first);
  const std::vector<double> there = linear(second);
  std::vector<reports::Pair> pairs;
  for (std::size_t i = 0; i < here.size(); ++i) {
    pairs.push_back({here[i], there[i]});
  }
  reports::Bootstrap none;
  none.resamples = 0;
  const auto difference = reports::paired_difference(pairs, none);
  if (!difference || !difference->mean.interval) {
    return Likeness::kOpen;
  }
  const reports::Interval& interval = *difference->mean.interval;
  constexpr double kAlikeShare = 0.01;
  constexpr double kReachShare = 0.02;
  constexpr double kNothingShare = 0.001;
  const double scale = value ? std::abs(*value) : 0;
  const double reach = std::max(-interval.low, interval.high);
  // Pairs tell differences apart that nobody would pay for.
  if (value && std::max(std::abs(interval.low), std::abs(interval.high)) <= kNothingShare * scale) {
    return Likeness::kAlike;
  }
  if (interval.low > 0 || interval.high < 0) {
    return Likeness::kApart;
  }
  if (!value) {
    return Likeness::kOpen;
  }
  return std::abs(difference->mean.value) <= kAlikeShare * scale && reach <= kReachShare * scale
             ? Likeness::kAlike
             : Likeness::kOpen;
}

}  // namespace aftershock::sim::advise
