#include "sim/control/external/line_faults.h"

#include <algorithm>
#include <cstddef>
#include <variant>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/api/json.h"
#include "policies/api/json_as_text.h"

namespace aftershock::sim::control {

std::string shown_line(std::string_view text) {
  std::string plain(text);
  std::ranges::replace_if(
      plain, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }, ' ');
  std::string out;
  // By way of JSON, whose printer replaces bytes that are not UTF-8.
  policies::append_json_string(out, plain);
  return policies::json_from_text(out).get<std::string>();
}

std::string quote(std::string_view text) {
  constexpr std::size_t kLongest = 160;
  std::string_view kept = text.substr(0, std::min(text.find('\n'), kLongest));
  // Not within a character.
  while (kept.size() < text.size() && !kept.empty() && (text[kept.size()] & '\xC0') == '\x80') {
    kept.remove_suffix(1);
  }
  return fmt::format("\"{}\"{}", shown_line(kept), kept.size() < text.size() ? "..." : "");
}

std::string whole_error(std::string_view text) {
  constexpr std::size_t kShort = 160;
  constexpr std::size_t kMost = 4096;
  while (text.ends_with('\n') || text.ends_with('\r')) {
    text.remove_suffix(1);
  }
  if (text.size() <= kShort && text.find('\n') == std::string_view::npos) {
    return " " + quote(text);
  }
  std::string_view kept = text.substr(0, kMost);
  while (kept.size() < text.size() && !kept.empty() && (text[kept.size()] & '\xC0') == '\x80') {
    kept.remove_suffix(1);  // not within a character
  }
  std::string out;
  for (std::string_view left = kept;;) {
    const std::size_t end = left.find('\n');
    out += "\n  | " + shown_line(left.substr(0, end));
    if (end == std::string_view::npos) {
      break;
    }
    left.remove_prefix(end + 1);
  }
  if (kept.size() < text.size()) {
    out += fmt::format("\n  the first {} of {} bytes", kept.size(), text.size());
  }
  return out;
}

std::string why_no_object(std::string_view line, std::string_view what) {
  if (line.find_first_not_of(" \t\r") == std::string_view::npos) {
    return fmt::format("answered {} with an empty line", what);
  }
  // Printing replaces bytes that are not UTF-8: a mark which the line itself lacks gives them away.
  constexpr std::string_view kReplaced = "\xEF\xBF\xBD";
  std::string printed;
  policies::append_json_string(printed, line);
  if (printed.find(kReplaced) != std::string::npos && line.find(kReplaced) == line.npos) {
    return fmt::format("answered {} with what is not UTF-8: {}", what, quote(line));
  }
  const auto parsed = policies::parse_json(line);
  if (const auto* issue = std::get_if<policies::Issue>(&parsed)) {
    // A line that begins like a message was meant to be one.
    return line.starts_with('{')
               ? fmt::format("answered {} with what is {}: {}", what, issue->message, quote(line))
               : fmt::format(
                     "wrote to its standard output a line that is not a message: {}; policies must "
                     "log to stderr",
                     quote(line));
  }
  return fmt::format("answered {} with {}; expected a JSON object", what, quote(line));
}

}  // namespace aftershock::sim::control
