#include "sim/advise/cures.h"

#include <algorithm>

#include <fmt/format.h>

#include "sim/advise/accepted.h"
#include "sim/advise/choices.h"

namespace aftershock::sim {
namespace {

/// A fifth more nodes, where they stand by or may be provisioned.
Cure more_nodes(const Scenario& scenario) {
  const std::uint32_t place = scenario.jobs.front().pool;
  const PoolSpec& pool = scenario.cluster.pools[place];
  const std::string pointer = fmt::format("/cluster/pools/{}", place);
  const std::uint32_t more = std::max<std::uint32_t>(2, pool.nodes / 5);
  Cure cure{fmt::format("{} more nodes that stand by", more),
            {{pointer + "/spares", std::to_string(pool.spares + more)}}};
  if (pool.max_nodes > pool.nodes + pool.spares) {
    const std::uint32_t most = 2 * pool.max_nodes;
    cure = {fmt::format("up to {} nodes in place of {}", most, pool.max_nodes),
            {{pointer + "/max_nodes", std::to_string(most)}}};
  }
  return cure;
}

}  // namespace

std::vector<Cure> cures_for(const Scenario& scenario) {
  std::vector<Cure> cures;
  if (scenario.jobs.size() != 1) {
    return cures;
  }
  cures.push_back(more_nodes(scenario));
  if (!scenario.cluster.reclaim_leaked_us) {
    cures.push_back({"nodes that a failed start left reserved given back at once",
                     {{"/cluster/reclaim_leaked", "0s"}}});
  }
  const auto budgets = wider_budgets(scenario);
  if (!budgets.empty()) {
    cures.push_back({"wider retry budgets", budgets});
  }
  std::erase_if(cures, [&](const Cure& cure) { return !is_accepted(scenario, cure.sets); });
  if (cures.size() > 1) {
    Cure all{"all of these", {}};
    for (const Cure& cure : cures) {
      all.sets.insert(all.sets.end(), cure.sets.begin(), cure.sets.end());
    }
    cures.push_back(std::move(all));
  }
  return cures;
}

}  // namespace aftershock::sim
