#include "sim/scenario/error.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace aftershock::sim {

std::string format(const ScenarioError& error) {
  std::string text = error.file;
  if (error.line != 0) text += fmt::format(":{}:{}", error.line, error.column);
  if (!error.pointer.empty()) text += ": " + error.pointer;
  text += ": " + error.message;
  if (!error.expected.empty()) text += "; expected " + error.expected;
  if (!error.nearest.empty()) text += fmt::format("; did you mean {}?", in_quotes(error.nearest));
  return text;
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 80;
  const bool cut = text.size() > kLongest;
  if (cut) {
    std::size_t end = kLongest;
    // Not in the middle of a character: its later bytes are 10xxxxxx.
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
    text = text.substr(0, end);
  }
  using Json = nlohmann::json;
  const std::string dumped =
      Json(std::string(text)).dump(-1, ' ', false, Json::error_handler_t::replace);
  return cut ? dumped.substr(0, dumped.size() - 1) + "...\"" : dumped;
}

void append_to_pointer(std::string& pointer, std::string_view key) {
  pointer += '/';
  for (const char c : key) {
    if (c == '~') {
      pointer += "~0";
    } else if (c == '/') {
      pointer += "~1";
    } else {
      pointer += c;
    }
  }
}

}  // namespace aftershock::sim
