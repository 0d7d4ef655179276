#include "policies/modelarts/memory.h"

#include <utility>

#include "policies/api/json.h"
#include "policies/api/json_reader.h"

namespace aftershock::policies::modelarts {
namespace {

template <class Value>
nlohmann::json json_of(const Value& value) {
  if constexpr (std::is_same_v<Value, RankSet>) {
    return nlohmann::json::parse(to_line(value));
  } else if constexpr (json_reader::IsVector<Value>::value) {
    auto list = nlohmann::json::array();
    for (const auto& element : value) {
      list.push_back(json_of(element));
    }
    return list;
  } else if constexpr (requires { Value::fields(); }) {
    auto object = nlohmann::json::object();
    std::apply(
        [&](const auto&... named) {
          ((object[std::string(named.name)] = json_of(value.*named.member)), ...);
        },
        Value::fields());
    return object;
  } else {
    return value;
  }
}

}  // namespace

nlohmann::json to_json(const Memory& memory) { return json_of(memory); }

std::optional<Memory> memory_from_text(std::string_view text) {
  if (text.empty()) {
    return std::nullopt;
  }
  auto json = parse_json(text);
  if (const auto* parsed = std::get_if<nlohmann::json>(&json)) {
    auto read = json_reader::read_whole<Memory>(*parsed);
    if (auto* memory = std::get_if<Memory>(&read)) {
      return std::move(*memory);
    }
  }
  return std::nullopt;
}

}  // namespace aftershock::policies::modelarts
