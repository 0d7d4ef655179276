#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "reports/html/page.h"
#include "reports/html/parts.h"
#include "reports/html/report.h"
#include "reports/html/sweep_data.h"
#include "reports/html/sweep_tables.h"
#include "reports/render/cells_text.h"
#include "reports/render/format.h"

namespace aftershock::reports {
namespace {

constexpr std::size_t kStepsDrawn = 500;

/// A sweep's page while it is written.
class SweepPage {
 public:
  SweepPage(RunReader& reader, const SweepData& data, std::string path)
      : reader_(reader), header_(reader.header()), data_(data), path_(std::move(path)) {}

  std::string page(const std::string& title) {
    page_.title = title.empty() ? header_.scenario : title;
    page_.kind = "Report of many runs";
    outcome();
    write_cells(html(), header_, data_);
    json_.open_object();
    distributions();
    json_.key("charts");
    json_.open_array();
    exhaustion();
    json_.close_array();
    json_.close_object();
    write_differences(html(), header_, data_);
    write_worst_runs(html(), header_, data_, reader_.recordings());
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
  void outcome();
  void verdicts();
  void distributions();
  void write_metric(std::size_t column);
  /// Six digits: a hundred thousandth of an axis is a hundredth of a dot.
  void number(double value) { json_.raw(fmt::format("{:.6g}", value)); }
  void exhaustion();

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
                           verdict_of_runs(static_cast<Verdict>(i)));
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

void SweepPage::write_metric(std::size_t column) {
  const std::string& name = data_.columns[column];
  const Metric* metric = metric_of(name);
  json_.open_object();
  json_.member("name", metric_title(name));
  json_.member("what", metric == nullptr ? std::string() : metric->what);
  json_.member("time", is_time(name));
  json_.key("cells");
  json_.open_array();
  for (const Distribution& distribution : data_.distributions[column]) {
    json_.open_object();
    json_.member("n", distribution.count);
    json_.member("mean", distribution.mean);
    json_.member("band", distribution.band);
    json_.key("q");
    json_.open_array();
    for (const Estimate& quantile : distribution.quantiles) {
      // Its value, then both ends of its interval, where it has one.
      json_.open_array();
      number(quantile.value);
      if (quantile.interval) {
        number(quantile.interval->low);
        number(quantile.interval->high);
      }
      json_.close_array();
    }
    json_.close_array();
    json_.key("f");
    json_.open_array();
    for (const ShareUpTo& step : distribution.shares) {
      json_.open_array();
      number(step.value);
      number(step.share);
      json_.close_array();
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
    json_.value(cell_name(header_, data_, i));
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
      "share of runs up to a value, with the 95 % band that holds all of the true curve, and "
      "quantiles</figcaption>\n"
      "<div class=\"plot\"></div>\n<div class=\"plot boxes\"></div>\n</figure>\n");
  HtmlTable table;
  table.id = "quantile-table";
  table.caption = "useful_share: quantiles";
  table.columns = {{"Cell"},       {"Runs", true},    {"Mean", true},   {"Least", true},
                   {"5 %", true},  {"25 %", true},    {"Median", true}, {"75 %", true},
                   {"95 %", true}, {"Greatest", true}};
  const auto& shares = data_.distributions[*metric_named("useful_share")];
  for (std::size_t i = 0; i < shown; ++i) {
    HtmlTable::Row& row = table.rows.emplace_back();
    row.cells = {{.text = cell_name(header_, data_, i)}, {.text = format_count(shares[i].count)}};
    if (shares[i].count == 0) {
      row.cells.resize(table.columns.size(), {.text = "-"});
      continue;
    }
    row.cells.push_back({.text = value_text("useful_share", shares[i].mean)});
    for (const Estimate& quantile : shares[i].quantiles) {
      row.cells.push_back({.markup = estimate_markup("useful_share", quantile)});
    }
  }
  table.write(html());
  html().element("p",
                 "Below a quantile its 95 % interval, from one run's value to another's, which "
                 "assumes nothing of how values lie; where runs are too few for one there is none. "
                 "The line below a box is that of the median.");
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
    series.name = cell_name(header_, data_, i);
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
