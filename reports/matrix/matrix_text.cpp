#include <algorithm>

#include <fmt/format.h>

#include "reports/matrix/outputs.h"
#include "reports/render/format.h"
#include "reports/render/table.h"

namespace aftershock::reports {
namespace {

constexpr std::size_t kRedShown = 20;
constexpr std::size_t kReasonsShown = 12;

std::int64_t count_of(const StateCounts& counts, CellState state) {
  return counts.at(static_cast<std::size_t>(state));
}

std::int64_t red_in(const StateCounts& counts) {
  return count_of(counts, CellState::kFinding) + count_of(counts, CellState::kUnbitten) +
         count_of(counts, CellState::kBroken);
}

/// "12" where all recovered, "9+3" with those that ended, "9+2!1" with those that are red.
std::string field_text(const StateCounts& counts) {
  const std::int64_t recovered = count_of(counts, CellState::kRecovered);
  const std::int64_t ended =
      count_of(counts, CellState::kEnded) + count_of(counts, CellState::kUnfinished) +
      count_of(counts, CellState::kLost) + count_of(counts, CellState::kExpected);
  const std::int64_t red = red_in(counts);
  if (recovered + ended + red == 0) {
    return ".";
  }
  std::string text = fmt::format("{}", recovered);
  if (ended > 0) {
    text += fmt::format("+{}", ended);
  }
  return red > 0 ? text + fmt::format("!{}", red) : text;
}

/// The field's columns from one place up to another.
Table field(const MatrixReport& report, std::size_t from, std::size_t to) {
  std::vector<Table::Column> columns(to - from + 1);
  for (std::size_t i = 1; i < columns.size(); ++i) {
    columns[i].align = Table::Align::kRight;
  }
  Table table(columns);
  std::vector<std::string> heading{""};
  for (std::size_t column = from; column < to; ++column) {
    heading.push_back(report.columns[column].id);
  }
  table.row(std::move(heading), Colour::kHeading);
  const auto fields = field_counts(report);
  for (std::uint32_t row = 0; row < report.rows.size(); ++row) {
    std::vector<std::string> cells{report.rows[row].id + " " + report.rows[row].name};
    bool red = false;
    for (std::size_t column = from; column < to; ++column) {
      const StateCounts& counts = fields[row][column];
      red = red || red_in(counts) > 0;
      cells.push_back(field_text(counts));
    }
    table.row(std::move(cells), red ? Colour::kBad : Colour::kPlain);
  }
  return table;
}

/// The field in as many parts as have room, one below the other, each with the names of its rows.
std::string field_parts(const MatrixReport& report, const Style& style) {
  constexpr std::size_t kIndent = 2;
  std::string text;
  for (std::size_t from = 0; from < report.columns.size();) {
    std::size_t to = report.columns.size();
    while (to > from + 1 && field(report, from, to).width() + kIndent > style.width) {
      --to;
    }
    text += (text.empty() ? "" : "\n") + field(report, from, to).text(style, kIndent);
    from = to;
  }
  return text;
}

std::string reasons_text(const MatrixReport& report, CellState state, std::string_view heading,
                         const Style& style) {
  const auto reasons = reasons_of(report, state);
  if (reasons.empty()) {
    return {};
  }
  std::string text = "\n" + style.paint(heading, Colour::kHeading) + "\n";
  Table table({{.align = Table::Align::kRight}, {.elastic = true}});
  for (const SharedReason& reason :
       std::span(reasons).first(std::min(reasons.size(), kReasonsShown))) {
    table.row({format_count(reason.cells), printable(reason.why, style.unicode)});
  }
  text += table.text(style, 2);
  if (reasons.size() > kReasonsShown) {
    text += fmt::format("  and {} more reasons; --json has all\n", reasons.size() - kReasonsShown);
  }
  return text;
}

std::string red_text(const MatrixReport& report, const Style& style) {
  std::string text;
  std::size_t shown = 0;
  std::size_t all = 0;
  for (const CellOutcome& cell : report.cells) {
    if (!is_red(cell.state)) {
      continue;
    }
    ++all;
    if (shown < kRedShown) {
      ++shown;
      text += wrapped(fmt::format("{} {}", style.paint(name_of(cell.state), Colour::kBad),
                                  printable(cell.label, style.unicode)),
                      2, style.width) +
              wrapped(printable(cell.why, style.unicode), 4, style.width) +
              // A command stays on one line, to be copied.
              fmt::format("    {}\n", printable(cell_command(report, cell), style.unicode));
    }
  }
  if (all > shown) {
    text += fmt::format("  and {} more; --json and --junit have all\n", all - shown);
  }
  return text.empty() ? text : "\n" + style.paint("red", Colour::kHeading) + "\n" + text;
}

}  // namespace

std::string cell_command(const MatrixReport& report, const CellOutcome& cell) {
  return fmt::format("aftershock matrix {}{} {} {}", shell_word(report.path), report.options,
                     report.words.option, cell.id);
}

std::string matrix_markdown(const MatrixReport& report) {
  return field(report, 0, report.columns.size()).markdown();
}

std::string matrix_text(const MatrixReport& report, const Style& style) {
  const StateCounts counts = counts_of(report);
  const std::int64_t excluded = count_of(counts, CellState::kExcluded);
  const auto run = static_cast<std::int64_t>(report.cells.size()) - excluded;
  const std::int64_t red = red_in(counts);
  std::string text = wrapped(fmt::format("{} under {}: {} cells run, {} cannot be",
                                         printable(report.scenario, style.unicode),
                                         printable(report.policy, style.unicode), format_count(run),
                                         format_count(excluded)),
                             0, style.width);
  text += "\n" + field_parts(report, style);
  text += "  in each field: recovered + ended or explained ! red; . cannot be\n\n";
  std::string names;
  for (const MatrixHeading& column : report.columns) {
    names += fmt::format("{}{} {}", names.empty() ? "" : ", ", column.id, column.name);
  }
  text += wrapped(names, 2, style.width) + red_text(report, style);
  text += reasons_text(report, CellState::kExpected, "documented findings", style);
  text += reasons_text(report, CellState::kLost, "past recovery", style);
  text += reasons_text(report, CellState::kUnfinished, "out of time", style);
  text += reasons_text(report, CellState::kEnded, "ended by the policy", style);
  text += reasons_text(report, CellState::kExcluded, "cannot be", style);
  const auto where_any = [&counts](CellState state, std::string_view words) {
    const std::int64_t count = count_of(counts, state);
    return count == 0 ? std::string() : fmt::format("{} {}, ", format_count(count), words);
  };
  const std::string sum =
      fmt::format("{} recovered, {} ended by the policy, {}{}{} documented findings, {} red",
                  format_count(count_of(counts, CellState::kRecovered)),
                  format_count(count_of(counts, CellState::kEnded)),
                  where_any(CellState::kUnfinished, "out of time"),
                  where_any(CellState::kLost, "past recovery"),
                  format_count(count_of(counts, CellState::kExpected)), format_count(red));
  return text + "\n" +
         style.paint(wrapped(sum, 0, style.width), red > 0 ? Colour::kBad : Colour::kGood);
}

}  // namespace aftershock::reports
