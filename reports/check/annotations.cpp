#include <fmt/format.h>

#include "reports/check/outputs.h"
#include "reports/check/words.h"
#include "reports/render/format.h"
#include "reports/render/utf8.h"

namespace aftershock::reports {
namespace {

std::string annotation(std::string_view level, std::string_view file, std::uint64_t line,
                       std::uint64_t column, std::string_view title, std::string_view message) {
  std::string where =
      fmt::format("file={},line={}", annotation_text(file, true), line == 0 ? 1 : line);
  if (column > 0) {
    where += fmt::format(",col={}", column);
  }
  return fmt::format("::{} {},title={}::{}\n", level, where, annotation_text(title, true),
                     annotation_text(message, false));
}

std::string message_of(std::string_view title, const std::vector<std::string>& lines) {
  std::string text(title);
  for (const std::string& line : lines) {
    text += "\n" + line;
  }
  return text;
}

}  // namespace

std::string annotation_text(std::string_view text, bool property) {
  std::string out;
  for (const Glyph& glyph : glyphs(text)) {
    const std::string_view bytes = glyph.bytes;
    if (bytes == "%" || bytes == "\r" || bytes == "\n" ||
        (property && (bytes == ":" || bytes == ","))) {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(bytes.front()));
    } else {
      out += bytes == "\t" ? "\t" : printable(bytes, true);
    }
  }
  return out;
}

std::string check_annotations(const CheckReport& report) {
  std::string text;
  for (const UnusableFile& file : report.unusable) {
    text += annotation("error", file.file, file.line, file.column, "scenario cannot be used",
                       file.message);
  }
  for (const CheckedRun& run : report.runs) {
    const Standing standing = run.judgement.standing;
    const bool red = is_red(run, report.strict);
    if (red || standing == Standing::kBetter || standing == Standing::kChanged) {
      const std::string title = fmt::format("{}: seed {}", state_of(run), run.run.key.seed);
      const std::string why = red ? "" : reason_of(run);  // details of a red run have it
      text += annotation(
          red ? "error" : "notice", run.run.key.scenario, 1, 0, title,
          message_of(title_of(run) + (why.empty() ? "" : ": " + why), details_of(run, report)));
    }
  }
  for (const JointCondition& condition : report.joint) {
    if (is_red(condition)) {
      text += annotation("error", condition.file, 1, 0, "a condition on all seeds is broken",
                         message_of(title_of(condition), details_of(condition, report)));
    }
  }
  for (const FreshRuns& runs : report.fresh) {
    if (is_red(runs)) {
      text += annotation("error", runs.file, 1, 0, "worse on new seeds",
                         message_of(title_of(runs), details_of(runs, report)));
    }
  }
  return text;
}

}  // namespace aftershock::reports
