#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "policies/api/config.h"
#include "sim/scenario/text/error_list.h"

// Finding things of a scenario by their names.
namespace aftershock::sim::scenario {

/// Index of the item of this name.
template <class Item>
std::optional<std::uint32_t> index_by_name(const std::vector<Item>& items, std::string_view name) {
  const auto found =
      std::find_if(items.begin(), items.end(), [&](const Item& item) { return item.name == name; });
  if (found == items.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - items.begin());
}

/// That there is no `what` of this name, and which there are.
template <class Item>
TextProblem no_such(std::string_view what, const std::vector<Item>& items, std::string_view name) {
  constexpr std::size_t kMostListed = 12;
  std::vector<std::string_view> names;
  names.reserve(items.size());
  for (const Item& item : items) names.push_back(item.name);
  std::string expected = fmt::format("no {} at all", what);
  if (!names.empty()) {
    const auto listed = std::min(names.size(), kMostListed);
    expected = fmt::format(
        "one of {}{}",
        fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(listed), ", "),
        listed < names.size() ? ", ..." : "");
  }
  return {fmt::format("there is no {} {}", what, in_quotes(name)), std::move(expected),
          std::string(policies::nearest_name(name, names))};
}

/// Sees to it that names are given once.
class UniqueNames {
 public:
  explicit UniqueNames(std::string_view what) : what_(what) {}

  /// Takes a name, or says where it stands for the second time.
  void add(const std::string& name, const LocatedValue& at, ErrorList& errors) {
    if (names_.insert(name).second) return;
    errors.add(
        at,
        {fmt::format("there is a {} {} already", what_, in_quotes(name)), "each name once", {}});
  }

 private:
  std::string_view what_;
  std::set<std::string, std::less<>> names_;
};

}  // namespace aftershock::sim::scenario
