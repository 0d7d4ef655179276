#include "sim/sweep/run_values.h"

#include <algorithm>

#include "base/assert.h"
#include "reports/results/metric_bounds.h"
#include "reports/results/metrics.h"
#include "reports/statistics/sample.h"
#include "reports/statistics/statistic.h"

namespace aftershock::sim::sweep {
namespace {

std::size_t place_of(std::string_view name, std::span<const std::string> pointers) {
  if (const auto metric = reports::metric_named(name)) {
    return *metric;
  }
  const auto found = std::ranges::find(pointers, name);
  AFTERSHOCK_ASSERT(found != pointers.end());
  return reports::metrics().size() + static_cast<std::size_t>(found - pointers.begin());
}

/// The mean's interval ends where values do.
std::optional<double> mean_part(const reports::Statistic& statistic,
                                std::optional<reports::Estimate> mean,
                                const reports::Bounds& bounds) {
  return reports::part_of(reports::within(mean, bounds), statistic.part);
}

}  // namespace

std::variant<scenario::Expression, scenario::ExpressionProblem> parse_many_runs(
    std::string_view text, const Plan& plan, bool objective) {
  auto first = scenario::parse_many_runs(text, scenario_of(plan.cells.front()), objective);
  for (std::size_t i = 1; i < plan.cells.size() && first.index() != 0; ++i) {
    auto parsed = scenario::parse_many_runs(text, scenario_of(plan.cells[i]), objective);
    if (parsed.index() == 0) {
      return parsed;
    }
  }
  return first;
}

std::vector<std::string> pointers_in(const scenario::Expression& expression) {
  std::vector<std::string> pointers;
  for (const scenario::Term& term : expression.terms) {
    if (term.kind == scenario::Term::Kind::kMetric && term.name.starts_with('/') &&
        std::ranges::find(pointers, term.name) == pointers.end()) {
      pointers.push_back(term.name);
    }
  }
  return pointers;
}

RunValues::RunValues(const scenario::Expression& expression,
                     std::span<const std::string> pointers) {
  for (const scenario::Term& term : expression.terms) {
    if (term.kind == scenario::Term::Kind::kNumber) {
      continue;
    }
    if (term.kind == scenario::Term::Kind::kMetric && term.name == "ettr") {
      ratio_wanted_ = true;
    } else if (term.name == scenario::kPassed) {
      passed_.emplace();
    } else {
      columns_[term.name].place = place_of(term.name, pointers);
    }
  }
}

void RunValues::add(const reports::RunRow& row) {
  if (row.values.empty()) {
    return;
  }
  ++runs_;
  for (auto& [name, column] : columns_) {
    if (const auto number = reports::number_of(row.values[column.place])) {
      column.values.push_back(*number);
    }
  }
  if (passed_) {
    passed_->push_back(row.verdict == reports::Verdict::kPassed ? 1 : 0);
  }
  if (ratio_wanted_) {
    ratio_.push_back({reports::number_of(row, "productive_us").value_or(0),
                      reports::number_of(row, "wall_us").value_or(0)});
  }
}

std::optional<double> RunValues::value(const scenario::Term& term) const {
  if (term.kind == scenario::Term::Kind::kNumber) {
    return term.number;
  }
  if (term.kind == scenario::Term::Kind::kMetric && term.name == "ettr") {
    return term.statistic.of == reports::Statistic::Of::kMean
               ? mean_part(term.statistic, reports::ratio_of_means(ratio_, term.statistic.level),
                           reports::kShareBounds)
               : reports::value_of(term.statistic, ratio_);
  }
  const auto found = columns_.find(term.name);
  AFTERSHOCK_ASSERT(found != columns_.end() || (passed_ && term.name == scenario::kPassed));
  const std::vector<double>& values = found == columns_.end() ? *passed_ : found->second.values;
  if (term.kind == scenario::Term::Kind::kProbability) {
    const auto events = std::ranges::count_if(values, [](double value) { return value > 0; });
    return reports::value_of_event(term.statistic, events,
                                   static_cast<std::int64_t>(values.size()));
  }
  return term.statistic.of == reports::Statistic::Of::kMean
             ? mean_part(term.statistic,
                         reports::summarise(values).mean_estimate(term.statistic.level),
                         reports::bounds_of_column(found->second.place))
             : reports::value_of(term.statistic, values);
}

scenario::Truth RunValues::holds(const scenario::Expression& expression) const {
  return sim::scenario::holds(expression,
                              [this](const scenario::Term& term) { return value(term); });
}

StopRule::StopRule(const scenario::Expression& expression, std::size_t cells,
                   std::span<const std::string> pointers)
    : expression_(expression), cells_(cells, RunValues(expression, pointers)) {}

bool StopRule::met(std::uint32_t replicas) {
  if (replicas < next_) {
    return false;
  }
  next_ = replicas + replicas / 20;
  met_ = std::ranges::all_of(cells_, [this](const RunValues& values) {
    return values.holds(expression_) == scenario::Truth::kYes;
  });
  return met_;
}

}  // namespace aftershock::sim::sweep
