#include "gui/export/words.h"

#include <algorithm>
#include <array>

#include "base/assert.h"
#include "gui/trace/display_text.h"

namespace aftershock::gui {

namespace {

/// No name is longer; a text that is was made to do harm.
constexpr std::size_t kGlyphs = 2000;

constexpr std::array<std::string_view, kSubLanes> kSubNames{
    "phases", "attempts", "checkpoints", "states", "others", "faults", "decisions", "marks"};

std::string fault_detail(const Trace& trace, const Fault& fault) {
  std::string text;
  const auto add = [&text](const std::string& part) {
    if (!part.empty()) {
      text += (text.empty() ? "" : ", ") + part;
    }
  };
  add(exported_text(trace.texts[fault.id]));
  add(fault.what == fault.kind ? std::string() : exported_text(trace.texts[fault.what]));
  add(exported_text(trace.texts[fault.target]));
  add(fault.fired ? "" : "masked: nothing there to break");
  return text;
}

std::string decision_detail(const Trace& trace, const DecisionTitles& titles, std::uint32_t index) {
  const Decision& decision = trace.decisions[index];
  std::string text =
      index < titles.of.size() ? exported_text(titles.texts[titles.of[index]]) : std::string();
  if (text.empty()) {
    text = "batch " + std::to_string(decision.batch);
  }
  if (decision.fault != kNoText) {
    text += ", answers " + exported_text(trace.texts[decision.fault]);
  }
  return decision.false_alarm ? text + ", a false alarm" : text;
}

}  // namespace

std::string_view name_of(SubLane sub) {
  return sub < SubLane::kCount ? kSubNames[static_cast<std::size_t>(sub)] : std::string_view();
}

std::string exported_text(std::string_view text) { return display_text(text, kGlyphs); }

std::string exported_what(const Trace& trace, std::uint32_t lane, std::uint32_t span) {
  AFTERSHOCK_ASSERT(lane < trace.lanes.size() && span < trace.lanes[lane].columns.size());
  const Lane& of = trace.lanes[lane];
  switch (of.sub) {
    case SubLane::kAttempts:
      return "attempt " + exported_number(trace, lane, span);
    case SubLane::kMarks:
    case SubLane::kOthers:
      return exported_text(trace.texts[of.columns.numbers()[span]]);
    case SubLane::kFaults:
      return exported_text(trace.texts[trace.faults[of.columns.numbers()[span]].kind]);
    default:
      break;
  }
  std::string text(
      name_of(is_lost(trace, lane, span) ? Kind::kRolledBack : of.columns.spans().kind[span]));
  std::ranges::replace(text, '_', ' ');
  return text;
}

std::string exported_detail(const Trace& trace, const DecisionTitles& titles, std::uint32_t lane,
                            std::uint32_t span) {
  const Lane& of = trace.lanes[lane];
  if (of.sub == SubLane::kFaults) {
    return fault_detail(trace, trace.faults[of.columns.numbers()[span]]);
  }
  if (of.sub == SubLane::kDecisions) {
    return decision_detail(trace, titles, of.columns.numbers()[span]);
  }
  return {};
}

std::string exported_number(const Trace& trace, std::uint32_t lane, std::uint32_t span) {
  const Lane& of = trace.lanes[lane];
  return of.sub == SubLane::kAttempts || of.sub == SubLane::kCheckpoints
             ? std::to_string(of.columns.numbers()[span])
             : std::string();
}

}  // namespace aftershock::gui
