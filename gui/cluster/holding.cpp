#include "gui/cluster/holding.h"

#include <algorithm>

namespace aftershock::gui {

Holding holding_at(const LaneColumns& lane, std::int64_t t_us) {
  Holding holding;
  const LaneSpans spans = lane.spans();
  if (spans.empty() || t_us == kOpen) {
    return holding;
  }
  const auto [first, last] = lane.overlapping(t_us, t_us + 1);
  if (last < spans.size()) {
    holding.until_us = spans.begin_us[last];
  }
  if (last > 0) {
    holding.since_us = spans.begin_us[last - 1];
  }
  if (first > 0) {
    holding.since_us = std::max(holding.since_us, lane.latest_end_us(first));
  }
  for (std::size_t i = first; i < last; ++i) {
    const std::int64_t end = spans.end_us[i];
    if (end > t_us) {
      holding.kinds |= mask_of(spans.kind[i]);
      holding.until_us = std::min(holding.until_us, end);
    } else {
      holding.since_us = std::max(holding.since_us, end);
    }
  }
  return holding;
}

}  // namespace aftershock::gui
