#include "gui/why/range_times.h"

#include <algorithm>
#include <array>

namespace aftershock::gui {

BucketTimes range_times(const Trace& trace, std::uint32_t entity, std::int64_t from_us,
                        std::int64_t to_us) {
  const Lane* phases = lane_of(trace, entity, SubLane::kPhases);
  if (phases == nullptr || from_us >= to_us) {
    return {};
  }
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
        spans.kind[i] == Kind::kProductive ? trace.lost.lost_us(entity, begin_us, end_us) : 0;
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
