#include "sim/sweep/splitting_levels.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include <fmt/format.h>

namespace aftershock::sim::sweep {

namespace {

constexpr std::int64_t kMostOfABudget = 256;

double share_of(std::int64_t used, std::int64_t limit) {
  return static_cast<double>(used) / (static_cast<double>(limit) + 1);
}

}  // namespace

std::vector<Level> levels_of(const policies::PolicyInfo& info,
                             const std::vector<policies::BudgetState>& budgets) {
  std::vector<Level> levels;
  bool limited = false;
  for (std::size_t i = 0; i < budgets.size(); ++i) {
    if (!budgets[i].limit) {
      continue;
    }
    limited = true;
    const std::int64_t limit = std::max<std::int64_t>(0, *budgets[i].limit);
    const std::int64_t apart = limit / kMostOfABudget + 1;
    for (std::int64_t nth = 1; nth <= limit / apart; ++nth) {
      const std::int64_t used = nth * apart;
      levels.push_back(
          {share_of(used, limit), fmt::format("{} {} of {}", info.budgets[i], used, limit)});
    }
  }
  if (!limited) {
    return {};
  }
  std::ranges::stable_sort(levels, {}, &Level::share);
  const auto same = std::ranges::unique(levels, {}, &Level::share);
  levels.erase(same.begin(), same.end());
  levels.push_back({1, "exhausted"});
  return levels;
}

double worst_share(const workload::Job& job, std::size_t first) {
  double worst = 0;
  for (std::size_t i = first; i < job.control.charges.size(); ++i) {
    const policies::BudgetMove& move = job.control.charges[i].move;
    if (move.exempt || !move.limit) {
      continue;
    }
    if (move.exhausted) {
      return 1;
    }
    // A budget that is overdrawn and does not end the job is not exhausted yet.
    const std::int64_t limit = std::max<std::int64_t>(0, *move.limit);
    worst = std::max(worst, share_of(std::min(move.used, limit), limit));
  }
  return worst;
}

}  // namespace aftershock::sim::sweep
