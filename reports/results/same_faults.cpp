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
    const auto ends_so = [place](std::string_view end) { return place.ends_with(end); };
    // A pool, a fault or a list of them may be another one altogether.
    const auto depth = std::ranges::count(place, '/');
    const bool machines = (place.starts_with("/cluster/pools") &&
                           (depth <= 3 || std::ranges::any_of(kMachines, ends_so))) ||
                          place == "/cluster";
    const bool rates = place == "rates" || (place.starts_with("/faults") &&
                                            (depth <= 2 || place.find("/source") != place.npos));
    return machines || rates;
  };
  return std::ranges::none_of(header.cells, [&](const Cell& cell) {
    return std::ranges::any_of(cell.parameters, [&](const auto& each) {
      return draws_anew(each.first) && each.second != value_in(header.cells.front(), each.first);
    });
  });
}

}  // namespace aftershock::reports
