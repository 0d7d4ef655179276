#include "policies/parts/integer_text.h"

#include <charconv>

namespace aftershock::policies {

std::optional<std::int64_t> integer_from_text(std::string_view text) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stopped != end) {
    return std::nullopt;
  }
  return value;
}

}  // namespace aftershock::policies
