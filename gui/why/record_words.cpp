#include "gui/why/record_words.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "reports/render/format.h"
#include "reports/render/json_words.h"

namespace aftershock::gui {

namespace {

/// The meanings of members' names for readers who do not know the format.
struct Word {
  std::string_view key;
  std::string_view name;
};
constexpr std::array kWords{Word{"epoch", "attempt"},        Word{"from_us", "progress before"},
                            Word{"to_us", "progress after"}, Word{"from_steps", "steps before"},
                            Word{"to_steps", "steps after"}, Word{"lost_us", "work lost"},
                            Word{"since_us", "since"},       Word{"nth", "time of its kind"}};

std::string name_for(std::string_view key, bool is_time) {
  const auto known = std::ranges::find(kWords, key, &Word::key);
  if (known != kWords.end()) {
    return std::string(known->name);
  }
  std::string name(is_time ? key.substr(0, key.size() - 3) : key);
  std::ranges::replace(name, '_', ' ');
  return name;
}

/// "[[0,31]]": ranges of ranks that were written as a text.
reports::JsonValue unwrapped(const reports::JsonValue& value) {
  if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    if (text.starts_with('[')) {
      reports::JsonValue list = reports::parsed(text);
      return list.is_array() ? list : value;
    }
  }
  return value;
}

std::string value_for(const std::string& key, const reports::JsonValue& value,
                      std::string_view what) {
  if (value.is_number_integer()) {
    const auto number = value.get<std::int64_t>();
    if (key == "from" && what == "attempt") {
      return number == 0 ? "the beginning" : fmt::format("checkpoint {}", number);
    }
    return key.ends_with("_us")     ? reports::format_duration(number)
           : key.ends_with("bytes") ? bytes_words(number)
                                    : reports::format_count(number);
  }
  return value == true ? "yes" : reports::value_in_words(unwrapped(value));
}

}  // namespace

std::vector<Told> told_by(const reports::JsonValue& record) {
  std::vector<Told> out;
  if (!record.is_object()) {
    return out;
  }
  const std::string what = reports::text_in(record, "what");
  for (const auto& [key, value] : record.items()) {
    const bool is_said = key == "r" || key == "t" || key == "on" || key == "what" || key == "id";
    if (is_said || reports::says_nothing(value)) {
      continue;
    }
    if ((key == "cause" || key == "fault") && value.is_number_integer()) {
      const auto number = value.get<std::int64_t>();
      const std::string common = common_cause(number);
      out.push_back({.name = "cause",
                     .value = common.empty() ? fmt::format("fault number {}", number) : common,
                     .is_fault = number >= 0});
      continue;
    }
    out.push_back({.name = name_for(key, key.ends_with("_us") && value.is_number_integer()),
                   .value = value_for(key, value, what)});
  }
  return out;
}

std::string common_cause(std::int64_t number) {
  constexpr std::array kCauses{"the first start", "a checkpoint", "a change of size",
                               "waiting in the queue", "the policy"};
  const bool is_known = number < 0 && number >= -static_cast<std::int64_t>(kCauses.size());
  return is_known ? kCauses.at(static_cast<std::size_t>(-1 - number)) : std::string();
}

std::string bytes_words(std::int64_t bytes) {
  constexpr std::array kUnits{"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 999.95 && unit + 1 < kUnits.size()) {
    value /= 1000;
    ++unit;
  }
  std::string number = fmt::format("{:.1f}", value);
  if (number.ends_with(".0")) {
    number.resize(number.size() - 2);
  }
  return number + " " + kUnits.at(unit);
}

}  // namespace aftershock::gui
