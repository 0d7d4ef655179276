#include <algorithm>

#include <fmt/format.h>

#include "reports/html/page.h"
#include "reports/matrix/outputs.h"
#include "reports/render/format.h"

namespace aftershock::reports {
namespace {

/// The worst outcome in a field, as a class of the page's style sheet and as a sign for readers who
/// do not see its colour.
struct Heat {
  std::string_view css;
  std::string_view sign;
};

Heat heat_of(const StateCounts& counts) {
  const auto any = [&counts](CellState state) {
    return counts.at(static_cast<std::size_t>(state)) > 0;
  };
  if (any(CellState::kFinding) || any(CellState::kUnbitten) || any(CellState::kBroken)) {
    return {"bad", "!"};
  }
  if (any(CellState::kExpected)) {
    return {"known", "~"};
  }
  if (any(CellState::kEnded) || any(CellState::kUnfinished) || any(CellState::kLost)) {
    return {"ended", "+"};
  }
  return any(CellState::kRecovered) ? Heat{"good", ""} : Heat{"none", ""};
}

std::string words_of(const StateCounts& counts) {
  std::string words;
  for (std::size_t i = 0; i < kCellStates; ++i) {
    if (counts.at(i) > 0) {
      words += fmt::format("{}{} {}", words.empty() ? "" : ", ", counts.at(i),
                           name_of(static_cast<CellState>(i)));
    }
  }
  return words;
}

void write_field(Html& html, const MatrixReport& report) {
  html.section("field", "The field");
  html.raw(
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"The field\">"
      "<table class=\"heat\"><caption>" +
      html_text(report.words.things) +
      " that recovered, of those that were run</caption>\n<thead><tr><th scope=\"col\">" +
      html_text(report.words.rows) + "</th>");
  for (const MatrixHeading& column : report.columns) {
    html.raw(fmt::format("<th scope=\"col\" title=\"{}\">", html_text(column.name)));
    html.text(column.id);
    html.raw("</th>");
  }
  html.raw("</tr></thead>\n<tbody>\n");
  const auto fields = field_counts(report);
  for (std::uint32_t row = 0; row < report.rows.size(); ++row) {
    html.raw("<tr><th scope=\"row\">");
    html.text(report.rows[row].id + " " + report.rows[row].name);
    html.raw("</th>");
    for (std::uint32_t column = 0; column < report.columns.size(); ++column) {
      const StateCounts& counts = fields[row][column];
      const Heat heat = heat_of(counts);
      std::int64_t run = 0;
      for (std::size_t i = 1; i < kCellStates; ++i) {
        run += counts.at(i);
      }
      const std::int64_t recovered = counts.at(static_cast<std::size_t>(CellState::kRecovered));
      html.raw(fmt::format("<td class=\"heat-{}\" title=\"{}\">", heat.css, words_of(counts)));
      html.text(run == 0 ? "" : fmt::format("{}/{}{}", recovered, run, heat.sign));
      html.raw("</td>");
    }
    html.raw("</tr>\n");
  }
  html.raw("</tbody></table></div>\n");
  std::string names;
  for (const MatrixHeading& column : report.columns) {
    names += fmt::format("{}{} {}", names.empty() ? "" : ", ", column.id, column.name);
  }
  html.element("p", names);
  html.element("p",
               fmt::format("! something is red; ~ a documented finding; + the policy ended the "
                           "job by its own rules, the simulation did before the job, or too few "
                           "nodes were left for it; {}.",
                           report.words.empty));
  html.end_section();
}

void write_cells_of(Html& html, const MatrixReport& report) {
  html.section("cells", fmt::format("{} that did not recover", report.words.things));
  HtmlTable table{"cell-table", "Outcomes", {{"cell"}, {"state"}, {"why"}, {"command"}}, {}, true};
  std::vector<std::string> states;
  for (const CellOutcome& cell : report.cells) {
    if (cell.state == CellState::kExcluded || cell.state == CellState::kRecovered) {
      continue;
    }
    const std::string state(name_of(cell.state));
    if (std::ranges::find(states, state) == states.end()) {
      states.push_back(state);
    }
    table.rows.push_back(
        {{{cell.label}, {state}, {cell.why}, {cell_command(report, cell)}}, {{"state", state}}});
  }
  if (table.rows.empty()) {
    html.element("p", "All of them recovered.");
  } else {
    HtmlFilter{"cell-table", "cells", {{"state", "State", states}}}.write(html);
    table.write(html);
  }
  html.end_section();
}

void write_excluded(Html& html, const MatrixReport& report) {
  html.section("excluded", report.words.excluded);
  HtmlTable table{"excluded-table", "Why, and how many", {{"why"}, {"cells", true}}, {}, true};
  for (const SharedReason& reason : reasons_of(report, CellState::kExcluded)) {
    table.rows.push_back({{{reason.why}, {format_count(reason.cells)}}});
  }
  table.write(html);
  html.end_section();
}

}  // namespace

std::string matrix_page(const MatrixReport& report) {
  Page page;
  page.title = fmt::format("{} under {}", report.scenario, report.policy);
  page.kind = report.words.kind;
  const Verdict verdict = verdict_of(report);
  page.body.raw(
      fmt::format("<div class=\"verdict {}\">", verdict == Verdict::kPassed ? "good" : "bad"));
  page.body.element("p", words_of(counts_of(report)), "class=\"outcome\"");
  page.body.raw("</div>\n");
  write_field(page.body, report);
  write_cells_of(page.body, report);
  write_excluded(page.body, report);
  return page_html(page);
}

}  // namespace aftershock::reports
