#include "reports/render/json_words.h"

#include <algorithm>
#include <string_view>

#include "reports/json/json_as_text.h"
#include "reports/render/format.h"

namespace aftershock::reports {

namespace {

/// A list as long as this is told by its beginning and its length.
constexpr std::size_t kItemsMax = 8;

std::string spaced(std::string text) {
  std::ranges::replace(text, '_', ' ');
  return text;
}

/// [[0,31],[40,40]] as "0-31, 40".
bool is_range(const JsonValue& value) {
  return value.is_array() && value.size() == 2 && value[0].is_number_integer() &&
         value[1].is_number_integer();
}

std::string value_words(const JsonValue& value, bool is_time);

std::string list_words(const JsonValue& list) {
  std::string out;
  const std::size_t shown = std::min(list.size(), kItemsMax);
  for (std::size_t i = 0; i < shown; ++i) {
    out +=
        (i == 0 ? "" : ", ") +
        (is_range(list[i]) ? text_from_json(list[i][0]) +
                                 (list[i][0] == list[i][1] ? "" : "-" + text_from_json(list[i][1]))
                           : value_words(list[i], false));
  }
  if (list.size() > shown) {
    out += ", ... (" + std::to_string(list.size()) + " in all)";
  }
  return out;
}

std::string member_words(const JsonValue& record) {
  std::string out;
  for (const auto& [key, value] : record.items()) {
    if (key == "type" || key == "job" || key == "id" || says_nothing(value)) {
      continue;
    }
    const bool is_time = key.ends_with("_us") && value.is_number_integer();
    out += out.empty() ? "" : ", ";
    out += spaced(is_time ? key.substr(0, key.size() - 3) : key);
    if (value != true) {
      out += " " + value_words(value, is_time);
    }
  }
  return out;
}

std::string value_words(const JsonValue& value, bool is_time) {
  if (is_time) {
    return format_duration(value.get<std::int64_t>());
  }
  if (value.is_string()) {
    return value.get<std::string>();
  }
  if (value.is_array()) {
    return list_words(value);
  }
  return value.is_object() ? "(" + member_words(value) + ")" : text_from_json(value);
}

}  // namespace

bool says_nothing(const JsonValue& value) {
  return value.is_null() || value == false ||
         ((value.is_array() || value.is_object()) && value.empty()) ||
         (value.is_string() && value.get_ref<const std::string&>().empty());
}

std::string value_in_words(const JsonValue& value) { return value_words(value, false); }

std::string in_words(const JsonValue& record) {
  const std::string type = spaced(text_in(record, "type"));
  const std::string members = record.is_object() ? member_words(record) : std::string();
  return members.empty() ? type : type.empty() ? members : type + ": " + members;
}

}  // namespace aftershock::reports
