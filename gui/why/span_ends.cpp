#include "gui/why/span_ends.h"

#include <algorithm>

namespace aftershock::gui {

namespace {

/// By lane of phases, of each of its spans the fault that it names.
SpanEnds causes_of_phases(const Trace& trace) {
  SpanEnds causes;
  for (const Effect& effect : trace.effects) {
    const Lane& lane = trace.lanes[effect.lane];
    if (lane.sub != SubLane::kPhases) {
      continue;
    }
    std::vector<std::uint32_t>& of = causes[effect.lane];
    of.resize(lane.columns.size(), kNone);
    if (effect.span < of.size()) {
      of[effect.span] = effect.fault;
    }
  }
  return causes;
}

/// Of the phases that meet a moment the one that begins there, since it tells of what struck last;
/// else the one that was under way.
std::uint32_t cause_at(const Lane& phases, const std::vector<std::uint32_t>& causes,
                       std::int64_t t_us) {
  const auto [first, last] = phases.columns.overlapping(t_us - 1, t_us + 1);
  const LaneSpans spans = phases.columns.spans();
  std::uint32_t under_way = kNone;
  for (std::size_t i = first; i < std::min(last, causes.size()); ++i) {
    if (causes[i] != kNone && spans.begin_us[i] == t_us) {
      return causes[i];
    }
    if (causes[i] != kNone && spans.begin_us[i] < t_us && spans.end_us[i] >= t_us) {
      under_way = causes[i];
    }
  }
  return under_way;
}

/// The first phase that a fault brought about ends none but the one before it: those that follow
/// name the same cause.
std::vector<std::uint32_t> ends_of_phases(const Lane& phases,
                                          const std::vector<std::uint32_t>& causes) {
  const LaneSpans spans = phases.columns.spans();
  std::vector<std::uint32_t> ends(spans.size(), kNone);
  for (std::size_t next = 1; next < std::min(spans.size(), causes.size()); ++next) {
    if (causes[next] == causes[next - 1] || spans.begin_us[next] != spans.end_us[next - 1]) {
      continue;
    }
    // A phase that began and ended in this moment is not seen: the one before it is.
    std::size_t ended = next - 1;
    while (ended > 0 && spans.begin_us[ended] == spans.end_us[ended] &&
           spans.end_us[ended - 1] == spans.begin_us[ended]) {
      --ended;
    }
    ends[ended] = causes[next];
  }
  return ends;
}

}  // namespace

SpanEnds span_ends(const Trace& trace) {
  const SpanEnds causes = causes_of_phases(trace);
  SpanEnds ends;
  for (const auto& [index, of] : causes) {
    ends[index] = ends_of_phases(trace.lanes[index], of);
  }
  for (std::uint32_t index = 0; index < trace.lanes.size(); ++index) {
    const Lane& lane = trace.lanes[index];
    if (lane.sub != SubLane::kAttempts) {
      continue;
    }
    const LaneSpans spans = lane.columns.spans();
    std::vector<std::uint32_t>& of = ends[index];
    of.assign(spans.size(), kNone);
    const Lane* phases = lane_of(trace, lane.entity, SubLane::kPhases);
    const auto found = phases == nullptr
                           ? causes.end()
                           : causes.find(static_cast<std::uint32_t>(phases - trace.lanes.data()));
    if (found == causes.end()) {
      continue;
    }
    for (std::size_t i = 0; i < spans.size(); ++i) {
      if (spans.end_us[i] != kOpen) {
        of[i] = cause_at(*phases, found->second, spans.end_us[i]);
      }
    }
  }
  return ends;
}

}  // namespace aftershock::gui
