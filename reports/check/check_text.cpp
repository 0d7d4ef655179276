#include <fmt/format.h>

#include "reports/check/outputs.h"
#include "reports/check/words.h"
#include "reports/render/format.h"

namespace aftershock::reports {
namespace {

/// Lines of one kind beyond these are counted only.
constexpr std::size_t kLinesShown = 20;

template <class Red>
void tell_red(std::string& text, const Red& red, std::string_view state, const CheckReport& report,
              const Style& style) {
  text += style.paint(printable(fmt::format("{}: {}", state, title_of(red)), style.unicode),
                      Colour::kBad) +
          "\n";
  for (const std::string& line : details_of(red, report)) {
    text += "    " + printable(line, style.unicode) + "\n";
  }
}

/// Runs without an error that are not as they were.
std::string tell_quiet(const CheckReport& report, const Style& style) {
  std::string text;
  for (const Standing standing :
       {Standing::kBetter, Standing::kChanged, Standing::kNew, Standing::kMissing}) {
    std::size_t shown = 0;
    std::size_t more = 0;
    for (const CheckedRun& run : report.runs) {
      if (run.judgement.standing != standing || is_red(run, report.strict)) {
        continue;
      }
      if (shown == kLinesShown) {
        ++more;
        continue;
      }
      ++shown;
      const std::string line = fmt::format("{}: {}", name_of(standing), title_of(run));
      text += style.paint(printable(line, style.unicode),
                          standing == Standing::kBetter ? Colour::kGood : Colour::kWarning) +
              "\n";
      if (const std::string reason = reason_of(run); !reason.empty()) {
        text += "    " + printable(reason, style.unicode) + "\n";
      }
    }
    if (more > 0) {
      text += fmt::format("{}: {} more\n", name_of(standing), more);
    }
  }
  return text;
}

/// The first that stops somebody, and why.
std::string first_red(const CheckReport& report) {
  for (const CheckedRun& run : report.runs) {
    if (is_red(run, report.strict)) {
      const std::string reason = run.reason.empty() ? reason_of(run) : run.reason;
      return fmt::format("{}: {}{}{}; ", state_of(run), title_of(run), reason.empty() ? "" : ": ",
                         reason);
    }
  }
  for (const JointCondition& condition : report.joint) {
    if (is_red(condition)) {
      return fmt::format("failed: {}: {}; ", title_of(condition),
                         details_of(condition, report).front());
    }
  }
  for (const FreshRuns& runs : report.fresh) {
    if (is_red(runs)) {
      return fmt::format("{}: {}; ", runs.problem.empty() ? "worse" : "not compared",
                         title_of(runs));
    }
  }
  return {};
}

}  // namespace

std::string check_line(const CheckReport& report) {
  return printable(
      fmt::format("{}{}; {}", first_red(report), summary_of(report), verdict_text(report)), true);
}

std::string check_text(const CheckReport& report, const Style& style) {
  std::string text;
  for (const CheckedRun& run : report.runs) {
    if (is_red(run, report.strict)) {
      tell_red(text, run, state_of(run), report, style);
    }
  }
  for (const JointCondition& condition : report.joint) {
    if (is_red(condition)) {
      tell_red(text, condition, "failed", report, style);
    }
  }
  for (const FreshRuns& runs : report.fresh) {
    if (is_red(runs)) {
      tell_red(text, runs, runs.problem.empty() ? "worse" : "not compared", report, style);
    }
  }
  text += tell_quiet(report, style);
  for (const FreshRuns& runs : report.fresh) {
    if (!is_red(runs)) {
      text +=
          printable(fmt::format("{}: {}", name_of(runs.standing), title_of(runs)), style.unicode) +
          "\n";
    }
  }
  if (const std::string seeds = seeds_of(report); !seeds.empty()) {
    text += printable(seeds, style.unicode) + "\n";
  }
  const bool good = verdict_of(report) == Verdict::kPassed;
  text += style.paint(fmt::format("{}; {}", summary_of(report), verdict_text(report)),
                      good ? Colour::kGood : Colour::kBad) +
          "\n";
  return text;
}

}  // namespace aftershock::reports
