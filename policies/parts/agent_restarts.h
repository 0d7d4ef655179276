#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "policies/api/decision.h"
#include "policies/api/rank_set.h"

namespace aftershock::policies {

/// How often the agents of a group, one for every `ranks_each` ranks, have restarted their workers.
/// Each counts for itself and knows nothing of the others' counts (PyTorch elastic, _invoke_run).
struct AgentRestarts {
  std::uint32_t ranks_each = 1;
  std::uint32_t limit = 0;           ///< of each
  std::vector<std::int64_t> used{};  ///< by agent; those that never did may be missing
  std::int64_t total = 0;

  /// Charges every agent that has one of these ranks; the first where there are none. As the group
  /// sees it `used` is of all together, and `limit` what the fullest of these agents leaves.
  BudgetMove charge(const RankSet& ranks, std::uint16_t budget, ChargeCause cause) {
    std::int64_t fullest = 0;
    std::int64_t last = -1;
    const auto pay = [&](std::int64_t agent) {
      const auto at = static_cast<std::size_t>(agent);
      used.resize(std::max(used.size(), at + 1));
      fullest = std::max(fullest, ++used[at]);
      ++total;
      last = agent;
    };
    for (const RankSet::Interval& interval : ranks.intervals()) {
      const std::int64_t end = (std::int64_t{interval.end} - 1) / ranks_each;
      for (std::int64_t agent = std::max(last + 1, std::int64_t{interval.first} / ranks_each);
           agent <= end; ++agent) {
        pay(agent);
      }
    }
    if (ranks.empty()) {
      pay(0);
    }
    return {.budget = budget,
            .cause = cause,
            .used = total,
            .limit = total - fullest + limit,
            .exempt = false,
            .exhausted = fullest > limit};
  }

  /// Whether one of the agents that have these ranks has no restart left.
  [[nodiscard]] bool exhausted_by(const RankSet& ranks) const {
    AgentRestarts after = *this;
    return after.charge(ranks, 0, ChargeCause::kApplication).exhausted;
  }

  /// A restart that costs nothing.
  [[nodiscard]] BudgetMove exempt(std::uint16_t budget, ChargeCause cause) const {
    return {.budget = budget, .cause = cause, .used = total, .limit = left(), .exempt = true};
  }

  /// The least number of restarts of all together after which an agent may have none left.
  [[nodiscard]] std::int64_t left() const {
    const auto fullest = std::ranges::max_element(used);
    return total - (fullest == used.end() ? 0 : *fullest) + limit;
  }
};

}  // namespace aftershock::policies
