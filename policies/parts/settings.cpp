#include "policies/parts/settings.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "policies/parts/config_values.h"

namespace aftershock::policies {
namespace {

const nlohmann::json& no_settings() {
  static const nlohmann::json kNone = nlohmann::json::object();
  return kNone;
}

}  // namespace

Settings::Settings(const nlohmann::json& object, std::string pointer,
                   std::vector<ConfigIssue>& errors)
    : object_(object.is_object() ? &object : &no_settings()),
      pointer_(std::move(pointer)),
      errors_(&errors) {
  if (!object.is_object() && !object.is_null()) {
    errors.push_back({pointer_, shown(object), "an object", {}});
  }
}

const nlohmann::json* Settings::member(std::string_view name) {
  asked_.push_back(name);
  const auto found = object_->find(name);
  return found == object_->end() ? nullptr : &*found;
}

bool Settings::has(std::string_view name) const { return object_->contains(name); }

std::string Settings::pointer_of(std::string_view name) const { return pointer_to(pointer_, name); }

void Settings::refuse(std::string_view name, std::string expected) {
  errors_->push_back({pointer_of(name), shown(*object_->find(name)), std::move(expected), {}});
}

void Settings::seconds(std::string_view name, DurationUs& out) {
  if (const auto* value = member(name)) {
    read_seconds_value(pointer_of(name), *value, out, *errors_);
  }
}

void Settings::seconds(std::string_view name, std::optional<DurationUs>& out) {
  const auto* value = member(name);
  if (value == nullptr) {
    return;
  }
  if (value->is_null()) {
    out.reset();
    return;
  }
  DurationUs read = out.value_or(0);
  read_seconds_value(pointer_of(name), *value, read, *errors_);
  out = read;
}

void Settings::count(std::string_view name, std::uint32_t least, std::uint32_t& out) {
  const auto* value = member(name);
  if (value == nullptr) {
    return;
  }
  const auto number = integer_value(*value);
  if (!number || *number < least || *number > INT32_MAX) {
    refuse(name, number && *number > INT32_MAX ? "an integer from " + std::to_string(least) +
                                                     " to " + std::to_string(INT32_MAX)
                                               : "an integer of at least " + std::to_string(least));
    return;
  }
  out = static_cast<std::uint32_t>(*number);
}

void Settings::count(std::string_view name, std::uint32_t least,
                     std::optional<std::uint32_t>& out) {
  if (const auto* value = member(name)) {
    read_count(pointer_of(name), *value, least, "none", out, *errors_);
  }
}

void Settings::word(std::string_view name, std::span<const std::string_view> words,
                    std::size_t& out) {
  const auto* value = member(name);
  if (value == nullptr) {
    return;
  }
  const std::string text = value->is_string() ? value->get<std::string>() : std::string();
  const auto found = std::ranges::find(words, std::string_view(text));
  if (found != words.end()) {
    out = static_cast<std::size_t>(found - words.begin());
    return;
  }
  std::string expected = "one of ";
  for (const std::string_view word : words) {
    expected += (word == words.front() ? "\"" : ", \"") + std::string(word) + '"';
  }
  errors_->push_back({pointer_of(name), shown(*value), std::move(expected),
                      std::string(nearest_name(text, words))});
}

void Settings::without_effect(std::initializer_list<std::string_view> names, std::string_view why,
                              std::vector<ConfigIssue>& warnings) {
  for (const std::string_view name : names) {
    if (member(name) != nullptr) {
      warnings.push_back({pointer_of(name), "no effect here: " + std::string(why), {}, {}});
    }
  }
}

void Settings::not_modelled(std::initializer_list<std::string_view> names, std::string_view why,
                            Findings& findings) {
  for (const std::string_view name : names) {
    if (member(name) != nullptr) {
      warn_not_modelled(pointer_of(name), why, findings);
    }
  }
}

Settings Settings::object(std::string_view name) {
  const auto* value = member(name);
  return {value == nullptr ? no_settings() : *value, pointer_of(name), *errors_};
}

void Settings::finish(std::string_view expected) {
  for (const auto& item : object_->items()) {
    if (std::ranges::find(asked_, std::string_view(item.key())) == asked_.end()) {
      errors_->push_back({pointer_of(item.key()), "no such setting", std::string(expected),
                          std::string(nearest_name(item.key(), asked_))});
    }
  }
}

}  // namespace aftershock::policies
