#include <nlohmann/json.hpp>

#include "base/assert.h"
#include "reports/results/comparison.h"

namespace aftershock::reports {
namespace {

using Out = nlohmann::ordered_json;

Out ends_of(const std::optional<Interval>& interval) {
  return interval ? Out{{"low", interval->low}, {"high", interval->high}} : Out(nullptr);
}

Out estimate_json(const Estimate& estimate) {
  Out json{{"value", estimate.value}, {"low", nullptr}, {"high", nullptr}};
  if (estimate.interval) {
    json["low"] = estimate.interval->low;
    json["high"] = estimate.interval->high;
  }
  return json;
}

const char* word_of(Better better) {
  return better == Better::kHigher ? "higher" : better == Better::kLower ? "lower" : "neither";
}

Out metric_json(const MetricDifference& metric) {
  const PairedDifference& of = metric.difference;
  return {{"better", word_of(metric.better)},
          {"first", metric.first},
          {"second", metric.second},
          {"pairs", of.pairs},
          {"difference", estimate_json(of.mean)},
          {"bootstrap", ends_of(of.bootstrap)},
          {"unpaired", ends_of(of.unpaired)},
          {"narrower", metric.narrower ? Out(*metric.narrower) : Out(nullptr)},
          {"higher_runs", of.higher},
          {"lower_runs", of.lower},
          {"equal_runs", of.equal},
          {"sign_p", of.sign_p}};
}

Out difference_json(const CellDifference& of, const StoreHeader& header) {
  AFTERSHOCK_ASSERT(of.first < header.cells.size() && of.second < header.cells.size());
  Out json{{"first", of.first},
           {"second", of.second},
           {"pairs", of.pairs},
           {"identical_runs", of.identical},
           {"ended_apart", of.ended_apart}};
  Out& list = json["metrics"] = Out::object();
  for (const MetricDifference& metric : of.metrics) {
    list[metric.name] = metric_json(metric);
  }
  Out& seeds = json["flipped_seeds"] = Out::array();
  for (const std::uint32_t replica : of.flips) {
    seeds.push_back(header.first_seed + replica);
  }
  json["widest_seed"] = of.widest ? Out(header.first_seed + *of.widest) : Out(nullptr);
  return json;
}

}  // namespace

Out to_json(const Comparison& comparison) {
  const StoreHeader& header = comparison.header;
  Out json{{"schema", 1},
           {"scenario", header.scenario},
           {"first_seed", header.first_seed},
           {"runs", header.replicas},
           {"histories", comparison.history == History::kMany ? header.replicas : 1},
           {"goal", comparison.goal},
           {"moving_faults", comparison.moving_faults},
           {"settings", comparison.settings}};
  Out& endings = json["endings"] = Out::array();
  for (const Ending& ending : comparison.endings) {
    endings.push_back(
        {{"cell", header.cells[ending.cell].label}, {"how", ending.how}, {"runs", ending.runs}});
  }
  Out& cells = json["cells"] = Out::array();
  for (const Cell& cell : header.cells) {
    Out& about = cells.emplace_back(Out{{"label", cell.label}, {"policy", cell.policy}});
    Out& parameters = about["parameters"] = Out::object();
    for (const auto& [name, value] : cell.parameters) {
      parameters[name] = value;
    }
  }
  Out& list = json["comparisons"] = Out::array();
  for (const CellDifference& each : comparison.differences) {
    list.push_back(difference_json(each, header));
  }
  Out& regrets = json["hindsight"] = Out::array();
  for (const Regret& regret : comparison.regrets) {
    regrets.push_back({{"cell", regret.cell},
                       {"runs", regret.runs},
                       {"bound", estimate_json(regret.bound)},
                       {"regret", estimate_json(regret.regret)}});
  }
  return json;
}

Out comparison_rows(const Comparison& comparison) {
  const auto& cells = comparison.header.cells;
  Out rows = Out::array();
  for (const CellDifference& of : comparison.differences) {
    for (const MetricDifference& metric : of.metrics) {
      Out row{{"first_cell", cells[of.first].label},
              {"second_cell", cells[of.second].label},
              {"metric", metric.name}};
      row.update(metric_json(metric));
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

}  // namespace aftershock::reports
