#include <algorithm>

#include <fmt/format.h>

#include "reports/check/outputs.h"
#include "reports/check/words.h"
#include "reports/render/format.h"
#include "reports/render/markdown_cell.h"

namespace aftershock::reports {
namespace {

/// GitHub takes a summary of at most 1 MiB.
constexpr std::size_t kRowsShown = 200;

/// One line, of UTF-8 that can be shown.
std::string shown(std::string_view text) {
  std::string line(text);
  std::ranges::replace_if(line, [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return printable(line, true);
}

/// A block that shows lines as they are, whatever is in them.
std::string code_block(const std::vector<std::string>& lines) {
  std::string body;
  for (const std::string& line : lines) {
    body += shown(line) + "\n";
  }
  std::string fence = "```";
  while (body.find(fence) != body.npos) {
    fence += '`';
  }
  return fence + "text\n" + body + fence + "\n";
}

struct MarkdownRow {
  std::string state;
  std::string file;
  std::string policy;
  std::string seed;
  std::string why;
  bool red = false;
};

std::vector<MarkdownRow> rows_of(const CheckReport& report) {
  std::vector<MarkdownRow> rows;
  for (const UnusableFile& file : report.unusable) {
    rows.push_back({"cannot be used", file.file, "", "", "", true});
  }
  for (const CheckedRun& run : report.runs) {
    const bool red = is_red(run, report.strict);
    const Standing standing = run.judgement.standing;
    if (red || (standing != Standing::kSame && standing != Standing::kNoBaseline)) {
      rows.push_back({state_of(run), run.run.key.scenario, run.run.policy,
                      fmt::format("{}", run.run.key.seed), reason_of(run), red});
    }
  }
  for (const JointCondition& condition : report.joint) {
    if (is_red(condition)) {
      rows.push_back({"failed", condition.file, condition.policy,
                      fmt::format("{} from {}", condition.runs, condition.first_seed),
                      details_of(condition, report).front(), true});
    }
  }
  for (const FreshRuns& runs : report.fresh) {
    rows.push_back({runs.problem.empty() ? std::string(name_of(runs.standing)) : "not compared",
                    runs.file, runs.policy,
                    fmt::format("{} new from {}", runs.pairs, runs.first_seed), "", is_red(runs)});
  }
  std::ranges::stable_sort(rows, std::ranges::greater{}, &MarkdownRow::red);
  return rows;
}

}  // namespace

std::string check_markdown(const CheckReport& report) {
  std::string text =
      fmt::format("### aftershock check: {}\n\n{}\n", markdown_cell(verdict_text(report)),
                  markdown_cell(summary_of(report)));
  if (const std::string seeds = seeds_of(report); !seeds.empty()) {
    text += fmt::format("\n{}\n", markdown_cell(seeds));
  }
  const auto rows = rows_of(report);
  if (!rows.empty()) {
    text += "\n| | scenario | policy | seed | why |\n|---|---|---|---|---|\n";
  }
  for (std::size_t i = 0; i < std::min(rows.size(), kRowsShown); ++i) {
    const MarkdownRow& row = rows[i];
    const std::string state = markdown_cell(row.state);
    text += fmt::format("| {} | {} | {} | {} | {} |\n", row.red ? "**" + state + "**" : state,
                        markdown_cell(row.file), markdown_cell(row.policy), markdown_cell(row.seed),
                        markdown_cell(row.why));
  }
  if (rows.size() > kRowsShown) {
    text += fmt::format("\nand {} more\n", rows.size() - kRowsShown);
  }
  std::size_t told = 0;
  const auto tell = [&text, &told](const auto& red, const CheckReport& whole) {
    if (told++ < kRowsShown) {
      text += fmt::format("\n**{}**\n\n", markdown_cell(title_of(red)));
      text += code_block(details_of(red, whole));
    }
  };
  for (const UnusableFile& file : report.unusable) {
    text += "\n" + code_block({file.message});
  }
  for (const CheckedRun& run : report.runs) {
    if (is_red(run, report.strict)) {
      tell(run, report);
    }
  }
  for (const JointCondition& condition : report.joint) {
    if (is_red(condition)) {
      tell(condition, report);
    }
  }
  for (const FreshRuns& runs : report.fresh) {
    if (is_red(runs)) {
      tell(runs, report);
    }
  }
  return text;
}

}  // namespace aftershock::reports
