#include "gui/compare/fault_pairs.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace aftershock::gui {

namespace {

std::size_t faults_until(const Trace& trace, std::int64_t t_us) {
  return static_cast<std::size_t>(std::ranges::upper_bound(trace.faults, t_us, {}, &Fault::t_us) -
                                  trace.faults.begin());
}

}  // namespace

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

bool same_faults(const Trace& a, const Trace& b) {
  const std::int64_t until_us = std::min(a.last_us, b.last_us);
  const std::size_t count = faults_until(a, until_us);
  if (count != faults_until(b, until_us)) {
    return false;
  }
  std::size_t same = 0;
  for (const FaultPair& pair : pair_faults(a, b)) {
    const Fault& in_a = a.faults[pair.a];
    const Fault& in_b = b.faults[pair.b];
    const bool met = pair.a < count && pair.b < count && in_a.t_us == in_b.t_us;
    if (met && a.texts[in_a.kind] == b.texts[in_b.kind] &&
        a.texts[in_a.target] == b.texts[in_b.target]) {
      ++same;
    }
  }
  return same == count;
}

}  // namespace aftershock::gui
