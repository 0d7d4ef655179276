#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "gui/lanes/directory.h"
#include "gui/lod/extremes.h"
#include "gui/lod/pyramid.h"
#include "gui/trace/trace.h"

namespace aftershock::gui {

/// The kinds of a node that is out of service.
inline constexpr KindMask kOutKinds =
    mask_of(Kind::kDown) | mask_of(Kind::kIsolated) | mask_of(Kind::kRepairing);

/// How many nodes of a pool or rack are out of service, over time.
struct OutCount {
  Counter samples;  ///< of nobody; a value for each change, from 0 on
  ExtremeLevels levels;
  std::int64_t of = 0;  ///< nodes that the group has
};

/// From the spans of the states of each node. A node counts once however many of its spans overlap.
/// None where the lanes have more than `most_spans` of them: it takes time for all of them.
std::optional<OutCount> count_out(std::span<const LaneSpans> nodes, std::int64_t of,
                                  std::size_t most_spans);

/// How many nodes a pool or rack has by the header; none for other lanes.
std::optional<std::int64_t> nodes_of(const Directory& directory, const LaneKey& group);

}  // namespace aftershock::gui
