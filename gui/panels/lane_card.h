#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "gui/scene/scene.h"
#include "gui/view/time_range.h"
#include "gui/why/accounts.h"

namespace aftershock::gui {

/// A lane, or a group of lanes, in numbers.
struct LaneCard {
  std::string name;                                ///< as key_of reads it
  std::vector<std::string> above;                  ///< the groups that it is in, from the top
  std::int64_t lanes = 0;                          ///< that have something of their own
  std::array<std::int64_t, kSubLanes> spans = {};  ///< of the whole run, by SubLane
  TimeRange shown;                                 ///< the range of the times
  /// How long each kind lasted in it, the longest first; lanes side by side are added up, and work
  /// that was lost counts as rolled back.
  BucketTimes us;
  bool is_whole = true;  ///< else there are too many spans in view to count
};

/// So many spans are counted at most.
inline constexpr std::int64_t kCountedSpans = 500'000;

/// Of a lane of the tree; one that is not there has no name.
LaneCard lane_card(const Scene& scene, const LaneKey& lane, const TimeRange& shown);

}  // namespace aftershock::gui
