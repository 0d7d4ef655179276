#include "reports/render/comparison_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "reports/render/comparison_verdict.h"
#include "reports/render/format.h"
#include "reports/render/markdown_cell.h"
#include "reports/render/metric_text.h"
#include "reports/render/table.h"
#include "reports/results/same_faults.h"

namespace aftershock::reports {
namespace {

using Align = Table::Align;

/// The metrics of a table, beside the goal and those that were asked for; all else is in the JSON.
constexpr std::array<std::string_view, 17> kShown{"alive",
                                                  "completed",
                                                  "failed",
                                                  "stuck",
                                                  "exhausted",
                                                  "useful_share",
                                                  "useful_us",
                                                  "finish_us",
                                                  "ettr",
                                                  "lost_us",
                                                  "cost_per_useful_hour",
                                                  "wall_us",
                                                  "attempts",
                                                  "recovery_us",
                                                  "charges",
                                                  "cost",
                                                  "undetected_us"};

bool is_shown(const std::string& name, const std::string& goal) {
  return name == goal || name.starts_with('/') || std::ranges::find(kShown, name) != kShown.end();
}

Colour colour_of(const CellDifference& difference, const MetricDifference& metric) {
  const Estimate& mean = metric.difference.mean;
  if (!is_told_apart(mean) || !is_judged(difference, metric)) {
    return Colour::kPlain;
  }
  return (mean.value > 0) == (metric.better == Better::kHigher) ? Colour::kGood : Colour::kBad;
}

/// Whether a metric is in the table: what no run differs in is named below it.
bool has_row(const Comparison& comparison, const MetricDifference& metric) {
  const PairedDifference& of = metric.difference;
  return is_shown(metric.name, comparison.goal) &&
         (of.equal != of.pairs || metric.name == comparison.goal || metric.name.starts_with('/'));
}

/// The places that were varied between two cells whose runs are the same.
std::string unread_text(const Comparison& comparison, const CellDifference& difference,
                        const Style& style) {
  const Cell& first = comparison.header.cells[difference.first];
  std::string places;
  for (const auto& [place, value] : comparison.header.cells[difference.second].parameters) {
    // Policies that decide the same are not unread.
    if (const std::string_view before = value_in(first, place);
        place != "policy" && before != value) {
      places += fmt::format("{}{} is {} or {}", places.empty() ? "" : ", and whether ",
                            printable(place, style.unicode), printable(before, style.unicode),
                            printable(value, style.unicode));
    }
  }
  return places.empty()
             ? places
             : wrapped("nothing in these runs depends on whether " + places, 2, style.width);
}

/// The rows of metrics, and the names of those that are the same in every run.
std::pair<Table, std::string> metric_rows(const Comparison& comparison,
                                          const CellDifference& difference, const Style& style) {
  Table table({{.elastic = true, .columns_min = 23, .labels = Table::Labels::kRows},
               {Align::kRight, false, 8, Table::Labels::kHeading},
               {Align::kRight, false, 8, Table::Labels::kHeading},
               {Align::kRight},
               {Align::kRight},
               {Align::kRight},
               {Align::kRight},
               {.align = Align::kRight, .may_go = true}});
  table.row({"mean of", label_text(comparison, difference.first, style),
             label_text(comparison, difference.second, style), "difference, 95 %", "better",
             "worse", "same", "narrower"},
            Colour::kHeading);
  std::string same;
  for (const MetricDifference& metric : difference.metrics) {
    if (!is_shown(metric.name, comparison.goal)) {
      continue;
    }
    const PairedDifference& of = metric.difference;
    if (!has_row(comparison, metric)) {
      same += (same.empty() ? "" : ", ") + metric_title(metric.name);
      continue;
    }
    const bool directed = is_judged(difference, metric);
    table.row({printable(short_title(metric.name), style.unicode),
               metric_value(metric.name, metric.first), metric_value(metric.name, metric.second),
               difference_text(metric, style), directed ? format_count(metric.better_runs) : "-",
               directed ? format_count(metric.worse_runs) : "-", format_count(of.equal),
               metric.narrower ? fmt::format("{:.1f}x", *metric.narrower) : "-"},
              colour_of(difference, metric));
  }
  return {std::move(table), std::move(same)};
}

std::string metrics_table(const Comparison& comparison, const CellDifference& difference,
                          const Style& style) {
  const auto [table, same] = metric_rows(comparison, difference, style);
  return table.text(style, 2) +
         (same.empty() ? "" : wrapped("the same in every run: " + same, 2, style.width));
}

/// Why some rows have no better and worse.
std::string lives_text(const CellDifference& difference, const Style& style) {
  return difference.ended_apart > 0
             ? style.paint(
                   wrapped("runs ended at different places: ETTR, losses, charges and times "
                           "are of what each lived through, and say nothing about which is "
                           "better",
                           2, style.width),
                   Colour::kWarning)
             : std::string();
}

std::string flips_text(const Comparison& comparison, const CellDifference& difference,
                       const Style& style) {
  if (difference.flips.empty()) {
    return {};
  }
  constexpr std::size_t kSeedsMax = 8;
  std::string seeds;
  for (std::size_t i = 0; i < std::min(difference.flips.size(), kSeedsMax); ++i) {
    seeds +=
        fmt::format("{}{}", i == 0 ? "" : ", ", comparison.header.first_seed + difference.flips[i]);
  }
  return wrapped(fmt::format("the other way round in {} of {} runs, with the seeds {}{}",
                             difference.flips.size(), difference.pairs, seeds,
                             difference.flips.size() > kSeedsMax ? ", ..." : ""),
                 2, style.width);
}

std::string moving_text(const Comparison& comparison, const Style& style) {
  std::string ids;
  for (const std::string& id : comparison.moving_faults) {
    ids += (ids.empty() ? "" : ", ") + printable(id, style.unicode);
  }
  return ids.empty() ? std::string()
                     : wrapped(fmt::format("but what strikes by {} follows what a job has come "
                                           "to: the nth of it is paired, at times that differ "
                                           "from run to run",
                                           ids),
                               2, style.width);
}

// A sweep's table has another ETTR of the same runs.
constexpr const char* kEttrOfPairs =
    "ettr: productive time by the time that a run lasted, the mean of the runs' own, as they are "
    "paired; `sweep` has that of their time together";

/// Notes on the rows of the tables, where there are tables.
std::string rows_text(const Comparison& comparison, const Style& style) {
  bool table = false;
  bool money = false;
  for (const CellDifference& each : comparison.differences) {
    const bool has_table = each.pairs > 0 && !is_the_same(each);
    table = table || has_table;
    money = money || (has_table && std::ranges::any_of(each.metrics, [&](const auto& metric) {
                        return short_title(metric.name) != metric_title(metric.name) &&
                               has_row(comparison, metric);
                      }));
  }
  if (!table) {
    return {};
  }
  return wrapped(kEttrOfPairs, 2, style.width) +
         (money
              ? wrapped("costs are in the currency of the scenario's prices; cost_per_useful_hour "
                        "is the mean of the runs' own, and `sweep` divides all cost by all hours",
                        2, style.width)
              : "");
}

Table hindsight_rows(const Comparison& comparison, const Style& style) {
  Table table(
      {{.labels = Table::Labels::kRows}, {Align::kRight}, {Align::kRight}, {Align::kRight}});
  table.row({"against hindsight", "useful", "bound", "regret, 95 %"}, Colour::kHeading);
  for (const Regret& each : comparison.regrets) {
    std::string regret = fmt::format("{:.4f}", each.regret.value);
    regret += each.regret.interval ? fmt::format(" ({:.4f} to {:.4f})", each.regret.interval->low,
                                                 each.regret.interval->high)
                                   : " (too few runs)";
    table.row({label_text(comparison, each.cell, style),
               fmt::format("{:.4f}", each.bound.value - each.regret.value),
               fmt::format("{:.4f}", each.bound.value), regret});
  }
  return table;
}

std::string hindsight_text(const Comparison& comparison, const Style& style) {
  if (comparison.regrets.empty()) {
    return {};
  }
  return hindsight_rows(comparison, style).text(style, 2) +
         wrapped(
             "hindsight: every fault detected at once, a checkpoint just before it, nodes "
             "replaced in no time; what starts take remains",
             2, style.width);
}

/// "A ends by exhausted(max_failures) in 12 runs, stuck in 1 run (job llm waits ...)": of the runs
/// of a cell that end before their time.
std::string endings_text(const Comparison& comparison, std::uint32_t cell, const Style& style) {
  std::string line;
  for (const Ending& ending : comparison.endings) {
    if (ending.cell != cell) {
      continue;
    }
    line += line.empty() ? label_text(comparison, cell, style) + " ends " : std::string(", ");
    constexpr std::string_view kStuck = "stuck: ";
    const std::string how = printable(ending.how, style.unicode);
    const bool stuck = how.starts_with(kStuck);
    line += stuck ? std::string("stuck") : "by " + how;
    if (comparison.history != History::kOne) {
      line +=
          fmt::format(" in {} {}", format_count(ending.runs), ending.runs == 1 ? "run" : "runs");
    }
    line += stuck ? fmt::format(" ({})", how.substr(kStuck.size())) : std::string();
  }
  return line.empty() ? line : wrapped(line, 2, style.width);
}

}  // namespace

std::string comparison_text(const Comparison& comparison, const Style& style) {
  const StoreHeader& header = comparison.header;
  std::string out = fmt::format(
      "{}: {} {} each, seeds from {}{}\n",
      style.paint(printable(header.scenario, style.unicode), Colour::kHeading),
      format_count(header.replicas), header.replicas == 1 ? "run" : "runs", header.first_seed,
      meet_the_same_faults(header) ? ", the same faults for all" : "");
  if (!meet_the_same_faults(header) && comparison.history == History::kMany) {
    out += wrapped(
        "each cell has random faults of its own, since they are drawn for other numbers of "
        "machines, "
        "or at other rates: chance differs between them as between other seeds",
        2, style.width);
  }
  if (comparison.history != History::kMany) {
    out +=
        wrapped(comparison.history == History::kOne
                    ? "one history: nothing is random here, and more runs of it say no more"
                    : "one history of faults: they are scripted, and runs differ by what else is "
                      "drawn; intervals are of that alone",
                2, style.width);
  }
  for (std::size_t cell = 0; cell < comparison.settings.size(); ++cell) {
    out += wrapped(
        fmt::format("{}: {}", label_text(comparison, static_cast<std::uint32_t>(cell), style),
                    printable(comparison.settings[cell], style.unicode)),
        2, style.width);
  }
  out += moving_text(comparison, style);
  for (const CellDifference& difference : comparison.differences) {
    out += wrapped(verdict_line(comparison, difference, style), 0, style.width);
    if (&difference == &comparison.differences.front()) {
      out += endings_text(comparison, difference.first, style);
    }
    out += endings_text(comparison, difference.second, style);
    if (difference.pairs > 0 && !is_the_same(difference)) {
      out += metrics_table(comparison, difference, style);
      out += lives_text(difference, style);
      out += flips_text(comparison, difference, style);
    } else if (difference.pairs > 0) {
      out += unread_text(comparison, difference, style);
    }
  }
  return out + rows_text(comparison, style) + hindsight_text(comparison, style);
}

std::string comparison_markdown(const Comparison& comparison) {
  const Style style{.unicode = true};
  std::string out;
  for (std::size_t cell = 0; cell < comparison.settings.size(); ++cell) {
    out += markdown_cell(fmt::format(
               "{}: {}", label_text(comparison, static_cast<std::uint32_t>(cell), style),
               printable(comparison.settings[cell], true))) +
           "\n\n";
  }
  bool table = false;
  for (const CellDifference& difference : comparison.differences) {
    out += markdown_cell(verdict_line(comparison, difference, style)) + "\n\n";
    if (difference.pairs > 0 && !is_the_same(difference)) {
      out += metric_rows(comparison, difference, style).first.markdown() + "\n";
      table = true;
    }
  }
  out += table ? std::string(kEttrOfPairs) + "\n" : std::string();
  return comparison.regrets.empty() ? out : out + hindsight_rows(comparison, style).markdown();
}

}  // namespace aftershock::reports
