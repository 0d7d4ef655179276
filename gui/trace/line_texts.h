#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "gui/trace/trace.h"

namespace aftershock::gui {

/// The text of one line of the recording that a trace was loaded from, without its newline: what a
/// record says beyond what the trace keeps. Reads at most kLinesPerMark lines, of a compressed file
/// also what stands before them in their frame. None for line 0, for one that the trace does not
/// have, and where the file is no longer there or no longer reaches that far.
std::optional<std::string> line_text(const Trace& trace, const std::string& path,
                                     std::uint32_t line);

/// The same for many lines in rising order, which cost one pass over the file. `take` gets the line
/// and its text; false: stop. Lines that are not there are passed over.
void line_texts(const Trace& trace, const std::string& path, std::span<const std::uint32_t> lines,
                const std::function<bool(std::uint32_t, std::string_view)>& take);

}  // namespace aftershock::gui
