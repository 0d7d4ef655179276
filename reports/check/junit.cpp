#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "reports/check/outputs.h"
#include "reports/check/words.h"
#include "reports/render/utf8.h"

namespace aftershock::reports {
namespace {

/// The cases of one suite, and how many of them are not good.
struct Suite {
  std::string cases;
  std::int64_t tests = 0;
  std::int64_t failures = 0;
  std::int64_t errors = 0;
  std::int64_t skipped = 0;
};

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    text += line + "\n";
  }
  return text;
}

void open_case(Suite& suite, std::string_view class_name, std::string_view name) {
  ++suite.tests;
  suite.cases +=
      fmt::format("  <testcase classname=\"{}\" name=\"{}\"", xml_text(class_name), xml_text(name));
}

/// Closes the case with what is wrong; `element`: failure or error.
void close_case(Suite& suite, std::string_view element, std::string_view type,
                std::string_view message, std::string_view body) {
  suite.cases += fmt::format(">\n   <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n  </testcase>\n",
                             element, xml_text(type), xml_text(message), xml_text(body));
}

void add_run_case(Suite& suite, const CheckedRun& run, const CheckReport& report) {
  const Standing standing = run.judgement.standing;
  open_case(suite, run.run.key.scenario,
            fmt::format("{}, seed {}", run.run.policy, run.run.key.seed));
  if (is_red(run, report.strict)) {
    const bool error = standing != Standing::kMissing && run.run.verdict != Verdict::kPassed &&
                       run.run.verdict != Verdict::kFailed;
    ++(error ? suite.errors : suite.failures);
    const std::string state = state_of(run);
    close_case(suite, error ? "error" : "failure", state,
               fmt::format("{}: {}", state, title_of(run)), joined(details_of(run, report)));
  } else if (standing == Standing::kMissing) {
    ++suite.skipped;
    suite.cases += ">\n   <skipped message=\"in the baseline, and not run\"/>\n  </testcase>\n";
  } else if (standing == Standing::kSame || standing == Standing::kNoBaseline) {
    suite.cases += "/>\n";
  } else {
    suite.cases += fmt::format(">\n   <system-out>{}\n{}</system-out>\n  </testcase>\n",
                               name_of(standing), xml_text(joined(details_of(run, report))));
  }
}

void add_fresh_case(Suite& suite, const FreshRuns& runs, const CheckReport& report) {
  open_case(suite, runs.file,
            fmt::format("{}, {} new seeds from {}", runs.policy, runs.pairs, runs.first_seed));
  if (is_red(runs)) {
    const bool error = !runs.problem.empty();
    ++(error ? suite.errors : suite.failures);
    close_case(suite, error ? "error" : "failure", error ? "not compared" : "worse", title_of(runs),
               joined(details_of(runs, report)));
  } else {
    suite.cases += "/>\n";
  }
}

}  // namespace

std::string xml_text(std::string_view text) {
  std::string out;
  for (const Glyph& glyph : glyphs(text)) {
    if (glyph.code == '&') {
      out += "&amp;";
    } else if (glyph.code == '<') {
      out += "&lt;";
    } else if (glyph.code == '>') {
      out += "&gt;";
    } else if (glyph.code == '"') {
      out += "&quot;";
    } else if (glyph.code == '\n' || glyph.code == '\t') {
      out += glyph.bytes;
    } else if (!glyph.valid || glyph.code < ' ' || glyph.code == 0xFFFE || glyph.code == 0xFFFF) {
      out += "\xEF\xBF\xBD";
    } else {
      out += glyph.bytes;
    }
  }
  return out;
}

std::string check_junit(const CheckReport& report) {
  std::map<std::string, Suite, std::less<>> suites;
  for (const CheckedRun& run : report.runs) {
    add_run_case(suites[run.run.key.scenario], run, report);
  }
  for (const FreshRuns& runs : report.fresh) {
    add_fresh_case(suites[runs.file], runs, report);
  }
  for (const SkippedRun& run : report.skipped) {
    Suite& suite = suites[run.scenario];
    open_case(suite, run.scenario, run.name);
    ++suite.skipped;
    suite.cases += ">\n   <skipped message=\"interrupted before it was run\"/>\n  </testcase>\n";
  }
  std::map<std::string, std::vector<std::string>, std::less<>> unusable;
  for (const UnusableFile& file : report.unusable) {
    unusable[file.file].push_back(file.message);
  }
  for (const auto& [file, messages] : unusable) {
    Suite& suite = suites[file];
    open_case(suite, file, "can be read");
    ++suite.errors;
    close_case(suite, "error", "unusable", messages.front(), joined(messages));
  }
  Suite sum;
  std::string text;
  for (const auto& [name, suite] : suites) {
    text += fmt::format(
        " <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">\n{}"
        " </testsuite>\n",
        xml_text(name), suite.tests, suite.failures, suite.errors, suite.skipped, suite.cases);
    sum.tests += suite.tests;
    sum.failures += suite.failures;
    sum.errors += suite.errors;
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"aftershock check\" "
      "tests=\"{}\" failures=\"{}\" errors=\"{}\">\n{}</testsuites>\n",
      sum.tests, sum.failures, sum.errors, text);
}

}  // namespace aftershock::reports
