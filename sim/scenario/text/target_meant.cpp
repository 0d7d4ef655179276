#include "sim/scenario/text/target_meant.h"

#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "sim/scenario/text/numerals.h"

namespace aftershock::sim::scenario {
namespace {

const LocatedValue::List* list_of(const LocatedValue* object, std::string_view key) {
  const LocatedValue* value = object == nullptr ? nullptr : object->find(key);
  return value == nullptr ? nullptr : value->get_if<LocatedValue::List>();
}

std::string text_of(const LocatedValue& object, std::string_view key) {
  const LocatedValue* value = object.find(key);
  const auto* text = value == nullptr ? nullptr : value->get_if<std::string>();
  return text == nullptr ? std::string() : *text;
}

std::int64_t number_of(const LocatedValue& object, std::string_view key, std::int64_t otherwise) {
  const LocatedValue* value = object.find(key);
  const auto* number = value == nullptr ? nullptr : value->get_if<std::int64_t>();
  return number == nullptr ? otherwise : *number;
}

bool has_name(const LocatedValue::List* list, std::string_view name) {
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    if (text_of((*list)[i], "name") == name) {
      return true;
    }
  }
  return false;
}

/// Whether `text` is the beginning and a number below `count`.
bool counts(std::string_view text, const std::string& beginning, std::int64_t count) {
  const auto index =
      text.starts_with(beginning) ? parse_index(text.substr(beginning.size())) : std::nullopt;
  return index && *index < count;
}

bool is_node(const LocatedValue& pool, std::string_view name) {
  const std::string pool_name = text_of(pool, "name");
  const std::int64_t nodes = number_of(pool, "nodes", 0);
  return counts(name, pool_name + "-", number_of(pool, "max_nodes", nodes)) ||
         counts(name, pool_name + "-spare-", number_of(pool, "spares", 0));
}

/// The kind of what a pool has by this name; empty: nothing.
std::string_view kind_in(const LocatedValue& pool, std::string_view name) {
  if (is_node(pool, name)) {
    return "node";
  }
  if (counts(name, text_of(pool, "name") + "/", number_of(pool, "racks", 1))) {
    return "rack";
  }
  const auto slash = name.rfind('/');
  const bool accelerator = slash != name.npos && is_node(pool, name.substr(0, slash)) &&
                           parse_index(name.substr(slash + 1)).has_value();
  return accelerator ? "accelerator" : "";
}

}  // namespace

std::string target_meant(const LocatedValue& root, std::string_view name) {
  const LocatedValue* cluster = root.find("cluster");
  const auto* pools = list_of(cluster, "pools");
  for (const auto& [kind, list] :
       {std::pair("job", list_of(&root, "jobs")), std::pair("pool", pools),
        std::pair("head", list_of(cluster, "heads")),
        std::pair("storage", list_of(cluster, "storage")),
        std::pair("experiment", list_of(&root, "experiments"))}) {
    if (has_name(list, name)) {
      return fmt::format("{}:{}", kind, name);
    }
  }
  for (std::size_t i = 0; pools != nullptr && i < pools->size(); ++i) {
    if (const auto kind = kind_in((*pools)[i], name); !kind.empty()) {
      return fmt::format("{}:{}", kind, name);
    }
  }
  return {};
}

}  // namespace aftershock::sim::scenario
