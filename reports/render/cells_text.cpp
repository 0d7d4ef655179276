#include "reports/render/cells_text.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "reports/render/format.h"
#include "reports/render/table.h"

namespace aftershock::reports {
namespace {

using Align = Table::Align;

std::string mean_time(const CellSummary& cell, std::string_view metric, std::string_view before) {
  const auto mean = cell.columns[*metric_named(metric)].mean();
  return mean ? fmt::format("{}{}", before, format_duration(std::llround(*mean))) : "";
}

std::string mean_number(const CellSummary& cell, std::string_view metric) {
  const auto mean = cell.columns[*metric_named(metric)].mean();
  return mean ? fmt::format("{:.1f}", *mean) : "-";
}

/// Without its sign.
std::string percent(double share) {
  std::string text = format_share(share);
  text.resize(text.size() - std::string_view(" %").size());
  return text;
}

/// Verdicts other than passed, in words.
std::string verdict_words(const CellSummary& cell) {
  std::string words;
  for (std::size_t i = 1; i < cell.verdicts.size(); ++i) {
    if (cell.verdicts[i] > 0) {
      words += fmt::format("{}{} {}", words.empty() ? "" : ", ", format_count(cell.verdicts[i]),
                           verdict_of_runs(static_cast<Verdict>(i)));
    }
  }
  return words;
}

/// The notes beside the columns: verdicts, the lives of budgets, losses.
std::string note_text(const CellSummary& cell, bool differ) {
  std::string note = verdict_words(cell);
  const auto add = [&note](const std::string& words) {
    note += (note.empty() ? "" : "; ") + words;
  };
  if (cell.completed && cell.completed->value > 0) {
    add(fmt::format("{} % complete{}", percent(cell.completed->value),
                    mean_time(cell, "finish_us", " at ")));
  }
  if (cell.exhausted && cell.exhausted->value > 0) {
    add(fmt::format(
        "{} exhaust a retry budget",
        probability_text(differ ? *cell.exhausted : Estimate{cell.exhausted->value, {}})));
  }
  if (const auto median = cell.exhaustion ? time_quantile(*cell.exhaustion) : std::nullopt) {
    add(fmt::format("median time until then {} (Kaplan-Meier)", format_duration(median->t_us)));
  }
  add(fmt::format("lost{}, {} attempts", mean_time(cell, "lost_us", " "),
                  mean_number(cell, "attempts")));
  if (cell.cost_per_useful_hour) {
    add(fmt::format("cost of a useful accelerator-hour {:.2f} in the prices' currency",
                    cell.cost_per_useful_hour->value));
  }
  return note;
}

/// The means of the places of --metric. Columns hold numbers: the outcome, which is a text, stands
/// in the rows by itself.
std::string places_text(const StoreHeader& header, const CellSummary& cell, const Style& style) {
  std::string out;
  for (std::size_t i = 0; i < header.pointers.size(); ++i) {
    const std::string& pointer = header.pointers[i];
    const auto mean = cell.columns[metrics().size() + i].mean();
    const bool time = pointer.ends_with("_us") || pointer.ends_with("/us");
    std::string value = "no number in any run";
    if (mean) {
      value = time ? format_duration(std::llround(*mean)) : fmt::format("{:.6g}", *mean);
    }
    out +=
        fmt::format("{}{}: {}", out.empty() ? "" : "; ", printable(pointer, style.unicode), value);
  }
  return out;
}

/// `named`: with the policy of an only cell, which the line above the text's table has.
Table cells_table(const StoreHeader& header, const std::vector<CellSummary>& cells,
                  const Style& style, bool named) {
  const bool differ = runs_differ(cells);
  const auto probability = [differ](std::optional<Estimate> estimate) {
    if (estimate && !differ) {
      estimate->interval.reset();
    }
    return probability_text(estimate);
  };
  const bool labelled = header.cells.size() > 1;
  Table table({{.labels = Table::Labels::kRows},
               {Align::kRight},
               {Align::kRight},
               {Align::kRight},
               {Align::kRight},
               {Align::kRight},
               {Align::kRight}});
  table.row({labelled ? "cell"
             : named  ? "policy"
                      : "",
             "runs", "alive", "failed", "stuck", "useful work", "ETTR"},
            Colour::kHeading);
  for (const CellSummary& cell : cells) {
    const Cell& about = header.cells[cell.cell];
    const std::string unlabelled = named ? about.policy : std::string();
    table.row({printable(labelled ? about.label : unlabelled, style.unicode),
               format_count(cell.runs), probability(cell.alive), probability(cell.failed),
               probability(cell.stuck), estimate_text(cell.useful_share, style),
               cell.ettr ? fmt::format("{:.3f}", cell.ettr->value) : "-"});
    std::string note = note_text(cell, differ);
    if (const std::string places = places_text(header, cell, style); !places.empty()) {
      note += (note.empty() ? "" : "; ") + places;
    }
    table.note(note);
  }
  return table;
}

/// The meaning of the numbers, behind each table of them.
std::string legend(const std::vector<CellSummary>& cells) {
  const std::string_view means =
      runs_differ(cells) ? "means over runs, with 95 % intervals"
                         : "the runs do not differ: nothing random happened in them, so that no "
                           "value has an interval";
  return fmt::format(
      "{}. Alive: neither failed, aborted nor stuck at the end. Useful work: productive time whose "
      "work is still there at the end, by the time until completion or the horizon. ETTR: "
      "productive time by the time that the runs lasted, together",
      means);
}

}  // namespace

std::string_view verdict_of_runs(Verdict verdict) {
  return verdict == Verdict::kFailed ? "with expectations that are not met" : name_of(verdict);
}

std::string estimate_text(const std::optional<Estimate>& estimate, const Style& style) {
  if (!estimate) {
    return "-";
  }
  if (!estimate->interval) {
    return fmt::format("{:.4f} (too few runs)", estimate->value);
  }
  const auto [low, high] = *estimate->interval;
  constexpr double kRounding = 1e-9;
  if (high - low < kRounding) {
    return fmt::format("{:.4f}", estimate->value);  // no run differs from another in it
  }
  const double below = estimate->value - low;
  const double above = high - estimate->value;
  if (std::min(below, above) < std::max(below, above) / 2) {
    return fmt::format("{:.4f} ({:.4f}-{:.4f})", estimate->value, low, high);
  }
  const double half = (high - low) / 2;
  return fmt::format("{:.4f} {} {:.4f}", estimate->value, style.unicode ? "±" : "+-", half);
}

std::string probability_text(const std::optional<Estimate>& estimate) {
  if (!estimate) {
    return "-";
  }
  if (!estimate->interval) {
    return fmt::format("{} %", percent(estimate->value));
  }
  return fmt::format("{} % ({}-{})", percent(estimate->value), percent(estimate->interval->low),
                     percent(estimate->interval->high));
}

std::string cells_text(const RunReader& reader, const std::vector<CellSummary>& cells,
                       const Style& style) {
  const StoreHeader& header = reader.header();
  std::int64_t runs = 0;
  for (const CellSummary& cell : cells) {
    runs += cell.runs;
  }
  const bool alone = header.cells.size() == 1;
  std::string out =
      fmt::format("{}: {} run{} of {}{}, seeds from {}{}\n",
                  style.paint(printable(header.scenario, style.unicode), Colour::kHeading),
                  format_count(runs), runs == 1 ? "" : "s",
                  alone ? printable(header.cells.front().policy, style.unicode)
                        : format_count(std::ssize(header.cells)),
                  alone ? "" : " cells", header.first_seed,
                  reader.complete() ? "" : style.paint(", not complete", Colour::kWarning));
  out += cells_table(header, cells, style, false).text(style, 2);
  return out + wrapped(legend(cells), 2, style.width);
}

std::string cells_markdown(const RunReader& reader, const std::vector<CellSummary>& cells) {
  return cells_table(reader.header(), cells, {.unicode = true}, true).markdown() + "\n" +
         legend(cells) + "\n";
}

}  // namespace aftershock::reports
