#include "sim/sweep/splitting_text.h"

#include <cmath>
#include <cstddef>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/render/format.h"
#include "reports/render/table.h"

namespace aftershock::sim::sweep {

namespace {

constexpr std::size_t kMostRows = 24;

// Probabilities are told apart by their first digits, wherever these stand.
std::string probability(double value) { return fmt::format("{:.3g}", value); }

std::string count(double value) {
  constexpr double kMostInFull = 1e15;
  return value < kMostInFull ? reports::format_count(std::llround(value))
                             : fmt::format("{:.3g}", value);
}

std::string level_table(const SplittingEstimate& estimate, const reports::Style& style) {
  using Column = reports::Table::Column;
  constexpr auto kRight = reports::Table::Align::kRight;
  reports::Table table(
      {Column{.elastic = true}, Column{kRight}, Column{kRight}, Column{kRight}, Column{kRight}});
  table.row({"level", "reached", "from the last", "worlds", "entries"}, reports::Colour::kHeading);
  const std::size_t levels = estimate.levels.size();
  const std::size_t apart = (levels + kMostRows - 1) / kMostRows;
  double before = 1;
  std::int64_t worlds = 0;
  std::int64_t entries = 0;
  for (std::size_t i = 0; i < levels; ++i) {
    const SplittingLevel& level = estimate.levels[i];
    worlds += level.worlds;
    entries += level.entries;
    // So that the last row is the last level.
    if ((levels - 1 - i) % apart != 0) {
      continue;
    }
    table.row({reports::printable(level.name, style.unicode), probability(level.reached),
               before > 0 ? probability(level.reached / before) : "-",
               reports::format_count(worlds), reports::format_count(entries)});
    before = level.reached;
    worlds = 0;
    entries = 0;
  }
  return table.text(style, 2);
}

}  // namespace

std::string splitting_text(const SplittingEstimate& estimate, const reports::Style& style) {
  const std::string job = reports::printable(estimate.job, style.unicode);
  const double percent = 100 * estimate.options.confidence;
  std::string text;
  if (estimate.standard_error) {
    text = fmt::format("P(exhausted) of job {}: {}, {:g} % interval {} to {}, standard error {}\n",
                       job, probability(estimate.probability), percent, probability(estimate.lo),
                       probability(estimate.hi), probability(*estimate.standard_error));
  } else if (estimate.probability == 0) {
    text = fmt::format("P(exhausted) of job {}: at most {} at {:g} %; no world was exhausted\n",
                       job, probability(estimate.hi), percent);
  } else {
    text = fmt::format(
        "P(exhausted) of job {}: at least {:.6g} at {:g} %; every world was exhausted\n", job,
        estimate.lo, percent);
  }
  text += level_table(estimate, style);
  text += fmt::format(
      "{} repetitions of {} worlds, seed {}: {} worlds, copies included, played {} calendar "
      "entries, "
      "the work of {} runs\n",
      reports::format_count(estimate.options.repetitions),
      reports::format_count(estimate.options.effort), estimate.seed,
      reports::format_count(estimate.worlds), reports::format_count(estimate.entries),
      count(estimate.work_in_runs));
  if (estimate.plain_runs) {
    text += fmt::format("plain sampling takes {} runs to the same standard error\n",
                        count(*estimate.plain_runs));
  }
  return text;
}

nlohmann::ordered_json splitting_json(const SplittingEstimate& estimate) {
  nlohmann::ordered_json json{{"scenario", estimate.scenario},
                              {"job", estimate.job},
                              {"seed", estimate.seed},
                              {"method", "multilevel splitting, fixed effort"},
                              {"effort", estimate.options.effort},
                              {"repetitions", estimate.options.repetitions},
                              {"confidence", estimate.options.confidence},
                              {"probability", estimate.probability},
                              {"standard_error", nullptr},
                              {"lo", estimate.lo},
                              {"hi", estimate.hi},
                              {"levels", nlohmann::ordered_json::array()},
                              {"worlds", estimate.worlds},
                              {"entries", estimate.entries},
                              {"simulated_us", estimate.simulated_us},
                              {"entries_per_run", estimate.entries_per_run},
                              {"work_in_runs", estimate.work_in_runs},
                              {"plain_runs", nullptr}};
  if (estimate.standard_error) {
    json["standard_error"] = *estimate.standard_error;
  }
  if (estimate.plain_runs) {
    json["plain_runs"] = *estimate.plain_runs;
  }
  for (const SplittingLevel& level : estimate.levels) {
    json["levels"].push_back({{"name", level.name},
                              {"reached", level.reached},
                              {"crossing", level.crossing},
                              {"worlds", level.worlds},
                              {"copies", level.copies},
                              {"entries", level.entries},
                              {"simulated_us", level.simulated_us}});
  }
  return json;
}

}  // namespace aftershock::sim::sweep
