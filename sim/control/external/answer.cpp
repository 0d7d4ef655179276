#include "sim/control/external/answer.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/api/json.h"
#include "sim/control/external/line_faults.h"

namespace aftershock::sim::control {

bool too_large(const nlohmann::json& value) {
  constexpr std::uint64_t kLargest = std::uint64_t{1} << 53U;
  if (value.is_number_unsigned()) {
    return value.get<std::uint64_t>() > kLargest;
  }
  return value.is_structured() && std::ranges::any_of(value, too_large);
}

std::variant<nlohmann::json, std::string> parse_answer(std::string_view line, std::string_view what,
                                                       std::string_view type,
                                                       std::string_view or_type) {
  auto parsed = policies::parse_json(line);
  auto* json = std::get_if<nlohmann::json>(&parsed);
  if (json == nullptr || !json->is_object()) {
    // JSON by the letter that ours refuses, such as a key that comes twice: the reason helps more
    // than the line.
    const auto* issue = std::get_if<policies::Issue>(&parsed);
    return issue != nullptr && line.starts_with('{') && nlohmann::json::accept(line)
               ? fmt::format("answered {} with JSON that is not: {}", what, issue->message)
               : why_no_object(line, what);
  }
  const auto found = json->find("type");
  const std::string expected = or_type.empty() ? fmt::format("\"{}\"", type)
                                               : fmt::format("\"{}\" or \"{}\"", type, or_type);
  if (found == json->end() || !found->is_string()) {
    return fmt::format("answered {} without a \"type\": {}; expected {}", what, quote(line),
                       expected);
  }
  const auto& word = found->get_ref<const std::string&>();
  if (word == "error") {
    const auto message = json->find("message");
    return fmt::format("gives up over {}:{}", what,
                       message != json->end() && message->is_string()
                           ? whole_error(message->get_ref<const std::string&>())
                           : " it does not say why");
  }
  if (word != type && (or_type.empty() || word != or_type)) {
    return fmt::format("answered {} with the type {}; expected {}", what, quote(word), expected);
  }
  return std::move(*json);
}

}  // namespace aftershock::sim::control
