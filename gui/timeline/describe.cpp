#include "gui/timeline/describe.h"

#include <QStringList>
#include <algorithm>
#include <string>
#include <tuple>

#include "base/assert.h"
#include "gui/theme/shown_text.h"
#include "gui/view/ruler.h"

namespace aftershock::gui {

namespace {

/// So many spans of a lane are looked at to find the one under the pointer.
constexpr std::size_t kLookedAt = 1'000'000;

/// So many stretches of lost work are told of a span one by one.
constexpr std::size_t kLostLines = 3;

std::optional<std::uint32_t> number_of(const Lane& lane, std::uint32_t span) {
  const auto numbers = lane.columns.numbers();
  return span < numbers.size() ? std::optional(numbers[span]) : std::nullopt;
}

QString fault_text(const Trace& trace, const Fault& fault) {
  QString text = shown_text(trace.texts[fault.kind]);
  if (const auto what = trace.texts[fault.what]; !what.empty()) {
    text += QStringLiteral(": ") + shown_text(what);
  }
  return fault.fired ? text : text + QStringLiteral(" (masked)");
}

/// The part of a span's work that was lost later on.
QStringList lost_lines(const Trace& trace, SpanAt at) {
  const std::int64_t lost_us = lost_of_span(trace, at.lane, at.span);
  if (lost_us <= 0) {
    return {};
  }
  const LaneSpans spans = trace.lanes[at.lane].columns.spans();
  const std::int64_t end_us = std::min(spans.end_us[at.span], trace.last_us);
  const auto lost =
      trace.lost.between(trace.lanes[at.lane].entity, spans.begin_us[at.span], end_us);
  if (is_lost(trace, at.lane, at.span)) {
    return {QStringLiteral("work that was lost later on")};
  }
  QStringList lines;
  for (const Stretch& each : lost.first(std::min(lost.size(), kLostLines))) {
    lines << QStringLiteral("rolled back from %1 to %2")
                 .arg(time_text(std::max(each.begin_us, spans.begin_us[at.span])),
                      time_text(std::min(each.end_us, end_us)));
  }
  if (lost.size() > kLostLines) {
    lines << QStringLiteral("rolled back %1 in all").arg(time_text(lost_us));
  }
  return lines;
}

}  // namespace

QString time_text(std::int64_t t_us) { return QString::fromStdString(format_simulated(t_us)); }

QString kind_text(Kind kind) {
  const std::string_view name = name_of(kind);
  return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())).replace(u'_', u' ');
}

QString short_text(const Scene& scene, SpanAt at) {
  AFTERSHOCK_ASSERT(at.lane < scene.trace().lanes.size());
  AFTERSHOCK_ASSERT(at.span < scene.trace().lanes[at.lane].columns.size());
  const Trace& trace = scene.trace();
  const Lane& lane = trace.lanes[at.lane];
  const Kind kind = lane.columns.spans().kind[at.span];
  const auto number = number_of(lane, at.span);
  switch (lane.sub) {
    case SubLane::kAttempts:
      return QStringLiteral("attempt %1").arg(number.value_or(0));
    case SubLane::kCheckpoints:
      return QStringLiteral("%1 %2").arg(kind_text(kind)).arg(number.value_or(0));
    case SubLane::kFaults:
      return number && *number < trace.faults.size() ? fault_text(trace, trace.faults[*number])
                                                     : kind_text(kind);
    case SubLane::kOthers:
    case SubLane::kMarks:
      return number && !trace.texts[*number].empty()
                 ? shown_text(trace.texts[*number]).replace(u'_', u' ')
                 : kind_text(kind);
    case SubLane::kDecisions:
      if (number && *number < trace.decisions.size()) {
        const auto fault = trace.texts[trace.decisions[*number].fault];
        return fault.empty() ? kind_text(kind)
                             : QStringLiteral("decision on %1").arg(shown_text(fault));
      }
      return kind_text(kind);
    case SubLane::kPhases:
      return kind_text(is_lost(trace, at.lane, at.span) ? Kind::kRolledBack : kind);
    case SubLane::kStates:
    case SubLane::kCount:
      break;
  }
  return kind_text(kind);
}

QString long_text(const Scene& scene, SpanAt at) {
  const Lane& lane = scene.trace().lanes[at.lane];
  const LaneSpans spans = lane.columns.spans();
  const std::int64_t begin = spans.begin_us[at.span];
  const std::int64_t end = spans.end_us[at.span];
  QStringList lines{short_text(scene, at), shown_text(scene.trace().entities[lane.entity])};
  if (end == begin) {
    lines << QStringLiteral("at %1").arg(time_text(begin));
  } else if (end == kOpen) {
    lines << QStringLiteral("from %1, not ended").arg(time_text(begin));
  } else {
    lines << QStringLiteral("%1 long").arg(time_text(end - begin));
    lines << QStringLiteral("from %1 to %2").arg(time_text(begin), time_text(end));
  }
  lines << lost_lines(scene.trace(), at);
  return lines.join(u'\n');
}

QString lane_text(const Scene& scene, const LaneKey& lane) {
  return shown_text(text_of(scene.directory(), lane));
}

std::optional<SpanAt> span_at(const Scene& scene, std::uint32_t node, std::int64_t from_us,
                              std::int64_t to_us) {
  std::optional<SpanAt> best;
  std::tuple<int, std::int64_t> best_rank;
  for (const LaneContent& each : content_of(scene.tree(), node)) {
    const Content content = content_from(each.id);
    if (content.is_counter) {
      continue;
    }
    const LaneColumns& columns = scene.trace().lanes[content.index].columns;
    const LaneSpans spans = columns.spans();
    const auto [first, last] = columns.overlapping(from_us, to_us);
    for (std::size_t i = first; i < last && i < first + kLookedAt; ++i) {
      const bool instant = spans.end_us[i] <= spans.begin_us[i];
      if (spans.begin_us[i] >= to_us ||
          (instant ? spans.begin_us[i] < from_us : spans.end_us[i] <= from_us)) {
        continue;
      }
      const std::tuple rank(severity(spans.kind[i]), spans.begin_us[i] - end_of(spans, i));
      if (!best || rank > best_rank) {
        best = SpanAt{content.index, static_cast<std::uint32_t>(i)};
        best_rank = rank;
      }
    }
  }
  return best;
}

}  // namespace aftershock::gui
