#include "reports/results/cell_summary.h"

#include <algorithm>
#include <cmath>
#include <variant>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/assert.h"
#include "reports/results/metric_bounds.h"
#include "reports/results/store_schema.h"
#include "reports/statistics/quantile.h"

namespace aftershock::reports {
namespace {

using Json = nlohmann::ordered_json;

/// The runs of one cell while they go by.
class Collector {
 public:
  Collector(std::uint32_t cell, std::size_t columns, double level) : level_(level) {
    summary_.cell = cell;
    summary_.columns.resize(columns);
  }

  void add(const RunRow& row) {
    AFTERSHOCK_ASSERT(row.values.empty() || row.values.size() == summary_.columns.size());
    ++summary_.runs;
    ++summary_.verdicts[static_cast<std::size_t>(row.verdict)];
    for (std::size_t i = 0; i < row.values.size(); ++i) {
      if (const auto number = number_of(row.values[i])) {
        summary_.columns[i].add(*number);
      }
    }
    if (row.values.empty()) {
      return;  // its worker died
    }
    ++counted_;
    ratio_.push_back({number(row, "productive_us"), number(row, "wall_us")});
    if (const auto cost = number_of(row, "cost")) {
      costs_.push_back({*cost, number(row, "useful_accelerator_us") / kMicrosPerHour});
    }
    completed_ += number(row, "completed") > 0 ? 1 : 0;
    alive_ += number(row, "alive") > 0 ? 1 : 0;
    failed_ += number(row, "failed") > 0 ? 1 : 0;
    stuck_ += number(row, "stuck") > 0 ? 1 : 0;
    const auto& exhausted = row.values[*metric_named("exhausted_us")];
    const auto* at_us = std::get_if<std::int64_t>(&exhausted);
    exhausted_ += at_us != nullptr ? 1 : 0;
    watched_.push_back({at_us != nullptr ? *at_us : whole(row, "simulated_us"), at_us != nullptr});
  }

  CellSummary finish() {
    summary_.ettr = within(ratio_of_means(ratio_, level_), kShareBounds);
    summary_.cost_per_useful_hour = ratio_of_means(costs_, level_);
    summary_.completed = probability_estimate(completed_, counted_, level_);
    summary_.useful_share =
        within(summary_.columns[*metric_named("useful_share")].mean_estimate(level_), kShareBounds);
    summary_.alive = probability_estimate(alive_, counted_, level_);
    summary_.stuck = probability_estimate(stuck_, counted_, level_);
    summary_.failed = probability_estimate(failed_, counted_, level_);
    summary_.exhausted = probability_estimate(exhausted_, counted_, level_);
    if (exhausted_ > 0) {
      summary_.exhaustion = kaplan_meier(watched_, level_);
    }
    return std::move(summary_);
  }

 private:
  static double number(const RunRow& row, std::string_view metric) {
    return number_of(row, metric).value_or(0);
  }

  /// The value itself, which a double cannot hold where it is large.
  static std::int64_t whole(const RunRow& row, std::string_view metric) {
    const MetricValue& value = row.values[*metric_named(metric)];
    const auto* exact = std::get_if<std::int64_t>(&value);
    return exact != nullptr ? *exact : std::llround(number_of(value).value_or(0));
  }

  static constexpr double kMicrosPerHour = 3.6e9;

  double level_;
  CellSummary summary_;
  std::vector<Pair> costs_;  ///< and useful accelerator-hours
  std::int64_t counted_ = 0;
  std::int64_t completed_ = 0;
  std::int64_t alive_ = 0;
  std::int64_t stuck_ = 0;
  std::int64_t failed_ = 0;
  std::int64_t exhausted_ = 0;
  std::vector<Pair> ratio_;
  std::vector<Watched> watched_;
};

Json to_json(const std::optional<Estimate>& estimate) {
  if (!estimate) {
    return nullptr;
  }
  Json json{{"value", estimate->value}, {"low", nullptr}, {"high", nullptr}};
  if (estimate->interval) {
    json["low"] = estimate->interval->low;
    json["high"] = estimate->interval->high;
  }
  return json;
}

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json to_json(const SampleSummary& sample, std::size_t column) {
  const auto mean = within(sample.mean_estimate(), bounds_of_column(column));
  Json json = to_json(mean);
  if (json.is_null()) {
    return json;
  }
  json["n"] = sample.count();
  json["sd"] = or_null(sample.deviation());
  json["min"] = or_null(sample.min());
  json["max"] = or_null(sample.max());
  return json;
}

/// The share of the runs for which a metric that is 0 or 1 is 1; null for any other metric.
const Estimate* share_named(const CellSummary& cell, std::string_view metric) {
  const std::pair<std::string_view, const std::optional<Estimate>*> shares[] = {
      {"completed", &cell.completed},
      {"alive", &cell.alive},
      {"failed", &cell.failed},
      {"stuck", &cell.stuck},
      {"exhausted", &cell.exhausted}};
  const auto* found =
      std::ranges::find(shares, metric, [](const auto& each) { return each.first; });
  return found == std::end(shares) || !*found->second ? nullptr : &**found->second;
}

Json to_json(const SurvivalCurve& curve) {
  const auto median = time_quantile(curve);
  if (!median) {
    return nullptr;
  }
  return {{"value", median->t_us},
          {"low", or_null(median->low_us)},
          {"high", or_null(median->high_us)}};
}

Json to_json(const StoreHeader& header, const CellSummary& cell) {
  AFTERSHOCK_ASSERT(cell.cell < header.cells.size());
  const Cell& about = header.cells[cell.cell];
  Json json{{"cell", cell.cell}, {"label", about.label}, {"policy", about.policy}};
  Json& parameters = json["parameters"] = Json::object();
  for (const auto& [name, value] : about.parameters) {
    parameters[name] = value;
  }
  json["runs"] = cell.runs;
  Json& verdicts = json["verdicts"] = Json::object();
  for (std::size_t i = 0; i < cell.verdicts.size(); ++i) {
    if (cell.verdicts[i] > 0) {
      verdicts[std::string(name_of(static_cast<Verdict>(i)))] = cell.verdicts[i];
    }
  }
  json["p_completed"] = to_json(cell.completed);
  json["p_alive"] = to_json(cell.alive);
  json["p_failed"] = to_json(cell.failed);
  json["p_stuck"] = to_json(cell.stuck);
  json["useful_share"] = to_json(cell.useful_share);
  json["ettr"] = to_json(cell.ettr);
  json["cost_per_useful_hour"] = to_json(cell.cost_per_useful_hour);
  json["p_exhausted"] = to_json(cell.exhausted);
  json["median_exhausted_us"] = cell.exhaustion ? to_json(*cell.exhaustion) : Json(nullptr);
  Json& values = json["metrics"] = Json::object();
  const std::vector<std::string> names = value_columns(header);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == "ettr" || names[i] == "useful_share" || names[i] == "cost_per_useful_hour") {
      continue;
    }
    Json& value = values[names[i]] = to_json(cell.columns[i], i);
    // Of runs that are 0 or 1 the interval is Wilson's, which is wide where none or all are 1.
    if (const Estimate* share = share_named(cell, names[i]); share != nullptr && share->interval) {
      value["low"] = share->interval->low;
      value["high"] = share->interval->high;
    }
  }
  return json;
}

template <class Rows>
std::variant<std::vector<CellSummary>, std::string> summarised(Rows& rows, double level) {
  std::vector<CellSummary> cells;
  std::optional<Collector> collector;
  const std::size_t columns = metrics().size() + rows.header().pointers.size();
  std::optional<std::uint32_t> now;
  auto problem = rows.each([&](RunRow&& row) {
    if (now != row.cell) {
      AFTERSHOCK_ASSERT(!now || *now < row.cell);
      if (collector) {
        cells.push_back(collector->finish());
      }
      collector.emplace(row.cell, columns, level);
      now = row.cell;
    }
    collector->add(row);
    return true;
  });
  if (problem) {
    return *std::move(problem);
  }
  if (collector) {
    cells.push_back(collector->finish());
  }
  return cells;
}

}  // namespace

std::variant<std::vector<CellSummary>, std::string> summarise_cells(RunReader& reader,
                                                                    double level) {
  return summarised(reader, level);
}

std::variant<std::vector<CellSummary>, std::string> summarise_cells(RunStore& store, double level) {
  return summarised(store, level);
}

Verdict worst_verdict(const std::vector<CellSummary>& cells) {
  for (const Verdict verdict : kWorstFirst) {
    const bool any = std::ranges::any_of(cells, [verdict](const CellSummary& cell) {
      return cell.verdicts[static_cast<std::size_t>(verdict)] > 0;
    });
    if (any) {
      return verdict;
    }
  }
  return Verdict::kPassed;
}

bool runs_differ(const std::vector<CellSummary>& cells) {
  const auto differs = [](const CellSummary& cell) {
    return std::ranges::any_of(
        cell.columns, [](const SampleSummary& column) { return column.min() != column.max(); });
  };
  return std::ranges::all_of(cells, [](const CellSummary& cell) { return cell.runs < 2; }) ||
         std::ranges::any_of(cells, differs);
}

Json to_json(const RunReader& reader, const std::vector<CellSummary>& cells) {
  const StoreHeader& header = reader.header();
  Json json{{"schema", 1},
            {"scenario", header.scenario},
            {"first_seed", header.first_seed},
            {"complete", reader.complete()},
            {"until", header.until.empty() ? Json(nullptr) : Json(header.until)}};
  Json& list = json["cells"] = Json::array();
  for (const CellSummary& cell : cells) {
    list.push_back(to_json(header, cell));
  }
  return json;
}

}  // namespace aftershock::reports
