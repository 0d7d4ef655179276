#include "gui/panels/chain.h"

#include <algorithm>

#include "gui/why/cause_and_effect.h"

namespace aftershock::gui {

namespace {

std::optional<std::uint32_t> fault_behind(const Trace& trace, const Place& place) {
  return place.decision != kNone ? fault_of_decision(trace, place.decision)
                                 : fault_of_span(trace, place.lane, place.span);
}

}  // namespace

std::vector<Place> chain_of(const Trace& trace, std::uint32_t fault) {
  std::vector<Place> chain;
  if (fault >= trace.faults.size()) {
    return chain;
  }
  const FaultCard card = fault_card(trace, {}, fault);
  for (const Effect& effect : card.effects) {
    chain.push_back(place_of_span(trace, effect.lane, effect.span));
  }
  for (const std::uint32_t decision : card.decisions) {
    chain.push_back(place_of_decision(trace, decision));
  }
  std::ranges::stable_sort(chain, {}, &Place::t_us);
  return chain;
}

Place to_effect(const Trace& trace, const Place& place) {
  if (place.fault != kNone) {
    const std::vector<Place> chain = chain_of(trace, place.fault);
    return chain.empty() ? Place() : chain.front();
  }
  const auto fault = fault_behind(trace, place);
  if (!fault) {
    return {};
  }
  const std::vector<Place> chain = chain_of(trace, *fault);
  const auto here = std::ranges::find_if(chain, [&place](const Place& each) {
    return place.decision != kNone ? each.decision == place.decision
                                   : each.lane == place.lane && each.span == place.span;
  });
  return here == chain.end() || here + 1 == chain.end() ? Place() : *(here + 1);
}

Place to_cause(const Trace& trace, const Place& place) {
  const auto fault = place.fault != kNone ? std::nullopt : fault_behind(trace, place);
  return fault ? place_of_fault(trace, *fault) : Place();
}

}  // namespace aftershock::gui
