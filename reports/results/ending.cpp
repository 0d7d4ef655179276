#include "reports/results/ending.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace aftershock::reports {
namespace {

std::string stuck_words(std::string_view reason) {
  constexpr std::pair<std::string_view, std::string_view> kKinds[] = {
      {"left reserved", "nodes that a failed start left reserved"},
      {"nobody sees it", "a job that stands still, and nobody sees it"},
      {"got no further", "attempts that get no further"},
      {"isolated", "nodes that are isolated"},
      {" down by ", "nodes that are down"},
      {" waits since ", "nodes that are not there"},
  };
  const auto* found = std::ranges::find_if(
      kKinds, [reason](const auto& kind) { return reason.find(kind.first) != reason.npos; });
  return std::string(found == std::ranges::end(kKinds) ? reason.substr(0, reason.find(" since "))
                                                       : found->second);
}

}  // namespace

std::string ending_of(const RunRow& row) {
  if (row.outcome != "completed" && row.outcome != "running") {
    return row.reason.empty() ? row.outcome : row.reason;
  }
  return row.verdict == Verdict::kStuck ? "stuck: " + stuck_words(row.verdict_reason)
                                        : std::string();
}

}  // namespace aftershock::reports
