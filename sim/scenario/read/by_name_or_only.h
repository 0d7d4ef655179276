#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/scenario/shape/fields.h"
#include "sim/scenario/text/error_list.h"
#include "sim/scenario/text/lookup.h"

namespace aftershock::sim::scenario {

/// Resolves a name of the cluster; without one it is the only thing there is.
template <class Item>
std::optional<std::uint32_t> by_name_or_only(const Fields& fields, std::string_view key,
                                             const std::vector<Item>& items, ErrorList& errors) {
  if (const LocatedValue* written = fields.written(key)) {
    const auto index = index_by_name(items, fields.text(key));
    if (!index) errors.add(*written, no_such(key, items, fields.text(key)));
    return index;
  }
  return items.size() == 1 ? std::optional<std::uint32_t>(0) : std::nullopt;
}

}  // namespace aftershock::sim::scenario
