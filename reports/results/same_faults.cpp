#include "reports/results/same_faults.h"

#include <algorithm>
#include <array>

namespace aftershock::reports {

std::string_view value_in(const Cell& cell, std::string_view place) {
  const auto found = std::ranges::find(
      cell.parameters, place, [](const auto& each) -> std::string_view { return each.first; });
  return found == cell.parameters.end() ? std::string_view() : std::string_view(found->second);
}

bool meet_the_same_faults(const StoreHeader& header) {
  const auto draws_anew = [](std::string_view place) {
    constexpr std::array<std::string_view, 4> kMachines{"/nodes", "/spares", "/max_nodes",
                                                        "/per_node"};
    return place == "rates" ||
           (place.starts_with("/cluster") &&
            (std::ranges::any_of(kMachines,
                                 [&](std::string_view end) { return place.ends_with(end); }) ||
             place == "/cluster" || place == "/cluster/pools"));
  };
  return std::ranges::none_of(header.cells, [&](const Cell& cell) {
    return std::ranges::any_of(cell.parameters, [&](const auto& each) {
      return draws_anew(each.first) && each.second != value_in(header.cells.front(), each.first);
    });
  });
}

}  // namespace aftershock::reports
