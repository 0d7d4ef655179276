#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/assert.h"
#include "gui/scene/scene.h"
#include "gui/view/view_state.h"
#include "reports/render/trace_writer.h"

namespace aftershock::gui {

/// Takes what is written, piece by piece.
using reports::ByteSink;

/// The part of a run that is exported.
struct Choice {
  std::vector<std::uint32_t> lanes;     ///< of the trace, in its order
  std::vector<std::uint32_t> counters;  ///< numbers for Scene::counter
  TimeRange range;                      ///< that spans have to meet

  /// Whether a span of a lane is in it: it meets the range, or is an instant in it.
  [[nodiscard]] bool takes(const LaneSpans& spans, std::size_t span) const;
};

/// The selection: the lane, of a group all lanes in it, over the selected time; where only a time
/// is selected all lanes. Without a selection all lanes over the time in view. A selected instant
/// is a microsecond long.
Choice choice_of(const Scene& scene, const ViewState& state);

/// The spans of a lane that are in the choice, by their numbers, in order.
template <class Visit>
bool for_chosen_spans(const Trace& trace, const Choice& choice, std::uint32_t lane, Visit&& visit) {
  AFTERSHOCK_ASSERT(lane < trace.lanes.size());
  const LaneColumns& columns = trace.lanes[lane].columns;
  const LaneSpans spans = columns.spans();
  const auto [first, last] = columns.overlapping(choice.range.begin_us, choice.range.end_us);
  for (std::size_t i = first; i < last; ++i) {
    if (choice.takes(spans, i) && !visit(static_cast<std::uint32_t>(i))) {
      return false;
    }
  }
  return true;
}

}  // namespace aftershock::gui
