#pragma once

#include <optional>
#include <string_view>

namespace aftershock::gui {

/// How well `text` answers to `typed`: none unless all letters of `typed` are in it, in their
/// order, whatever their case (of ASCII); spaces in `typed` are passed over. More is better:
/// letters that follow each other, begin words or the text, and a short text.
std::optional<int> fuzzy_score(std::string_view typed, std::string_view text);

}  // namespace aftershock::gui
