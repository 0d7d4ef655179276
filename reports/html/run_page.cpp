#include <algorithm>

#include <fmt/format.h>

#include "reports/html/page.h"
#include "reports/html/parts.h"
#include "reports/html/report.h"
#include "reports/render/format.h"

namespace aftershock::reports {
namespace {

/// A term and what it is.
void add_fact(Html& html, std::string_view name, const std::string& value) {
  html.raw("<div>");
  html.element("dt", name);
  html.element("dd", value);
  html.raw("</div>\n");
}

void write_run_facts(Html& html, const RunData& run) {
  html.raw("<dl class=\"facts\">\n");
  add_fact(html, "Simulated", format_duration(run.end_us));
  add_fact(html, "Seed", fmt::format("{}", run.seed));
  const auto seen = std::ranges::count_if(
      run.faults, [](const FaultStory& fault) { return fault.detected_us.has_value(); });
  const auto masked = std::ranges::count_if(run.faults, &FaultStory::masked);
  add_fact(html, "Faults",
           fmt::format(
               "{}, {} masked, {} detected{}",
               format_count(static_cast<std::int64_t>(run.faults.size())), format_count(masked),
               format_count(seen),
               run.never_struck.empty()
                   ? std::string()
                   : fmt::format("; {} never struck", format_count(std::ssize(run.never_struck)))));
  add_fact(html, "Hash", run.read.hash.empty() ? "-" : run.read.hash);
  add_fact(html, "Recorded by", run.version);
  html.raw("</dl>\n");
}

void write_part_facts(Html& html, const PartStory& part) {
  html.raw("<dl class=\"facts\">\n");
  if (part.useful_us) {
    add_fact(html, "Useful work",
             fmt::format("{}, {} of {}", useful_share_text(part), format_duration(*part.useful_us),
                         format_duration(part.useful_of_us)));
  }
  add_fact(html, "ETTR (productive by wall time)", ettr_text(part));
  add_fact(html, "Wall time", format_duration(part.wall_us));
  if (part.steps_done && part.steps) {
    add_fact(html, "Steps",
             fmt::format("{} of {}", format_count(*part.steps_done), format_count(*part.steps)));
  } else if (const auto done = steps_told(part); done && part.steps) {
    add_fact(html, "Steps when last told",
             fmt::format("{} of {}", format_count(*done), format_count(*part.steps)));
  }
  const std::string_view until_then = part.ended ? "" : " so far";
  add_fact(html, fmt::format("Attempts{}", until_then), format_count(part.attempts));
  add_fact(
      html, fmt::format("Lost progress{}", until_then),
      fmt::format("{} steps, {}", format_count(part.lost_steps), format_duration(part.lost_us)));
  add_fact(html, "Policy", part.policy);
  if (!part.vendor_state.empty()) {
    add_fact(html, "Its own word", part.vendor_state);
  }
  for (const BudgetStory& budget : part.budgets) {
    add_fact(html, budget.name, budget_text(budget));
  }
  html.raw("</dl>\n");
}

/// One job or experiment: where its time went, how far it came, and its budgets.
void write_part(Html& html, const PartStory& part, std::size_t nth, std::int64_t end_us,
                std::vector<Chart>& charts) {
  html.section(fmt::format("part-{}", nth),
               part.on.starts_with("job:") ? "Job " + part.name : "Experiment " + part.name);
  write_part_facts(html, part);
  write_ledger_bar(html, part);
  const PartStory* only = &part;
  ledger_table({&only, 1}, {}).write(html);
  for (auto [chart, name] : {std::pair(progress_chart(part, end_us), "progress"),
                             std::pair(budget_chart(part, end_us), "budgets")}) {
    if (!chart.empty()) {
      chart.id = fmt::format("{}-{}", name, nth);
      write_figure(html, chart, end_us);
      charts.push_back(std::move(chart));
    }
  }
  html.end_section();
}

void write_nodes(Html& html, const RunData& run, std::vector<Chart>& charts) {
  if (run.nodes_up.empty()) {
    return;
  }
  html.section("nodes", "Nodes");
  Chart chart;
  chart.id = "nodes-up";
  chart.title = "Nodes up, by pool";
  chart.y_axis = "nodes";
  chart.steps = true;
  for (std::size_t i = 0; i < run.nodes_up.size() && i < kPartsShown; ++i) {
    CurveBuilder nodes = run.nodes_up[i].second;
    nodes.add(run.end_us, nodes.last().value);
    chart.series.push_back({.name = run.nodes_up[i].first, .points = nodes.points()});
  }
  write_figure(html, chart, run.end_us);
  html.end_section();
  charts.push_back(std::move(chart));
}

}  // namespace

ReportInput kind_of_input(std::string_view beginning) {
  if (beginning.starts_with("SQLite format 3")) {
    return ReportInput::kResults;
  }
  return beginning.starts_with(R"({"r":"header")") || beginning.starts_with("\x28\xb5\x2f\xfd")
             ? ReportInput::kRecording
             : ReportInput::kOther;
}

std::string run_page(const RunData& run, const std::string& title) {
  Page page;
  page.title = !title.empty() ? title : run.scenario.empty() ? run.path : run.scenario;
  page.kind = "Report of a run";
  Html& html = page.body;
  std::vector<Chart> charts;
  html.section("outcome", "Outcome");
  if (!run.question.empty()) {
    html.element("p", run.question, "class=\"question\"");
  }
  write_verdict(html, run);
  write_run_facts(html, run);
  html.element("p", "Every span, attempt and checkpoint, on a timeline:");
  const RunData* only = &run;
  write_view_commands(html, {&only, 1});
  html.end_section();
  const auto order = parts_by_outcome(run);
  for (std::size_t i = 0; i < order.size() && i < kPartsShown; ++i) {
    write_part(html, *order[i], i, run.end_us, charts);
  }
  if (order.size() > kPartsShown) {
    html.element("p", fmt::format("{} more jobs and experiments are left out here; the viewer and "
                                  "`aftershock why` have them.",
                                  order.size() - kPartsShown));
  }
  write_faults(html, run);
  write_rules(html, run);
  write_decisions(html, run);
  write_nodes(html, run, charts);
  JsonWriter json;
  json.open_object();
  json.key("charts");
  json.open_array();
  for (const Chart& chart : charts) {
    write_chart(json, chart);
  }
  json.close_array();
  json.close_object();
  page.data = json.text();
  return page_html(page);
}

}  // namespace aftershock::reports
