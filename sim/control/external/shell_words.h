#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace aftershock::sim::control {

/// Splits a command line into words as a shell quotes them: blanks part words, '...' is taken as it
/// is, "..." with \" and \\, and \ takes the next character as it is. Nothing is expanded and no
/// shell takes part. An error in words where a quote does not end or there is no word.
std::variant<std::vector<std::string>, std::string> split_words(std::string_view text);

}  // namespace aftershock::sim::control
