#include "gui/export/causes.h"

#include <algorithm>
#include <tuple>

#include "base/assert.h"

namespace aftershock::gui {

namespace {

auto place_of(const Effect& effect) { return std::tuple(effect.lane, effect.span); }

}  // namespace

Causes::Causes(const Trace& trace, const std::vector<std::uint32_t>& lanes) : trace_(trace) {
  for (std::uint32_t i = 0; i < trace.effects.size(); ++i) {
    if (std::ranges::binary_search(lanes, trace.effects[i].lane)) {
      by_span_.push_back(i);
    }
  }
  std::ranges::sort(by_span_, {}, [&](std::uint32_t i) { return place_of(trace_.effects[i]); });
}

std::optional<std::uint32_t> Causes::effect_of(std::uint32_t lane, std::uint32_t span) const {
  const auto found =
      std::ranges::lower_bound(by_span_, std::tuple(lane, span), {},
                               [&](std::uint32_t i) { return place_of(trace_.effects[i]); });
  return found != by_span_.end() && place_of(trace_.effects[*found]) == std::tuple(lane, span)
             ? std::optional(*found)
             : std::nullopt;
}

TextId Causes::fault_id_of(std::uint32_t lane, std::uint32_t span) const {
  AFTERSHOCK_ASSERT(lane < trace_.lanes.size() && span < trace_.lanes[lane].columns.size());
  const Lane& of = trace_.lanes[lane];
  if (of.sub == SubLane::kFaults) {
    return trace_.faults[of.columns.numbers()[span]].id;
  }
  if (const auto effect = effect_of(lane, span)) {
    return trace_.faults[trace_.effects[*effect].fault].id;
  }
  return of.sub == SubLane::kDecisions ? trace_.decisions[of.columns.numbers()[span]].fault
                                       : kNoText;
}

}  // namespace aftershock::gui
