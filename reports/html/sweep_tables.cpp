#include "reports/html/sweep_tables.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/assert.h"
#include "reports/render/cells_text.h"
#include "reports/render/format.h"
#include "reports/results/metric_bounds.h"
#include "reports/results/same_faults.h"
#include "reports/statistics/survival.h"

namespace aftershock::reports {
namespace {

const Style kPlainStyle{.color = false, .unicode = true};

/// A mean, and under it its interval.
std::string with_interval(const std::string& value, const std::string& interval) {
  return value +
         (interval.empty() ? "" : fmt::format("<span class=\"interval\">{}</span>", interval));
}

/// A probability in percent.
std::string share_markup(const Estimate& estimate) {
  const auto& interval = estimate.interval;
  return with_interval(
      format_share(estimate.value),
      interval ? fmt::format("{} to {}", format_share(interval->low), format_share(interval->high))
               : std::string());
}

/// The median time until retries are exhausted.
HtmlCell median_cell(const CellSummary& cell) {
  if (cell.exhaustion) {
    if (const auto median = time_quantile(*cell.exhaustion)) {
      return {.text = format_duration(median->t_us), .sort = static_cast<double>(median->t_us)};
    }
  }
  return {.text = "-"};
}

HtmlTable::Row cell_row(const StoreHeader& header, const SweepData& data, std::size_t cell) {
  const CellSummary& summary = data.cells[cell];
  const auto mean = [&](std::string_view metric) -> HtmlCell {
    const std::size_t place = *metric_named(metric);
    const auto& column = summary.columns[place];
    const auto estimate = within(column.mean_estimate(), bounds_of_column(place));
    return {.text = "-",
            .markup = estimate ? estimate_markup(metric, *estimate) : "",
            .sort = column.mean()};
  };
  const auto share = [](const std::optional<Estimate>& estimate) -> HtmlCell {
    return {.text = "-",
            .markup = estimate ? share_markup(*estimate) : "",
            .sort = estimate ? std::optional(estimate->value) : std::nullopt};
  };
  const auto ratio = [](const std::optional<Estimate>& estimate) -> HtmlCell {
    return {.text = estimate_text(estimate, kPlainStyle),
            .sort = estimate ? std::optional(estimate->value) : std::nullopt};
  };
  return {.cells = {{.text = cell_name(header, data, cell)},
                    {.text = format_count(summary.runs), .sort = static_cast<double>(summary.runs)},
                    share(summary.alive),
                    share(summary.completed),
                    share(summary.failed),
                    share(summary.stuck),
                    ratio(summary.useful_share),
                    ratio(summary.ettr),
                    share(summary.exhausted),
                    median_cell(summary),
                    mean("lost_us"),
                    mean("attempts"),
                    mean("cost"),
                    mean("cost_per_useful_hour")}};
}

/// The command that makes a run again, as markup; a word where no command does.
std::string again_markup(const StoreHeader& header, const RunRow& row) {
  std::vector<std::string> words{"--seed", fmt::format("{}", row.seed)};
  for (const auto& [name, value] : header.cells[row.cell].parameters) {
    if (name == "rates" && value != "1") {
      return fmt::format(
          "with {} times the rates of failure, which <code>sweep --keep</code> records",
          html_text(value));
    }
    if (name != "rates") {
      words.emplace_back(name == "policy" ? "--policy" : "--set");
      words.push_back(name == "policy" ? value : name + "=" + value);
    }
  }
  return fmt::format("<code>{}{} {}</code>",
                     html_text(shell_words({"aftershock", "run", header.path})),
                     html_text(header.flags), html_text(shell_words(words)));
}

/// Cells whose runs may have ended at other places than their partners in the first: one of two
/// lives and the other does not, or some do not live and some last differently.
std::vector<std::size_t> cells_apart(const SweepData& data) {
  const auto all_live = [&data](std::size_t cell) {
    return !data.cells[cell].alive || data.cells[cell].alive->value >= 1;
  };
  std::vector<std::size_t> apart;
  for (const CellAgainstFirst& difference : data.differences) {
    const std::string& column = data.columns[difference.column];
    const bool dies = !all_live(0) || !all_live(difference.cell);
    if ((column == "alive" || (column == "wall_us" && dies)) &&
        difference.paired.equal != difference.paired.pairs) {
      apart.push_back(difference.cell);
    }
  }
  return apart;
}

}  // namespace

bool is_time(std::string_view column) { return column.ends_with("_us"); }

const Metric* metric_of(std::string_view column) {
  const auto place = metric_named(column);
  return place ? &metrics()[*place] : nullptr;
}

std::string value_text(std::string_view column, double value) {
  if (is_time(column)) {
    return (value < 0 ? "−" : "") + format_duration(std::llround(std::abs(value)));
  }
  return (value < 0 ? "−" : "") + fmt::format("{:.5g}", std::abs(value));
}

std::string estimate_markup(std::string_view column, const Estimate& estimate) {
  const auto& interval = estimate.interval;
  return with_interval(value_text(column, estimate.value),
                       interval ? fmt::format("{} to {}", value_text(column, interval->low),
                                              value_text(column, interval->high))
                                : std::string());
}

std::string cell_name(const StoreHeader& header, const SweepData& data, std::size_t cell) {
  AFTERSHOCK_ASSERT(cell < data.cells.size() && data.cells[cell].cell < header.cells.size());
  const std::string& label = header.cells[data.cells[cell].cell].label;
  return label.empty() ? "all runs" : label;
}

void write_cells(Html& html, const StoreHeader& header, const SweepData& data) {
  html.section("cells", "Cells");
  html.element(
      "p",
      "Means over the runs of a cell, with 95 % intervals. Alive: neither failed nor stuck "
      "at the end. Useful work: productive time whose work is still there at the end, by "
      "the time until completion or the horizon. ETTR: productive over wall time of all "
      "runs together, however soon they ended. The median time is Kaplan and Meier’s.");
  HtmlTable table;
  table.id = "cell-table";
  table.sortable = true;
  table.caption = "Cells";
  table.columns = {{"Cell"},
                   {"Runs", true},
                   {"Alive", true},
                   {"Completed", true},
                   {"Failed", true},
                   {"Stuck", true},
                   {"Useful work", true},
                   {"ETTR", true},
                   {"Retries exhausted", true},
                   {"Median time until then", true},
                   {"Lost time", true},
                   {"Attempts", true},
                   {"Cost, in the prices’ currency", true},
                   {"Cost of a useful accelerator-hour, in the prices’ currency", true}};
  for (std::size_t i = 0; i < data.cells.size(); ++i) {
    table.rows.push_back(cell_row(header, data, i));
  }
  table.write(html);
  html.end_section();
}

namespace {

void write_undifferent(Html& html, const SweepData& data) {
  std::string same;
  for (const std::string& column : data.undifferent) {
    same += (same.empty() ? "" : ", ") + metric_title(column);
  }
  if (!same.empty()) {
    html.element("p", fmt::format("The same in every pair: {}.", same));
  }
}

/// How runs of cells are held against each other.
std::string pairing_text(const StoreHeader& header, const SweepData& data) {
  return fmt::format(
      "{}: each is held against its partner in {}. Means are over these pairs, also of ettr; below "
      "each its 95 % interval.",
      meet_the_same_faults(header)
          ? "Runs with the same seed met the same faults"
          : "Runs with the same seed met random faults of their own where machines or rates differ",
      cell_name(header, data, 0));
}

}  // namespace

void write_differences(Html& html, const StoreHeader& header, const SweepData& data) {
  if (data.cells.size() < 2) {
    return;
  }
  html.section("differences", "Differences from the first cell");
  html.element("p", pairing_text(header, data));
  write_undifferent(html, data);
  HtmlTable table;
  table.id = "difference-table";
  table.sortable = true;
  table.caption = "Paired differences, cell minus first cell";
  table.columns = {
      {"Metric"},       {"Cell"},        {"Mean difference", true}, {"Told apart"},
      {"Higher", true}, {"Lower", true}, {"Equal", true},           {"Sign test p", true}};
  HtmlFilter filter{.table = table.id,
                    .what = "differences",
                    .choices = {{"metric", "Metric", {}}, {"cell", "Cell", {}}}};
  const std::vector<std::size_t> apart = cells_apart(data);
  if (!apart.empty()) {
    html.element("p",
                 "Where runs ended at different places, what grows with the life of a job, or is "
                 "divided by it as ETTR is, is called higher or lower, and neither better nor "
                 "worse.");
  }
  for (const CellAgainstFirst& difference : data.differences) {
    const std::string& column = data.columns[difference.column];
    const PairedDifference& paired = difference.paired;
    const auto& interval = paired.mean.interval;
    const Metric* metric = metric_of(column);
    const bool clear = interval && (interval->low > 0 || interval->high < 0);
    const bool up = paired.mean.value > 0;
    std::string verdict = clear ? (up ? "higher" : "lower") : "no";
    const bool judged =
        compares_lives(column) || std::ranges::find(apart, difference.cell) == apart.end();
    if (clear && judged && metric != nullptr && metric->better != Better::kNeither) {
      verdict = up == (metric->better == Better::kHigher) ? "better" : "worse";
    }
    const auto number = [](std::int64_t count) -> HtmlCell {
      return {.text = format_count(count), .sort = static_cast<double>(count)};
    };
    const std::string cell = cell_name(header, data, difference.cell);
    const std::string title = metric_title(column);
    table.rows.push_back(
        {.cells = {{.text = title},
                   {.text = cell},
                   {.markup = (up ? "+" : "") + estimate_markup(column, paired.mean),
                    .sort = paired.mean.value},
                   {.markup = fmt::format("<span class=\"{0}\">{0}</span>", verdict)},
                   number(paired.higher),
                   number(paired.lower),
                   number(paired.equal),
                   {.text = fmt::format("{:.2g}", paired.sign_p), .sort = paired.sign_p}},
         .facets = {{"metric", title}, {"cell", cell}}});
    for (auto& [words, word] : {std::pair(&filter.choices[0].words, &title),
                                std::pair(&filter.choices[1].words, &cell)}) {
      if (std::ranges::find(*words, *word) == words->end()) {
        words->push_back(*word);
      }
    }
  }
  filter.write(html);
  table.write(html);
  html.end_section();
}

void write_worst_runs(Html& html, const StoreHeader& header, const SweepData& data,
                      const std::vector<RunReader::Kept>& kept) {
  html.section("worst", "Worst runs");
  html.element(
      "p",
      "By verdict, then by useful work, with the command that runs each again, by the scenario "
      "as it is then; `--view` behind it shows it, `--record FILE` keeps it. Useful work is by the "
      "time until completion or the horizon, ETTR is productive by wall time.");
  HtmlTable table;
  table.id = "worst-table";
  table.sortable = true;
  table.caption = "Worst runs";
  table.columns = {{"Cell"},       {"Seed", true},        {"Verdict"},
                   {"Outcome"},    {"Useful work", true}, {"ETTR", true},
                   {"Lost", true}, {"Run it again"}};
  for (const RunRow& row : data.worst) {
    const auto share_cell = [&row](std::string_view metric) -> HtmlCell {
      const auto share = number_of(row, metric);
      return {.text = share ? fmt::format("{:.4f}", *share) : "-", .sort = share};
    };
    const auto lost_us = number_of(row, "lost_us");
    std::string again = again_markup(header, row);
    for (const auto& recording : kept) {
      if (recording.cell == row.cell && recording.replica == row.replica) {
        again += fmt::format("<br><code>{}</code>",
                             html_text(shell_words({"aftershock", "view", recording.path})));
      }
    }
    const std::string& name = header.cells[row.cell].label;
    table.rows.push_back(
        {.cells = {{.text = name.empty() ? "all runs" : name},
                   {.text = fmt::format("{}", row.seed)},
                   {.markup = with_interval(
                        row.values.empty() ? "died" : std::string(name_of(row.verdict)),
                        html_text(row.verdict_reason))},
                   {.text = row.reason.empty() || row.reason == row.outcome
                                ? row.outcome
                                : row.outcome + ": " + row.reason},
                   share_cell("useful_share"),
                   share_cell("ettr"),
                   {.text = lost_us ? value_text("lost_us", *lost_us) : "-", .sort = lost_us},
                   {.markup = again}}});
  }
  table.write(html);
  html.end_section();
}

}  // namespace aftershock::reports
