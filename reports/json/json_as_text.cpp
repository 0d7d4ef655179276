#include "reports/json/json_as_text.h"

#include <nlohmann/json.hpp>

namespace aftershock::reports {

template <class Json>
Json json_from_text(std::string_view text) {
  return Json::parse(text);
}

template <class Json>
Json json_or_discarded(std::string_view text) {
  return Json::parse(text, nullptr, false);
}

template <class Json>
std::string text_from_json(const Json& value, JsonLayout layout) {
  return value.dump(layout.indent, ' ', layout.ascii_only, Json::error_handler_t::replace);
}

template nlohmann::json json_from_text(std::string_view text);
template nlohmann::ordered_json json_from_text(std::string_view text);
template nlohmann::json json_or_discarded(std::string_view text);
template nlohmann::ordered_json json_or_discarded(std::string_view text);
template std::string text_from_json(const nlohmann::json& value, JsonLayout layout);
template std::string text_from_json(const nlohmann::ordered_json& value, JsonLayout layout);

}  // namespace aftershock::reports
