#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "reports/html/page.h"
#include "reports/html/parts.h"
#include "reports/html/report.h"
#include "reports/html/sweep_data.h"
#include "reports/render/cells_text.h"
#include "reports/render/format.h"

namespace aftershock::reports {
namespace {

constexpr Style kPlainStyle{.color = false, .unicode = true};
constexpr std::size_t kStepsDrawn = 500;

bool is_time(std::string_view column) { return column.ends_with("_us"); }

std::string value_text(std::string_view column, double value) {
  if (is_time(column)) {
    return (value < 0 ? "−" : "") + format_duration(std::llround(std::abs(value)));
  }
  return fmt::format("{:.5g}", value);
}

std::string value_text(std::string_view column, const Estimate& estimate, bool is_difference) {
  const std::string sign = is_difference && estimate.value > 0 ? "+" : "";
  std::string words = sign + value_text(column, estimate.value);
  if (estimate.interval) {
    words += fmt::format(" ({} to {})", value_text(column, estimate.interval->low),
                         value_text(column, estimate.interval->high));
  }
  return words;
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

const Metric* metric_of(std::string_view column) {
  const auto place = metric_named(column);
  return place ? &metrics()[*place] : nullptr;
}

/// A sweep's page while it is written.
class SweepPage {
 public:
  SweepPage(RunReader& reader, const SweepData& data, std::string path)
      : reader_(reader), header_(reader.header()), data_(data), path_(std::move(path)) {}

  std::string page(const std::string& title) {
    page_.title = title.empty() ? header_.scenario : title;
    page_.kind = "Report of many runs";
    outcome();
    cells();
    json_.open_object();
    distributions();
    json_.key("charts");
    json_.open_array();
    exhaustion();
    json_.close_array();
    json_.close_object();
    differences();
    worst();
    page_.data = json_.text();
    return page_html(page_);
  }

 private:
  void fact(std::string_view term, const std::string& value) {
    html().raw("<div>");
    html().element("dt", term);
    html().element("dd", value);
    html().raw("</div>\n");
  }
  Html& html() { return page_.body; }
  [[nodiscard]] const std::string& label(std::size_t cell) const {
    return header_.cells[data_.cells[cell].cell].label;
  }
  [[nodiscard]] std::string name_of_cell(std::size_t cell) const {
    return label(cell).empty() ? "all runs" : label(cell);
  }

  void outcome();
  void verdicts();
  void cells();
  HtmlTable::Row cell_row(std::size_t cell) const;
  void distributions();
  void write_metric(std::size_t column);
  void exhaustion();
  void differences();
  void worst();
  [[nodiscard]] std::string command_of(const RunRow& row) const;

  RunReader& reader_;
  const StoreHeader& header_;
  const SweepData& data_;
  std::string path_;
  Page page_;
  JsonWriter json_;
};

void SweepPage::verdicts() {
  std::array<std::int64_t, 9> sums{};
  std::int64_t runs = 0;
  for (const CellSummary& cell : data_.cells) {
    runs += cell.runs;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      sums.at(i) += cell.verdicts.at(i);
    }
  }
  std::string words;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (sums.at(i) > 0) {
      words += fmt::format("{}{} {}", words.empty() ? "" : ", ", format_count(sums.at(i)),
                           name_of(static_cast<Verdict>(i)));
    }
  }
  const bool good = !sums.empty() && sums.front() == runs;
  html().raw(fmt::format("<div class=\"verdict {}\">\n", good ? "good" : "bad"));
  html().element("p", fmt::format("{} runs: {}", format_count(runs), words), "class=\"outcome\"");
  html().raw("</div>\n");
}

void SweepPage::outcome() {
  html().section("outcome", "Outcome");
  verdicts();
  if (!reader_.complete()) {
    html().element("p",
                   "This file is partial: not every run that was asked for is in it. Going on with "
                   "`--resume` adds the rest.",
                   "class=\"notice\" role=\"note\"");
  }
  for (const auto& trouble : reader_.troubles()) {
    html().element("p",
                   fmt::format("A worker died over run {} of cell {}: {}", trouble.replica,
                               trouble.cell, trouble.what),
                   "class=\"notice\" role=\"note\"");
  }
  html().raw("<dl class=\"facts\">\n");
  fact("Scenario", header_.path);
  fact("Cells", fmt::format("{}", header_.cells.size()));
  fact("Runs a cell", format_count(header_.replicas));
  fact("Seeds from", fmt::format("{}", header_.first_seed));
  if (!header_.until.empty()) {
    fact("Until", header_.until);
  }
  if (header_.shards > 1) {
    fact("Shard", fmt::format("{} of {}", header_.shard, header_.shards));
  }
  fact("Results", path_);
  fact("Run by", header_.version);
  html().raw("</dl>\n");
  html().end_section();
}

HtmlTable::Row SweepPage::cell_row(std::size_t cell) const {
  const CellSummary& summary = data_.cells[cell];
  const auto mean = [&](std::string_view metric) -> HtmlCell {
    const auto& column = summary.columns[*metric_named(metric)];
    const auto estimate = column.mean_estimate();
    return {.text = estimate ? value_text(metric, *estimate, false) : "-", .sort = column.mean()};
  };
  const auto share = [](const std::optional<Estimate>& estimate) -> HtmlCell {
    return {.text = probability_text(estimate),
            .sort = estimate ? std::optional(estimate->value) : std::nullopt};
  };
  return {
      .cells = {{.text = name_of_cell(cell)},
                {.text = format_count(summary.runs), .sort = static_cast<double>(summary.runs)},
                {.text = estimate_text(summary.ettr, kPlainStyle),
                 .sort = summary.ettr ? std::optional(summary.ettr->value) : std::nullopt},
                share(summary.completed),
                share(summary.failed),
                share(summary.exhausted),
                median_cell(summary),
                mean("lost_us"),
                mean("attempts"),
                mean("cost")}};
}

void SweepPage::cells() {
  html().section("cells", "Cells");
  html().element("p",
                 "Means over the runs of a cell, with 95 % intervals. ETTR is productive over wall "
                 "time of all runs together; the median time is Kaplan and Meier’s.");
  HtmlTable table;
  table.id = "cell-table";
  table.sortable = true;
  table.caption = "Cells";
  table.columns = {{"Cell"},
                   {"Runs", true},
                   {"ETTR", true},
                   {"Completed", true},
                   {"Failed", true},
                   {"Retries exhausted", true},
                   {"Median time until then", true},
                   {"Lost time", true},
                   {"Attempts", true},
                   {"Cost", true}};
  for (std::size_t i = 0; i < data_.cells.size(); ++i) {
    table.rows.push_back(cell_row(i));
  }
  table.write(html());
  html().end_section();
}

void SweepPage::write_metric(std::size_t column) {
  const std::string& name = data_.columns[column];
  const Metric* metric = metric_of(name);
  json_.open_object();
  json_.member("name", name);
  json_.member("what", metric == nullptr ? std::string() : metric->what);
  json_.member("time", is_time(name));
  json_.key("cells");
  json_.open_array();
  for (const Distribution& distribution : data_.distributions[column]) {
    json_.open_object();
    json_.member("n", distribution.count);
    json_.member("mean", distribution.mean);
    json_.key("q");
    json_.open_array();
    for (const double value : distribution.percentiles) {
      // Six digits: a hundred thousandth of the axis is a hundredth of a dot.
      json_.raw(fmt::format("{:.6g}", value));
    }
    json_.close_array();
    json_.close_object();
  }
  json_.close_array();
  json_.close_object();
}

void SweepPage::distributions() {
  html().section("distributions", "Distributions");
  const std::size_t shown = std::min(data_.cells.size(), kCellsShown);
  if (shown < data_.cells.size()) {
    html().element("p", fmt::format("Of the first {} of {} cells; `sweep --json` and the file "
                                    "itself, which is SQLite, have all.",
                                    shown, data_.cells.size()));
  }
  json_.key("cells");
  json_.open_array();
  for (std::size_t i = 0; i < shown; ++i) {
    json_.value(name_of_cell(i));
  }
  json_.close_array();
  json_.key("metrics");
  json_.open_array();
  for (std::size_t i = 0; i < data_.columns.size(); ++i) {
    const auto& cells = data_.distributions[i];
    if (std::ranges::any_of(cells, [](const Distribution& each) { return each.count > 0; })) {
      write_metric(i);
    }
  }
  json_.close_array();
  html().raw(
      "<form class=\"filter\" id=\"metric\" hidden><label>Metric <select></select></label>"
      "<output aria-live=\"polite\"></output></form>\n"
      "<figure data-chart=\"distributions\">\n<figcaption>How the runs of each cell lie: the "
      "share of runs up to a value, and quantiles</figcaption>\n"
      "<div class=\"plot\"></div>\n<div class=\"plot boxes\"></div>\n</figure>\n");
  HtmlTable table;
  table.id = "quantile-table";
  table.caption = "ettr: quantiles";
  table.columns = {{"Cell"},       {"Runs", true},    {"Mean", true},   {"Least", true},
                   {"5 %", true},  {"25 %", true},    {"Median", true}, {"75 %", true},
                   {"95 %", true}, {"Greatest", true}};
  const auto& ettr = data_.distributions[*metric_named("ettr")];
  for (std::size_t i = 0; i < shown; ++i) {
    HtmlTable::Row& row = table.rows.emplace_back();
    row.cells = {{.text = name_of_cell(i)}, {.text = format_count(ettr[i].count)}};
    if (ettr[i].count == 0) {
      row.cells.resize(table.columns.size(), {.text = "-"});
      continue;
    }
    row.cells.push_back({.text = value_text("ettr", ettr[i].mean)});
    for (const std::size_t percent : {0U, 5U, 25U, 50U, 75U, 95U, 100U}) {
      row.cells.push_back({.text = value_text("ettr", ettr[i].percentiles[percent])});
    }
  }
  table.write(html());
  html().end_section();
}

void SweepPage::exhaustion() {
  Chart chart;
  chart.id = "exhaustion";
  chart.title = "Runs whose retries are not exhausted, by time (Kaplan-Meier, 95 % intervals)";
  chart.y_axis = "share of runs";
  chart.steps = true;
  chart.share = true;
  std::int64_t end_us = 0;
  for (std::size_t i = 0; i < data_.cells.size() && i < kCellsShown; ++i) {
    const auto& curve = data_.cells[i].exhaustion;
    if (!curve) {
      continue;
    }
    Series& series = chart.series.emplace_back();
    series.name = name_of_cell(i);
    series.points.push_back({0, 1});
    series.low.push_back(1);
    series.high.push_back(1);
    const std::size_t every = curve->steps.size() / kStepsDrawn + 1;
    for (std::size_t step = 0; step < curve->steps.size(); ++step) {
      const SurvivalStep& at = curve->steps[step];
      if (step % every == 0 || step + 1 == curve->steps.size()) {
        series.points.push_back({at.t_us, at.survival});
        series.low.push_back(at.interval ? at.interval->low : at.survival);
        series.high.push_back(at.interval ? at.interval->high : at.survival);
      }
      end_us = std::max(end_us, at.t_us);
    }
  }
  if (chart.empty()) {
    return;
  }
  for (Series& series : chart.series) {
    series.points.push_back({end_us, series.points.back().value});
    series.low.push_back(series.low.back());
    series.high.push_back(series.high.back());
  }
  html().section("exhaustion", "Time until retries are exhausted");
  html().element("p",
                 "A run that ended without is counted as long as it was watched; cells in which "
                 "no run exhausted its retries are not drawn.");
  write_figure(html(), chart, end_us);
  html().end_section();
  write_chart(json_, chart);
}

void SweepPage::differences() {
  if (data_.cells.size() < 2) {
    return;
  }
  html().section("differences", "Differences from the first cell");
  html().element("p", fmt::format("Runs with the same seed met the same faults: each is held "
                                  "against its partner in {}. In brackets 95 % intervals of the "
                                  "mean difference.",
                                  name_of_cell(0)));
  if (!data_.undifferent.empty()) {
    html().element("p",
                   fmt::format("The same in every pair: {}.", fmt::join(data_.undifferent, ", ")));
  }
  HtmlTable table;
  table.id = "difference-table";
  table.sortable = true;
  table.caption = "Paired differences, cell minus first cell";
  table.columns = {
      {"Metric"},       {"Cell"},        {"Mean difference", true}, {"Verdict"},
      {"Higher", true}, {"Lower", true}, {"Equal", true},           {"Sign test p", true}};
  HtmlFilter filter{.table = table.id,
                    .what = "differences",
                    .choices = {{"metric", "Metric", {}}, {"cell", "Cell", {}}}};
  for (const CellDifference& difference : data_.differences) {
    const std::string& column = data_.columns[difference.column];
    const PairedDifference& paired = difference.paired;
    const auto& interval = paired.mean.interval;
    const Metric* metric = metric_of(column);
    const bool clear = interval && (interval->low > 0 || interval->high < 0);
    const bool up = paired.mean.value > 0;
    std::string verdict = clear ? (up ? "higher" : "lower") : "not told apart";
    if (clear && metric != nullptr && metric->better != Better::kNeither) {
      verdict = up == (metric->better == Better::kHigher) ? "better" : "worse";
    }
    const auto number = [](std::int64_t count) -> HtmlCell {
      return {.text = format_count(count), .sort = static_cast<double>(count)};
    };
    const std::string cell = name_of_cell(difference.cell);
    table.rows.push_back(
        {.cells = {{.text = column},
                   {.text = cell},
                   {.text = value_text(column, paired.mean, true), .sort = paired.mean.value},
                   {.markup = fmt::format("<span class=\"{0}\">{0}</span>", verdict)},
                   number(paired.higher),
                   number(paired.lower),
                   number(paired.equal),
                   {.text = fmt::format("{:.2g}", paired.sign_p), .sort = paired.sign_p}},
         .facets = {{"metric", column}, {"cell", cell}}});
    for (auto& [words, word] : {std::pair(&filter.choices[0].words, &column),
                                std::pair(&filter.choices[1].words, &cell)}) {
      if (std::ranges::find(*words, *word) == words->end()) {
        words->push_back(*word);
      }
    }
  }
  filter.write(html());
  table.write(html());
  html().end_section();
}

std::string SweepPage::command_of(const RunRow& row) const {
  std::vector<std::string> words{"aftershock", "run", header_.path, "--seed",
                                 fmt::format("{}", row.seed)};
  for (const auto& [name, value] : header_.cells[row.cell].parameters) {
    words.emplace_back(name == "policy" ? "--policy" : "--set");
    words.push_back(name == "policy" ? value : name + "=" + value);
  }
  return shell_words(words);
}

void SweepPage::worst() {
  html().section("worst", "Worst runs");
  html().element("p",
                 "By verdict, then by ETTR, with the command that runs each again; `--view` behind "
                 "it shows it, `--record FILE` keeps it.");
  const auto kept = reader_.recordings();
  HtmlTable table;
  table.id = "worst-table";
  table.sortable = true;
  table.caption = "Worst runs";
  table.columns = {{"Cell"},       {"Seed", true}, {"Verdict"},     {"Outcome"},
                   {"ETTR", true}, {"Lost", true}, {"Run it again"}};
  for (const RunRow& row : data_.worst) {
    const auto ettr = number_of(row, "ettr");
    const auto lost_us = number_of(row, "lost_us");
    std::string again = fmt::format("<code>{}</code>", html_text(command_of(row)));
    for (const auto& recording : kept) {
      if (recording.cell == row.cell && recording.replica == row.replica) {
        again += fmt::format("<br><code>{}</code>",
                             html_text(shell_words({"aftershock", "view", recording.path})));
      }
    }
    const std::string& name = header_.cells[row.cell].label;
    table.rows.push_back(
        {.cells = {{.text = name.empty() ? "all runs" : name},
                   {.text = fmt::format("{}", row.seed)},
                   {.text = row.values.empty() ? "died" : std::string(name_of(row.verdict))},
                   {.text = row.reason.empty() || row.reason == row.outcome
                                ? row.outcome
                                : row.outcome + ": " + row.reason},
                   {.text = ettr ? fmt::format("{:.4f}", *ettr) : "-", .sort = ettr},
                   {.text = lost_us ? value_text("lost_us", *lost_us) : "-", .sort = lost_us},
                   {.markup = again}}});
  }
  table.write(html());
  html().end_section();
}

}  // namespace

PageResult sweep_page(RunReader& reader, const std::string& path, const std::string& title) {
  const SweepData data = read_sweep(reader);
  if (!data.problem.empty()) {
    return {.page = {}, .problem = data.problem};
  }
  if (data.cells.empty()) {
    return {.page = {}, .problem = path + ": holds no run yet"};
  }
  return {.page = SweepPage(reader, data, path).page(title), .problem = {}};
}

}  // namespace aftershock::reports
