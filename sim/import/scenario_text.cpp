#include "sim/import/scenario_text.h"

#include <string_view>

#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"

namespace aftershock::sim::imports {

namespace {

using Json = nlohmann::ordered_json;

std::string on_one_line(const Json& json) { return policies::text_from_json(json); }

/// A list, an element a line.
std::string list_text(const Json& list) {
  std::string text = "[";
  for (const Json& element : list) {
    text += (text.size() > 1 ? ",\n  " : "\n  ") + on_one_line(element);
  }
  return text + (text.size() > 1 ? "\n ]" : "]");
}

/// Indented by one level more than it would be by itself.
std::string nested_text(const Json& json) {
  std::string text;
  for (const char c : policies::text_from_json(json, {.indent = 1})) {
    text += c;
    if (c == '\n') {
      text += ' ';
    }
  }
  return text;
}

}  // namespace

std::string scenario_file_text(const Json& scenario) {
  std::string text = "{";
  for (const auto& [key, value] : scenario.items()) {
    const bool rows = value.is_array() && (key == "faults" || key == "notes" || key == "expect");
    text += text.size() > 1 ? ",\n " : "\n ";
    text += on_one_line(key) + ": " + (rows ? list_text(value) : nested_text(value));
  }
  return text + "\n}\n";
}

}  // namespace aftershock::sim::imports
