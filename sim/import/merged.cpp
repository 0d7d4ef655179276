#include <algorithm>
#include <map>

#include "sim/import/trace.h"

namespace aftershock::sim::imports {

void drop(std::vector<Dropped>& dropped, const std::string& why, std::uint64_t line) {
  const auto found = std::ranges::find(dropped, why, &Dropped::why);
  if (found != dropped.end()) {
    found->lines.push_back(line);
  } else {
    dropped.push_back({why, {line}});
  }
}

std::vector<Outage> merged(const std::vector<Outage>& outages) {
  std::vector<Outage> whole;
  std::map<std::uint32_t, std::size_t> last;  // of a node, in `whole`
  std::vector<Outage> sorted = outages;
  std::ranges::stable_sort(sorted, {}, &Outage::down_us);
  for (const Outage& outage : sorted) {
    const auto found = last.find(outage.node);
    Outage* before = found == last.end() ? nullptr : &whole[found->second];
    if (before == nullptr || (before->up_us && *before->up_us < outage.down_us)) {
      last[outage.node] = whole.size();
      whole.push_back(outage);
      continue;
    }
    if (before->up_us && outage.up_us) {
      before->up_us = std::max(*before->up_us, *outage.up_us);
    } else {
      before->up_us.reset();
    }
    if (!outage.cause.empty() && before->cause.find(outage.cause) == std::string::npos) {
      before->cause += (before->cause.empty() ? "" : " + ") + outage.cause;
    }
  }
  return whole;
}

}  // namespace aftershock::sim::imports
