#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "gui/trace/trace.h"

namespace aftershock::gui {

/// The faults that ended attempts: by lane of attempts, of each of its spans, kNone where none did.
using AttemptEnds = std::map<std::uint32_t, std::vector<std::uint32_t>>;

/// A fault ended an attempt where the phase that began then, or else the one in which the attempt
/// ended, names it as its cause. Takes time for the attempts, the phases and what faults brought
/// about.
AttemptEnds attempt_ends(const Trace& trace);

}  // namespace aftershock::gui
