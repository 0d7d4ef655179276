#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/assert.h"
#include "gui/trace/display_text.h"
#include "gui/trace/find.h"
#include "gui/trace/loader.h"

using namespace aftershock::gui;

namespace {

void check(const Trace& trace, std::size_t size) {
  std::int64_t spans = 0;
  for (const Lane& lane : trace.lanes) {
    const LaneSpans all = lane.columns.spans();
    AFTERSHOCK_ASSERT(!all.empty());
    AFTERSHOCK_ASSERT(lane_of(trace, lane.entity, lane.sub) == &lane);
    for (std::size_t i = 0; i < all.size(); ++i) {
      AFTERSHOCK_ASSERT(all.begin_us[i] <= all.end_us[i]);
      AFTERSHOCK_ASSERT(i == 0 || all.begin_us[i - 1] <= all.begin_us[i]);
      AFTERSHOCK_ASSERT(sub_lane_of(all.kind[i]) == lane.sub);
    }
    const auto [first, last] = lane.columns.overlapping(0, trace.last_us / 2);
    AFTERSHOCK_ASSERT(first <= last && last <= all.size());
    spans += static_cast<std::int64_t>(all.size());
    display_text(trace.entities[lane.entity], 40);
  }
  AFTERSHOCK_ASSERT(spans == trace.spans);
  for (const Effect& effect : trace.effects) {
    AFTERSHOCK_ASSERT(effect.fault < trace.faults.size());
    AFTERSHOCK_ASSERT(effect.span < trace.lanes[effect.lane].columns.size());
  }
  for (const RolledBack& lost : trace.rolled_back) {
    AFTERSHOCK_ASSERT(lost.begin_us <= lost.end_us && lost.end_us <= lost.at_us);
  }
  for (const Counter& counter : trace.counters) {
    value_at(counter, trace.last_us);
    AFTERSHOCK_ASSERT(counter.t_us.size() == counter.value.size());
  }
  // Every span, text and number comes from a line of its own.
  AFTERSHOCK_ASSERT(trace.compressed || static_cast<std::size_t>(trace.spans) <= size);
}

}  // namespace

// A trace loaded from any bytes is in order, and no more than they can hold.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  Trace trace;
  Loader loader(trace, std::make_unique<aftershock::reports::MemoryBytes>(bytes), "fuzz");
  while (loader.wait()) {
    loader.take();
  }
  AFTERSHOCK_ASSERT(!trace.reading);
  check(trace, size);
  return 0;
}
