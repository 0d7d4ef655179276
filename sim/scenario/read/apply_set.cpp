#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/api/config.h"
#include "sim/scenario/read/compose.h"
#include "sim/scenario/text/located_json.h"

namespace aftershock::sim::scenario {
namespace {

bool is_utf8(std::string_view text) {
  // The parser's own opinion, on the text as it would stand in a file.
  std::string quoted = "\"";
  for (const char c : text) {
    quoted += static_cast<unsigned char>(c) < ' ' || c == '"' || c == '\\' ? '.' : c;
  }
  return nlohmann::json::accept(quoted + '"');
}

/// The parts of a JSON Pointer, unescaped; none when a "~" is not followed by 0 or 1.
std::optional<std::vector<std::string>> parts_of(std::string_view pointer) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < pointer.size(); ++i) {
    if (pointer[i] == '/') {
      parts.emplace_back();
    } else if (pointer[i] != '~') {
      parts.back() += pointer[i];
    } else if (i + 1 < pointer.size() && (pointer[i + 1] == '0' || pointer[i + 1] == '1')) {
      parts.back() += pointer[++i] == '0' ? '~' : '/';
    } else {
      return std::nullopt;
    }
  }
  return parts;
}

/// The index that a part of a pointer means, `size` for "-".
std::optional<std::size_t> index_of(std::string_view part, std::size_t size) {
  if (part == "-") return size;
  if (part.empty() || (part.size() > 1 && part.front() == '0')) return std::nullopt;
  std::size_t index = 0;
  const auto [end, code] = std::from_chars(part.data(), part.data() + part.size(), index);
  if (code != std::errc{} || end != part.data() + part.size() || index >= size) return std::nullopt;
  return index;
}

bool is_number_or_truth(const LocatedValue& value) {
  return !value.is_null() && value.get_if<std::string>() == nullptr &&
         value.get_if<LocatedValue::List>() == nullptr &&
         value.get_if<LocatedValue::Members>() == nullptr;
}

/// One `--set`, while it is being applied.
class Setter {
 public:
  Setter(Sources& sources, const std::string& argument)
      : sources_(sources),
        argument_(argument),
        place_{sources.add({"--set " + argument, {}, false, true}), 0} {}

  std::optional<ScenarioError> apply(LocatedValue& root);

 private:
  ScenarioError refuse(std::string pointer, std::string message, std::string expected) {
    ScenarioError error = sources_.error_at(place_);
    error.kind = ErrorKind::kArgument;
    error.pointer = std::move(pointer);
    error.message = std::move(message);
    error.expected = std::move(expected);
    return error;
  }

  std::variant<LocatedValue, ScenarioError> value(const std::string& written,
                                                  const std::string& pointer);

  /// Whether `old` is a number or a truth in quotes, as annotations and environment variables are,
  /// so that another one without quotes, as a shell passes it on, belongs into quotes, too.
  bool keeps_quotes(const LocatedValue& old, const LocatedValue& written);

  /// The error in a new member `parts[i]` on the way to another: keys beside it begin with it and a
  /// slash, so that the slash behind it was meant to be within a key.
  std::optional<ScenarioError> unescaped(const LocatedValue& parent,
                                         const std::vector<std::string>& parts, std::size_t i,
                                         const std::string& above);

  /// The element or member of `parent` called `part`, made when it may be.
  std::variant<LocatedValue*, ScenarioError> step(LocatedValue& parent, const std::string& part,
                                                  const std::string& pointer);

  void remove(LocatedValue& parent, const std::string& part);

  Sources& sources_;
  const std::string& argument_;
  Place place_;
};

std::variant<LocatedValue, ScenarioError> Setter::value(const std::string& written,
                                                        const std::string& pointer) {
  const std::uint32_t scratch = sources_.add({"--set " + argument_, written, false});
  auto parsed = parse_located(sources_, scratch);
  if (std::holds_alternative<LocatedValue>(parsed)) return parsed;
  // A value that begins like JSON was meant as JSON; "3d" was not.
  if (!written.empty() && std::string_view("{[\"").find(written.front()) != std::string::npos) {
    auto& error = std::get<ScenarioError>(parsed);
    error.kind = ErrorKind::kArgument;
    error.pointer = pointer + error.pointer;
    return parsed;
  }
  return LocatedValue{written, place_};
}

bool Setter::keeps_quotes(const LocatedValue& old, const LocatedValue& written) {
  const auto* text = old.get_if<std::string>();
  if (text == nullptr || !is_number_or_truth(written)) {
    return false;
  }
  const auto parsed = parse_located(sources_, sources_.add({"--set " + argument_, *text, false}));
  const auto* within = std::get_if<LocatedValue>(&parsed);
  return within != nullptr && is_number_or_truth(*within);
}

std::variant<LocatedValue*, ScenarioError> Setter::step(LocatedValue& parent,
                                                        const std::string& part,
                                                        const std::string& pointer) {
  if (auto* list = parent.get_if<LocatedValue::List>()) {
    const auto index = index_of(part, list->size());
    if (!index) {
      return refuse(pointer, fmt::format("the list has no element {}", in_quotes(part)),
                    list->empty() ? "\"-\" to append"
                    : list->size() == 1
                        ? "\"0\", or \"-\" to append"
                        : fmt::format("\"0\" to \"{}\", or \"-\" to append", list->size() - 1));
    }
    if (*index == list->size()) list->push_back({LocatedValue::Members{}, place_});
    return &(*list)[*index];
  }
  auto* members = parent.get_if<LocatedValue::Members>();
  if (members == nullptr) {
    return refuse(pointer, fmt::format("lies within {}", type_phrase(parent)),
                  "a pointer into an object or a list");
  }
  if (LocatedValue* found = parent.find(part)) return found;
  members->push_back({part, place_, {LocatedValue::Members{}, place_}});
  return &members->back().value;
}

std::optional<ScenarioError> Setter::unescaped(const LocatedValue& parent,
                                               const std::vector<std::string>& parts, std::size_t i,
                                               const std::string& above) {
  const auto* members = parent.get_if<LocatedValue::Members>();
  if (members == nullptr || i + 1 >= parts.size() || parent.find(parts[i]) != nullptr) {
    return std::nullopt;
  }
  const std::string begin = parts[i] + "/";
  const bool beside = std::ranges::any_of(
      *members, [&](const LocatedMember& member) { return member.key.starts_with(begin); });
  if (!beside) {
    return std::nullopt;
  }
  std::string key = parts[i];
  for (std::size_t next = i + 1; next < parts.size(); ++next) {
    key += "/" + parts[next];
  }
  std::vector<std::string_view> keys;
  for (const LocatedMember& member : *members) {
    keys.push_back(member.key);
  }
  std::string meant;
  if (const std::string_view nearest = policies::nearest_name(key, keys); !nearest.empty()) {
    meant = above;
    append_to_pointer(meant, nearest);
  }
  std::string made = above;
  append_to_pointer(made, parts[i]);
  ScenarioError error =
      refuse(made, "makes a new key that nothing reads", "a \"/\" within a key written as \"~1\"");
  error.nearest = meant;
  return error;
}

void Setter::remove(LocatedValue& parent, const std::string& part) {
  if (auto* members = parent.get_if<LocatedValue::Members>()) {
    std::erase_if(*members, [&](const LocatedMember& member) { return member.key == part; });
  } else if (auto* list = parent.get_if<LocatedValue::List>()) {
    const auto index = index_of(part, list->size());
    if (index && *index < list->size()) {
      list->erase(list->begin() + static_cast<std::ptrdiff_t>(*index));
    }
  }
}

std::optional<ScenarioError> Setter::apply(LocatedValue& root) {
  const auto equals = argument_.find('=');
  const std::string pointer = argument_.substr(0, equals);
  if (equals == std::string::npos || !pointer.starts_with('/')) {
    return refuse("", "is not POINTER=VALUE", "for example /jobs/0/checkpoint/every=20min");
  }
  if (!is_utf8(argument_)) {
    return refuse("", "is not UTF-8", "text that a scenario file could hold");
  }
  const auto parts = parts_of(pointer);
  if (!parts || parts->size() > kDeepest) {
    return refuse("", parts ? "the pointer is too deep" : "has a \"~\" that escapes nothing",
                  parts ? fmt::format("at most {} parts", kDeepest) : "\"~0\" or \"~1\"");
  }
  if (parts->front() == "extends") {
    return refuse(pointer, "comes too late: files are merged before", "another scenario file");
  }
  auto parsed = value(argument_.substr(equals + 1), pointer);
  if (auto* error = std::get_if<ScenarioError>(&parsed)) return std::move(*error);
  auto& written = std::get<LocatedValue>(parsed);

  LocatedValue* at = &root;
  std::string reached;
  for (std::size_t i = 0; i < parts->size(); ++i) {
    const std::string& part = (*parts)[i];
    if (auto error = unescaped(*at, *parts, i, reached)) return error;
    append_to_pointer(reached, part);
    if (i + 1 == parts->size() && written.is_null()) {
      remove(*at, part);
      return std::nullopt;
    }
    auto next = step(*at, part, reached);
    if (auto* error = std::get_if<ScenarioError>(&next)) return std::move(*error);
    at = std::get<LocatedValue*>(next);
    // "/faults/-" makes the list when there is none yet.
    const auto* made = at->get_if<LocatedValue::Members>();
    if (made != nullptr && made->empty() && i + 1 < parts->size() && (*parts)[i + 1] == "-") {
      at->data = LocatedValue::List{};
    }
  }
  *at = keeps_quotes(*at, written) ? LocatedValue{argument_.substr(equals + 1), place_}
                                   : std::move(written);
  return std::nullopt;
}

}  // namespace

std::optional<ScenarioError> apply_set(LocatedValue& root, const std::string& argument,
                                       Sources& sources) {
  return Setter(sources, argument).apply(root);
}

}  // namespace aftershock::sim::scenario
