#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "gui/lod/lane_lod.h"

namespace aftershock::gui {

/// Until when the spans of each kind last that have been met on the way through a lane. A kind is
/// there at t if one of its spans began before and this is later than t: so overlapping, nested and
/// crossing spans need no list of what is open.
struct Reach {
  std::array<std::int64_t, 32> of_us;
  KindMask kinds = 0;  ///< those that have been met, and may be there

  std::int64_t& operator[](Kind kind) { return of_us[static_cast<std::size_t>(kind)]; }

  /// Another span.
  void meet(Kind kind, std::int64_t end_us) {
    std::int64_t& reach = (*this)[kind];
    reach = has(kinds, kind) ? std::max(reach, end_us) : end_us;
    kinds |= mask_of(kind);
  }
  /// Forgets what has ended by `t_us`; what is left is there at `t_us`.
  KindMask leave(std::int64_t t_us) {
    for_each_kind(kinds, [&](Kind kind) {
      if ((*this)[kind] <= t_us) {
        kinds &= ~mask_of(kind);
      }
    });
    return kinds;
  }
};

/// After the first `count` spans of the lane, as far as it lasts beyond `t_us`; takes the same time
/// wherever that is.
inline void reach_after(const LaneView& lane, std::size_t count, std::int64_t t_us, Reach& reach) {
  reach.kinds = 0;
  std::size_t from = 0;
  if (lane.lod->sequential) {
    from = count == 0 ? 0 : count - 1;
  } else if (!lane.lod->reach_us.empty()) {
    const auto kinds = static_cast<std::size_t>(__builtin_popcount(lane.lod->kinds));
    // Behind the last of a multiple of 64 spans there is none.
    const std::size_t entry = std::min(count / kReachSpans, lane.lod->reach_us.size() / kinds - 1);
    from = entry * kReachSpans;
    for_each_kind(lane.lod->kinds, [&, at = entry * kinds](Kind kind) mutable {
      const std::int64_t end_us = lane.lod->reach_us[at++];
      if (end_us > t_us) {
        reach.meet(kind, end_us);
      }
    });
  }
  for (std::size_t i = from; i < count; ++i) {
    if (lane.spans.end_us[i] > t_us) {
      reach.meet(lane.spans.kind[i], lane.spans.end_us[i]);
    }
  }
}

}  // namespace aftershock::gui
