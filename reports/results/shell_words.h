#pragma once

#include <string_view>

namespace aftershock::reports {

/// Whether a shell takes the text for words and spaces between them, and does nothing else: each is
/// plain or quoted, as shell_word (reports/render/format.h) writes it.
bool are_shell_words(std::string_view text);

}  // namespace aftershock::reports
