#include "sim/scenario/text/error.h"

#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"

namespace aftershock::sim::scenario {

namespace {

/// Keys and file names may hold line breaks and worse; an error is one line, and harmless.
std::string without_control_characters(std::string_view text) {
  std::string clean;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      clean += fmt::format("\\u{:04x}", byte);
    } else {
      clean += c;
    }
  }
  return clean;
}

/// The longest beginning of at most `longest` bytes that does not end within a character.
std::string_view beginning(std::string_view text, std::size_t longest) {
  if (text.size() <= longest) return text;
  // The later bytes of a character are 10xxxxxx.
  while (longest > 0 && (static_cast<unsigned char>(text[longest]) & 0xC0U) == 0x80U) --longest;
  return text.substr(0, longest);
}

}  // namespace

std::string_view name_of(ErrorKind kind) {
  constexpr std::array<std::string_view, 5> kNames{"file", "json", "form", "meaning", "argument"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string format(const ScenarioError& error) {
  constexpr std::size_t kLongestPointer = 1000;
  std::string text = error.file;
  if (error.line != 0) text += fmt::format(":{}:{}", error.line, error.column);
  if (!error.pointer.empty()) {
    const std::string_view shown = beginning(error.pointer, kLongestPointer);
    text += fmt::format(": {}{}", shown, shown.size() < error.pointer.size() ? "..." : "");
  }
  text += ": " + error.message;
  if (!error.expected.empty()) text += "; expected " + error.expected;
  if (!error.nearest.empty()) text += fmt::format("; did you mean {}?", in_quotes(error.nearest));
  return without_control_characters(text);
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 80;
  const bool cut = text.size() > kLongest;
  text = beginning(text, kLongest);
  using Json = nlohmann::json;
  const std::string dumped = policies::text_from_json(Json(std::string(text)));
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

}  // namespace aftershock::sim::scenario
