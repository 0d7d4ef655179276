#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/compare/decision_json.h"
#include "reports/compare/decision_text.h"
#include "reports/compare/recordings.h"
#include "reports/json/json_value.h"
#include "reports/render/format.h"
#include "reports/render/table.h"

namespace aftershock::reports {

namespace {

std::string line_value(const LedgerLine& line, std::optional<double> value) {
  if (!value) {
    return "-";
  }
  if (line.what.ends_with("_us")) {
    const std::string text = format_duration(std::llround(std::abs(*value)));
    return *value < 0 ? "-" + text : text;
  }
  return line.what == "ettr" || line.what == "useful_share" ? fmt::format("{:.4f}", *value)
                                                            : format_count(std::llround(*value));
}

std::string line_difference(const LedgerLine& line) {
  if (!line.a || !line.b) {
    return "-";
  }
  const double difference = *line.b - *line.a;
  return difference == 0 ? "same" : (difference > 0 ? "+" : "") + line_value(line, difference);
}

/// "A: quickstart under ray_train@2026-05, seed 1 (a.aftershock)".
std::string run_line(const char* name, const RecordedRun& run, const Style& style) {
  return fmt::format("{}: {} under {}, seed {} ({}){}\n", name,
                     printable(run.scenario, style.unicode), printable(run.policy, style.unicode),
                     run.seed, printable(run.path, style.unicode),
                     run.summary.empty() ? ", cut off: it has no result" : "");
}

/// "llm failed, exhausted(max_failures)": how each job and experiment ended.
std::vector<std::string> ends_of(const RecordedRun& run, const Style& style) {
  const JsonValue summary = parsed(run.summary);
  std::vector<std::string> ends;
  for (const char* list : {"jobs", "experiments"}) {
    for (const JsonValue& one : list_in(summary, list)) {
      const std::string state = text_in(one, "at_end");
      const std::string reason = text_in(one, "reason");
      const bool says_more = !reason.empty() && reason != state;
      ends.push_back(fmt::format("{} {}{}", printable(text_in(one, "name"), style.unicode),
                                 printable(state, style.unicode),
                                 says_more ? ", " + printable(reason, style.unicode) : ""));
    }
  }
  return ends;
}

std::string ends_text(const std::vector<std::string>& ends, const Style& style) {
  std::string out;
  for (const std::string& end : ends) {
    out += wrapped("ended: " + end, 3, style.width);
  }
  return out;
}

std::string faults_text(const FaultsMet& met, const Style& style) {
  if (met.is_same()) {
    return fmt::format("the same faults in both, {} of them\n", format_count(met.same));
  }
  std::string text = fmt::format(
      "warning: not the same faults: {} are in both, {} differ in time, kind or place, {} only in "
      "A, {} only in B; the first is {}",
      met.same, met.changed, met.only_a, met.only_b, printable(met.first, style.unicode));
  return style.paint(wrapped(text, 0, style.width), Colour::kWarning);
}

std::string ledger_table(const std::vector<LedgerLine>& lines, const Style& style) {
  using Align = Table::Align;
  std::string out;
  for (std::size_t i = 0; i < lines.size();) {
    const std::string& of = lines[i].of;
    Table table({{Align::kLeft}, {Align::kRight}, {Align::kRight}, {Align::kRight}});
    table.row({printable(of, style.unicode), "A", "B", "B - A"}, Colour::kHeading);
    for (; i < lines.size() && lines[i].of == of; ++i) {
      table.row({lines[i].what, line_value(lines[i], lines[i].a), line_value(lines[i], lines[i].b),
                 line_difference(lines[i])});
    }
    out += table.text(style, 2);
  }
  return out;
}

}  // namespace

std::string recordings_text(const RecordedRun& a, const RecordedRun& b, const Style& style) {
  const std::vector<std::string> ends_a = ends_of(a, style);
  const std::vector<std::string> ends_b = ends_of(b, style);
  std::string out = run_line("A", a, style) + ends_text(ends_a, style) + run_line("B", b, style) +
                    ends_text(ends_b, style);
  if (is_same_run(a, b)) {
    return out + "the same run, event by event\n";
  }
  const FaultsMet met = compare_faults(a, b);
  out += faults_text(met, style);
  out += ledger_table(compare_ledgers(a, b), style);
  if (ends_a != ends_b) {
    out += style.paint(wrapped("they ended differently: ETTR, losses and times are of what each "
                               "lived through, and say nothing about which is better",
                               2, style.width),
                       Colour::kWarning);
  }
  const auto divergence = first_divergence(a, b);
  if (!divergence) {
    return out + "the same decisions in both\n";
  }
  return out + "the first decision that differs\n" + divergence_text(*divergence, "A", "B", style);
}

nlohmann::ordered_json recordings_json(const RecordedRun& a, const RecordedRun& b) {
  using Made = nlohmann::ordered_json;
  const FaultsMet met = compare_faults(a, b);
  Made json{{"schema", 1}, {"identical", is_same_run(a, b)}, {"runs", Made::array()}};
  for (const RecordedRun* run : {&a, &b}) {
    json["runs"].push_back({{"path", run->path},
                            {"scenario", run->scenario},
                            {"policy", run->policy},
                            {"seed", run->seed},
                            {"complete", !run->hash.empty()},
                            {"ended", ends_of(*run, {})}});
  }
  json["faults"] = {{"same", met.same},
                    {"changed", met.changed},
                    {"only_a", met.only_a},
                    {"only_b", met.only_b},
                    {"first", met.first.empty() ? Made(nullptr) : Made(met.first)}};
  Made& lines = json["ledger"] = Made::array();
  for (const LedgerLine& line : compare_ledgers(a, b)) {
    lines.push_back({{"of", line.of},
                     {"what", line.what},
                     {"a", line.a ? Made(*line.a) : Made(nullptr)},
                     {"b", line.b ? Made(*line.b) : Made(nullptr)}});
  }
  const auto divergence = first_divergence(a, b);
  json["divergence"] = divergence ? to_json(*divergence) : Made(nullptr);
  return json;
}

}  // namespace aftershock::reports
