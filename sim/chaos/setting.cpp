#include "sim/chaos/setting.h"

#include <array>
#include <vector>

#include <fmt/format.h>

#include "sim/scenario/faults/place_names.h"
#include "sim/scenario/text/node_names.h"
#include "sim/simulate/simulate.h"

namespace aftershock::sim::chaos {

std::string_view name_of(MatrixTarget target) {
  constexpr std::array<std::string_view, kMatrixTargets> kNames{"victim", "other rank",  "rank 0",
                                                                "head",   "replacement", "storage"};
  return kNames[static_cast<std::size_t>(target)];
}

Setting setting_of(const scenario::Scenario& scenario, std::uint32_t job) {
  const scenario::JobSpec& spec = scenario.jobs[job];
  const scenario::PoolSpec& pool = scenario.cluster.pools[spec.pool];
  const std::uint32_t per_node = pool.accelerators_per_node;
  const auto node_of = [&](std::uint32_t rank) {
    return "node:" + scenario::node_name(pool, rank / per_node);
  };
  const auto rack_of_rank = [&](std::uint32_t rank) {
    return fmt::format("rack:{}/{}", pool.name, scenario::rack_of(pool, rank / per_node));
  };
  Setting setting;
  setting.job = job;
  setting.job_name = spec.name;
  setting.npu = pool.accelerator == scenario::AcceleratorKind::kNpu;
  setting.victim = spec.workers / 3;
  setting.pool = "pool:" + pool.name;
  setting.gives_machines = pool.spares > 0 || pool.replacement != scenario::Replacement::kNone;
  setting.victim_node = node_of(setting.victim);
  setting.victim_rack = rack_of_rank(setting.victim);
  setting.rank_zero_rack = rack_of_rank(0);
  const std::uint32_t other = spec.workers * 2 / 3;
  if (other / per_node != setting.victim / per_node) {
    setting.other = other;
    setting.other_node = node_of(other);
    setting.other_rack = rack_of_rank(other);
  }
  setting.rank_zero_node = node_of(0);
  const std::uint32_t needed = (spec.workers + per_node - 1) / per_node;
  if (pool.nodes + pool.spares > needed) {
    setting.spare_node = "node:" + scenario::node_name(pool, needed);
    setting.spare_rack = rack_of_rank(needed * per_node);
  }
  const std::uint32_t struck = setting.victim / per_node;
  setting.lone_rack = true;
  for (std::uint32_t node = 0; node < pool.nodes + pool.spares; ++node) {
    const bool beside = node != struck && node != needed;
    setting.lone_rack &=
        !beside || scenario::rack_of(pool, node) != scenario::rack_of(pool, struck);
  }
  setting.policies = scenario.policies;
  const std::vector<control::PolicyHost> hosts = simulate::make_hosts(scenario);
  setting.family = hosts[job].info().name;
  setting.watches_nodes = hosts[job].info().watches_nodes;
  setting.leaves_peers = hosts[job].info().leaves_peers;
  setting.head = "head:" + scenario.cluster.heads[spec.head].name;
  if (spec.run.storage && spec.checkpoint && spec.script.saves) {
    setting.storage = scenario.cluster.storage[*spec.run.storage].name;
  }
  return setting;
}

std::string rank_target(const Setting& setting, std::uint32_t rank) {
  return fmt::format("job:{}/rank:{}", setting.job_name, rank);
}

}  // namespace aftershock::sim::chaos
