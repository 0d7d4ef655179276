#include "gui/panels/place.h"

#include <algorithm>

namespace aftershock::gui {

namespace {

/// The span of an instant among those of its time.
Place place_in(const Trace& trace, std::uint32_t entity, SubLane sub, std::int64_t t_us,
               std::uint32_t number) {
  Place place{.t_us = t_us, .entity = entity};
  const Lane* lane = lane_of(trace, entity, sub);
  if (lane == nullptr) {
    return place;
  }
  const auto numbers = lane->columns.numbers();
  // They are as many as there are spans, and rise with them.
  const auto found = std::ranges::lower_bound(numbers, number);
  if (found != numbers.end() && *found == number) {
    place.lane = static_cast<std::uint32_t>(lane - trace.lanes.data());
    place.span = static_cast<std::uint32_t>(found - numbers.begin());
  }
  return place;
}

}  // namespace

Place place_of_span(const Trace& trace, std::uint32_t lane, std::uint32_t span) {
  if (lane >= trace.lanes.size() || span >= trace.lanes[lane].columns.size()) {
    return {};
  }
  const Lane& of = trace.lanes[lane];
  Place place{
      .t_us = of.columns.spans().begin_us[span], .entity = of.entity, .lane = lane, .span = span};
  if (of.sub == SubLane::kFaults) {
    place.fault = of.columns.numbers()[span];
  } else if (of.sub == SubLane::kDecisions) {
    place.decision = of.columns.numbers()[span];
  }
  return place;
}

Place place_of_fault(const Trace& trace, std::uint32_t fault) {
  if (fault >= trace.faults.size()) {
    return {};
  }
  const Fault& of = trace.faults[fault];
  Place place = place_in(trace, of.entity, SubLane::kFaults, of.t_us, fault);
  place.fault = fault;
  return place;
}

Place place_of_decision(const Trace& trace, std::uint32_t decision) {
  if (decision >= trace.decisions.size()) {
    return {};
  }
  const Decision& of = trace.decisions[decision];
  Place place = place_in(trace, of.entity, SubLane::kDecisions, of.t_us, decision);
  place.decision = decision;
  return place;
}

}  // namespace aftershock::gui
