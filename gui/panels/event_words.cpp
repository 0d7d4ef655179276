#include "gui/panels/event_words.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

#include "base/assert.h"
#include "reports/render/format.h"

namespace aftershock::gui {

namespace {

QString event_text(const char* text) { return QCoreApplication::translate("EventWords", text); }

QString fault_detail(const Trace& trace, const Fault& fault) {
  QStringList parts;
  for (const TextId each : {fault.id, fault.what, fault.target}) {
    if (each != kNoText && (each != fault.what || each != fault.kind)) {
      parts << shown_text(trace.texts[each]);
    }
  }
  if (!fault.fired) {
    parts << event_text("masked: nothing there to break");
  }
  return parts.join(QStringLiteral(", "));
}

QString decision_detail(const Trace& trace, const DecisionTitles& titles, std::uint32_t index) {
  const Decision& decision = trace.decisions[index];
  QString text = index < titles.of.size() ? shown_text(titles.texts[titles.of[index]]) : QString();
  if (text.isEmpty()) {
    text = event_text("batch %1").arg(decision.batch);
  }
  if (decision.fault != kNoText) {
    text += event_text(", answers %1").arg(shown_text(trace.texts[decision.fault]));
  }
  return decision.false_alarm ? text + event_text(", a false alarm") : text;
}

}  // namespace

QString shown_html(std::string_view text) { return shown_text(text).toHtmlEscaped(); }

QString count_words(std::int64_t count) {
  return QString::fromStdString(reports::format_count(count));
}

QString share_words(double share) {
  // A recording that no run wrote may say anything.
  constexpr double kMost = 1e6;
  const double told = std::clamp(share, -kMost, kMost);
  return QString::fromStdString(
      reports::format_percent(static_cast<std::int64_t>(told * 1'000 + 0.5)));
}

QString time_words(std::int64_t t_us) {
  return QString::fromStdString(reports::format_duration(t_us));
}

QString what_of(const Trace& trace, std::uint32_t lane, std::uint32_t span) {
  AFTERSHOCK_ASSERT(lane < trace.lanes.size() && span < trace.lanes[lane].columns.size());
  const Lane& of = trace.lanes[lane];
  switch (of.sub) {
    case SubLane::kAttempts:
      return event_text("attempt %1").arg(of.columns.numbers()[span]);
    case SubLane::kMarks:
    case SubLane::kOthers:
      return shown_text(trace.texts[of.columns.numbers()[span]]);
    case SubLane::kFaults:
      return shown_text(trace.texts[trace.faults[of.columns.numbers()[span]].kind]);
    default: {
      const Kind kind = of.columns.spans().kind[span];
      return shown_text(name_of(is_lost(trace, lane, span) ? Kind::kRolledBack : kind))
          .replace(u'_', u' ');
    }
  }
}

QString detail_of(const Trace& trace, const DecisionTitles& titles, std::uint32_t lane,
                  std::uint32_t span) {
  const Lane& of = trace.lanes[lane];
  switch (of.sub) {
    case SubLane::kMarks:
      return {};
    case SubLane::kFaults:
      return fault_detail(trace, trace.faults[of.columns.numbers()[span]]);
    case SubLane::kDecisions:
      return decision_detail(trace, titles, of.columns.numbers()[span]);
    default:
      break;
  }
  const LaneSpans spans = of.columns.spans();
  QString lasts =
      spans.end_us[span] == kOpen
          ? event_text("not ended")
          : event_text("for %1").arg(time_words(spans.end_us[span] - spans.begin_us[span]));
  if (const std::int64_t lost_us = lost_of_span(trace, lane, span);
      lost_us > 0 && !is_lost(trace, lane, span)) {
    lasts += event_text(", of it rolled back %1").arg(time_words(lost_us));
  }
  return of.sub == SubLane::kCheckpoints
             ? event_text("checkpoint %1, %2").arg(of.columns.numbers()[span]).arg(lasts)
             : lasts;
}

}  // namespace aftershock::gui
