#pragma once

#include <cstdint>

#include "gui/trace/trace.h"

namespace aftershock::gui {

/// Something in a recording that can be gone to; kNone where it has no such part.
struct Place {
  std::int64_t t_us = 0;
  std::uint32_t entity = kNone;
  std::uint32_t lane = kNone;
  std::uint32_t span = kNone;      ///< in that lane; an instant, too
  std::uint32_t fault = kNone;     ///< among the trace's
  std::uint32_t decision = kNone;  ///< among the trace's

  friend bool operator==(const Place&, const Place&) = default;
};

/// The place of a span; one that is not there has no lane.
Place place_of_span(const Trace& trace, std::uint32_t lane, std::uint32_t span);
/// The place of a fault or decision; nowhere where there is none.
Place place_of_fault(const Trace& trace, std::uint32_t fault);
Place place_of_decision(const Trace& trace, std::uint32_t decision);

}  // namespace aftershock::gui
