#include "gui/trace/lost_work.h"

#include <algorithm>

#include "base/assert.h"
#include "gui/trace/trace.h"

namespace aftershock::gui {

namespace {

/// A span of work; nothing where it is of anything else.
Stretch work_of(const Trace& trace, std::uint32_t lane, std::uint32_t span) {
  const Lane& of = trace.lanes[lane];
  const LaneSpans spans = of.columns.spans();
  if (of.sub != SubLane::kPhases || spans.kind[span] != Kind::kProductive) {
    return {};
  }
  const std::int64_t end_us = spans.end_us[span] == kOpen ? trace.last_us : spans.end_us[span];
  return {spans.begin_us[span], std::max(spans.begin_us[span], end_us)};
}

}  // namespace

void LostWork::add(std::uint32_t entity, const Stretch& lost) {
  if (lost.end_us <= lost.begin_us) {
    return;
  }
  if (by_entity_.size() <= entity) {
    by_entity_.resize(entity + std::size_t{1});
  }
  std::vector<Stretch>& all = by_entity_[entity];
  // Those that it meets become one with it. Work is lost in the order of time, but for the end.
  const auto first = std::ranges::lower_bound(all, lost.begin_us, {}, &Stretch::end_us);
  const auto last = std::ranges::upper_bound(first, all.end(), lost.end_us, {}, &Stretch::begin_us);
  Stretch whole = lost;
  if (first != last) {
    whole.begin_us = std::min(whole.begin_us, first->begin_us);
    whole.end_us = std::max(whole.end_us, std::prev(last)->end_us);
  }
  all.insert(all.erase(first, last), whole);
}

std::span<const Stretch> LostWork::of(std::uint32_t entity) const {
  return entity < by_entity_.size() ? std::span<const Stretch>(by_entity_[entity])
                                    : std::span<const Stretch>();
}

std::span<const Stretch> LostWork::between(std::uint32_t entity, std::int64_t from_us,
                                           std::int64_t to_us) const {
  const std::span<const Stretch> all = of(entity);
  const auto first = std::ranges::upper_bound(all, from_us, {}, &Stretch::end_us);
  const auto last = std::ranges::lower_bound(first, all.end(), to_us, {}, &Stretch::begin_us);
  return {first, last};
}

std::int64_t LostWork::lost_us(std::uint32_t entity, std::int64_t from_us,
                               std::int64_t to_us) const {
  std::int64_t sum = 0;
  for (const Stretch& each : between(entity, from_us, to_us)) {
    sum += std::min(each.end_us, to_us) - std::max(each.begin_us, from_us);
  }
  return sum;
}

std::int64_t lost_of_span(const Trace& trace, std::uint32_t lane, std::uint32_t span) {
  AFTERSHOCK_ASSERT(lane < trace.lanes.size() && span < trace.lanes[lane].columns.size());
  const Stretch work = work_of(trace, lane, span);
  return trace.lost.lost_us(trace.lanes[lane].entity, work.begin_us, work.end_us);
}

bool is_lost(const Trace& trace, std::uint32_t lane, std::uint32_t span) {
  const Stretch work = work_of(trace, lane, span);
  const std::int64_t lost_us =
      trace.lost.lost_us(trace.lanes[lane].entity, work.begin_us, work.end_us);
  return lost_us > 0 && lost_us == work.end_us - work.begin_us;
}

}  // namespace aftershock::gui
