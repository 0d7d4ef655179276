#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace aftershock::gui {

/// A text of a recording made fit to be shown as plain text: valid UTF-8 of at most `max_glyphs`
/// code points (the last an ellipsis where something is missing), without anything that would hide,
/// reorder or break a line. A byte or code point that cannot be shown so is written as \x1b or
/// \u202e. A caller that shows it as rich text must still escape markup.
std::string display_text(std::string_view bytes, std::size_t max_glyphs = 200);

}  // namespace aftershock::gui
