#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// Appending JSON by hand: a recording has millions of lines, and none may need an allocation.
namespace aftershock::reports {

void append_integer(std::string& out, std::int64_t value);
void append_unsigned(std::string& out, std::uint64_t value);

/// The text in quotes. What is not UTF-8 becomes U+FFFD, so that the result always is.
void append_json_string(std::string& out, std::string_view text);

/// 16 lower-case hex digits.
std::string hex16(std::uint64_t value);

}  // namespace aftershock::reports
