#include "gui/scene/cut_index.h"

#include <algorithm>

#include "base/assert.h"

namespace aftershock::gui {

namespace {

void add(std::vector<CutRange>& ranges, const CutRange& range) {
  if (!ranges.empty() && range.begin_us <= ranges.back().end_us) {
    ranges.back().end_us = std::max(ranges.back().end_us, range.end_us);
  } else {
    ranges.push_back(range);
  }
}

}  // namespace

void CutIndex::update(const Trace& trace, std::uint32_t lane, const LaneKey& key) {
  AFTERSHOCK_ASSERT(lane < trace.lanes.size() && trace.lanes[lane].sub == SubLane::kStates);
  const LaneSpans spans = trace.lanes[lane].columns.spans();
  Cuts& cuts = of_[key];
  cuts.ranges.resize(cuts.final_ranges);
  if (!cuts.ranges.empty()) {
    cuts.ranges.back().end_us = cuts.final_end_us;
  }
  bool ended = true;
  for (std::size_t i = cuts.first_open; i < spans.size(); ++i) {
    ended = ended && spans.end_us[i] != kOpen;
    if (spans.kind[i] == Kind::kCut) {
      add(cuts.ranges, {spans.begin_us[i], std::max(spans.begin_us[i], spans.end_us[i])});
    }
    if (ended) {
      cuts.first_open = i + 1;
      cuts.final_ranges = cuts.ranges.size();
      cuts.final_end_us = cuts.ranges.empty() ? 0 : cuts.ranges.back().end_us;
    }
  }
}

std::span<const CutRange> CutIndex::of(const LaneKey& key) const {
  const auto found = of_.find(key);
  return found == of_.end() ? std::span<const CutRange>{} : found->second.ranges;
}

void CutIndex::join() {
  std::vector<CutRange> all;
  for (const auto& [key, cuts] : of_) {
    all.insert(all.end(), cuts.ranges.begin(), cuts.ranges.end());
  }
  std::ranges::sort(all, {}, &CutRange::begin_us);
  any_.clear();
  for (const CutRange& range : all) {
    add(any_, range);
  }
}

std::span<const CutRange> meeting(std::span<const CutRange> ranges, std::int64_t from_us,
                                  std::int64_t to_us) {
  // An end that nobody waited for is still a moment of its own.
  const auto first = std::ranges::partition_point(ranges, [from_us](const CutRange& range) {
    return range.end_us <= from_us && range.begin_us < from_us;
  });
  const auto last = std::ranges::partition_point(
      ranges, [to_us](const CutRange& range) { return range.begin_us < to_us; });
  return {first, std::max(first, last)};
}

}  // namespace aftershock::gui
