#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "gui/trace/trace.h"

namespace aftershock::gui {

/// The faults that ended attempts and phases: by lane of these, of each of its spans, kNone where
/// none did. A lane of phases of which no fault ended any has none.
using SpanEnds = std::map<std::uint32_t, std::vector<std::uint32_t>>;

/// A fault ended an attempt where the phase that began then, or else the one in which the attempt
/// ended, names it as its cause; and a phase where the next one begins as it ends and names another
/// cause than it does. Takes time for the attempts, the phases and what faults brought about.
SpanEnds span_ends(const Trace& trace);

}  // namespace aftershock::gui
