#include "gui/why/range_times.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace aftershock::gui {

namespace {

using Stretch = std::pair<std::int64_t, std::int64_t>;

/// When an entity did work that it lost, without overlaps, in the order of time.
std::vector<Stretch> lost_stretches(const Trace& trace, std::uint32_t entity) {
  std::vector<Stretch> lost;
  for (const RolledBack& each : trace.rolled_back) {
    if (each.entity == entity && each.begin_us < each.end_us) {
      lost.emplace_back(each.begin_us, each.end_us);
    }
  }
  std::ranges::sort(lost);
  std::vector<Stretch> merged;
  for (const Stretch& each : lost) {
    if (!merged.empty() && each.first <= merged.back().second) {
      merged.back().second = std::max(merged.back().second, each.second);
    } else {
      merged.push_back(each);
    }
  }
  return merged;
}

std::int64_t lost_between(const std::vector<Stretch>& lost, std::int64_t from_us,
                          std::int64_t to_us) {
  std::int64_t sum = 0;
  for (auto at = std::ranges::upper_bound(lost, from_us, {}, &Stretch::second);
       at != lost.end() && at->first < to_us; ++at) {
    sum += std::min(at->second, to_us) - std::max(at->first, from_us);
  }
  return sum;
}

}  // namespace

BucketTimes range_times(const Trace& trace, std::uint32_t entity, std::int64_t from_us,
                        std::int64_t to_us) {
  const Lane* phases = lane_of(trace, entity, SubLane::kPhases);
  if (phases == nullptr || from_us >= to_us) {
    return {};
  }
  const std::vector<Stretch> lost = lost_stretches(trace, entity);
  std::array<std::int64_t, kKinds> sums{};
  const LaneSpans spans = phases->columns.spans();
  const auto [first, last] = phases->columns.overlapping(from_us, to_us);
  for (std::size_t i = first; i < last; ++i) {
    const std::int64_t begin_us = std::max(spans.begin_us[i], from_us);
    // A phase that nothing ends lasts until the last record.
    const std::int64_t end_us =
        std::min(spans.end_us[i] == kOpen ? trace.last_us : spans.end_us[i], to_us);
    if (begin_us >= end_us) {
      continue;
    }
    const std::int64_t gone =
        spans.kind[i] == Kind::kProductive ? lost_between(lost, begin_us, end_us) : 0;
    // Phases of a file that no run wrote may overlap: no sum goes beyond what fits.
    const auto add = [&sums](Kind kind, std::int64_t us) {
      std::int64_t& sum = sums.at(static_cast<std::size_t>(kind));
      if (__builtin_add_overflow(sum, us, &sum)) {
        sum = kOpen;
      }
    };
    add(spans.kind[i], end_us - begin_us - gone);
    add(Kind::kRolledBack, gone);
  }
  BucketTimes times;
  for (std::size_t i = 0; i < kKinds; ++i) {
    if (sums.at(i) > 0) {
      times.emplace_back(std::string(kKindNames.at(i)), sums.at(i));
    }
  }
  return times;
}

}  // namespace aftershock::gui
