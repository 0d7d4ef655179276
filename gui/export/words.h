#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "gui/trace/trace.h"
#include "gui/why/decision_titles.h"

namespace aftershock::gui {

/// The part of an entity that a lane shows: "phases", "attempts", ...
std::string_view name_of(SubLane sub);

/// A text of a recording as it stands in an exported file: valid UTF-8 without control characters.
std::string exported_text(std::string_view text);

/// The name of a span, an instant, a fault or a decision, in the words of the event table.
std::string exported_what(const Trace& trace, std::uint32_t lane, std::uint32_t span);

/// Its other facts: of a fault its name and target, of a decision its rules.
std::string exported_detail(const Trace& trace, const DecisionTitles& titles, std::uint32_t lane,
                            std::uint32_t span);

/// The attempt or checkpoint that it is, as digits; else empty.
std::string exported_number(const Trace& trace, std::uint32_t lane, std::uint32_t span);

}  // namespace aftershock::gui
