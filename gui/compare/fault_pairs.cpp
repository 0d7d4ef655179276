#include "gui/compare/fault_pairs.h"

#include <map>
#include <string_view>

#include "gui/compare/fault_difference.h"

namespace aftershock::gui {

std::vector<FaultPair> pair_faults(const Trace& a, const Trace& b) {
  std::map<std::string_view, std::vector<std::uint32_t>> of_b;
  for (std::uint32_t i = 0; i < b.faults.size(); ++i) {
    of_b[b.texts[b.faults[i].id]].push_back(i);
  }
  std::map<std::string_view, std::size_t> met;
  std::vector<FaultPair> pairs;
  for (std::uint32_t i = 0; i < a.faults.size(); ++i) {
    const std::string_view id = a.texts[a.faults[i].id];
    const auto found = of_b.find(id);
    const std::size_t nth = met[id]++;
    if (found != of_b.end() && nth < found->second.size()) {
      pairs.push_back({i, found->second[nth]});
    }
  }
  return pairs;
}

bool same_faults(const Trace& a, const Trace& b) { return compare_faults(a, b).is_same(); }

}  // namespace aftershock::gui
