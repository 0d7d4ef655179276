#pragma once

#include <QString>
#include <cstdint>
#include <optional>

#include "gui/lanes/lane_key.h"
#include "gui/scene/scene.h"

namespace aftershock::gui {

/// A span of a lane of the trace.
struct SpanAt {
  std::uint32_t lane = kNone;
  std::uint32_t span = 0;
};

/// A time of the run, or a length of time: "2d 03:12:07".
QString time_text(std::int64_t t_us);
/// The words for a span, a few: "waiting for capacity", "attempt 3", "node_crash".
QString short_text(const Scene& scene, SpanAt at);
/// The same for a tooltip, in lines of plain text: what, where, from when to when.
QString long_text(const Scene& scene, SpanAt at);
/// A lane's name with what tells it from others: "job:llm attempts", "node:gpu-3".
QString lane_text(const Scene& scene, const LaneKey& lane);
/// A kind as a user reads it: "waiting for capacity".
QString kind_text(Kind kind);

/// Of the spans of the lanes in `node` that meet [from_us, to_us) the one that is meant: the most
/// severe, of those the shortest.
std::optional<SpanAt> span_at(const Scene& scene, std::uint32_t node, std::int64_t from_us,
                              std::int64_t to_us);

}  // namespace aftershock::gui
