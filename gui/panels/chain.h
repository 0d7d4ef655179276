#pragma once

#include <vector>

#include "gui/panels/place.h"

namespace aftershock::gui {

/// The chain of a fault, in the order of time: the spans with it for their cause and the decisions
/// that answer it.
std::vector<Place> chain_of(const Trace& trace, std::uint32_t fault);

/// One on in the chain of a fault: from the fault to its beginning, from a decision or span in it
/// to the next. Place() where there is none.
Place to_effect(const Trace& trace, const Place& place);

/// From a decision or span to the fault behind it; Place() where there is none.
Place to_cause(const Trace& trace, const Place& place);

}  // namespace aftershock::gui
