#include "sim/faults/source.h"

#include "sim/chance/draws.h"

namespace aftershock::sim::faults {

chance::RandomKey fault_key(const scenario::Scenario& scenario, std::uint32_t spec,
                            std::uint64_t branch) {
  return {scenario.seed, branch, chance::RandomSource::kFault,
          chance::named(scenario.faults[spec].id)};
}

chance::RandomKey node_key(const scenario::Scenario& scenario, std::uint32_t pool,
                           std::uint32_t node, std::uint64_t branch) {
  return {scenario.seed, branch, chance::RandomSource::kNode,
          chance::named(scenario.cluster.pools[pool].name, node)};
}

const scenario::Occurrence* occurrence_of(const scenario::Scenario& scenario,
                                          const FaultRecord& fault) {
  return fault.listed ? &(*scenario.faults[fault.spec].source->occurrences)[*fault.listed]
                      : nullptr;
}

namespace {

// One of so many runs, as even as can be, that slots are spread over in their order.
RackSlots nth_run(const scenario::PoolSpec& pool, std::uint32_t runs, std::uint32_t nth) {
  const auto first_of = [&](std::uint64_t run) {
    return static_cast<std::uint32_t>((run * pool.max_nodes + runs - 1) / runs);
  };
  return {first_of(nth), first_of(std::uint64_t{nth} + 1) - first_of(nth)};
}

std::uint32_t nodes_of(const scenario::PoolSpec& pool, const scenario::JobSpec& job) {
  return (job.workers + pool.accelerators_per_node - 1) / pool.accelerators_per_node;
}

}  // namespace

RackSlots rack_slots(const scenario::PoolSpec& pool, std::uint32_t rack) {
  return nth_run(pool, pool.racks, rack);
}

RackSlots power_domain_slots(const scenario::PoolSpec& pool, std::uint32_t domain) {
  return nth_run(pool, pool.power_domains, domain);
}

// How many units strike independently: a pool's faults are one process at their summed rate, of
// which each occurrence picks its unit, which is the same law and costs nothing per unit.
std::uint32_t units_of(const scenario::Scenario& scenario, const scenario::FaultSpec& fault) {
  const scenario::Target& target = fault.target;
  if (target.kind == scenario::TargetKind::kExperiment ||
      target.kind == scenario::TargetKind::kTrial) {
    return 1;
  }
  std::uint32_t nodes = 1;
  std::uint32_t accelerators_per_node = 1;
  if (target.kind == scenario::TargetKind::kAgent) {
    return 1;
  }
  if (target.kind == scenario::TargetKind::kJob || target.kind == scenario::TargetKind::kRank) {
    const scenario::JobSpec& job = scenario.jobs[target.job];
    const scenario::PoolSpec& pool = scenario.cluster.pools[job.pool];
    if (target.kind == scenario::TargetKind::kRank ||
        fault.source->per == scenario::RatePer::kJob) {
      return 1;
    }
    return fault.source->per == scenario::RatePer::kAccelerator ? job.workers : nodes_of(pool, job);
  }
  if (target.kind == scenario::TargetKind::kHead || target.kind == scenario::TargetKind::kStorage ||
      target.kind == scenario::TargetKind::kLink || target.kind == scenario::TargetKind::kSwitch ||
      target.kind == scenario::TargetKind::kCluster) {
    return 1;
  }
  const scenario::PoolSpec& pool = scenario.cluster.pools[target.pool];
  if (target.kind == scenario::TargetKind::kPool && fault.source->training_job) {
    // The time of such a source is that of the job's training, in which the job's own nodes are
    // exposed and the rest of the pool is not.
    const scenario::JobSpec& job = scenario.jobs[*fault.source->training_job];
    if (fault.source->per == scenario::RatePer::kAccelerator) {
      return job.workers;
    }
    nodes = nodes_of(pool, job);
  } else if (target.kind == scenario::TargetKind::kPool) {
    nodes = pool.max_nodes;
  } else if (target.kind == scenario::TargetKind::kRack) {
    nodes = rack_slots(pool, target.index).count;
  }
  if (target.kind != scenario::TargetKind::kAccelerator) {
    accelerators_per_node = pool.accelerators_per_node;
  }
  switch (fault.source->per) {
    case scenario::RatePer::kNode:
      return nodes;
    case scenario::RatePer::kAccelerator:
      return nodes * accelerators_per_node;
    case scenario::RatePer::kRack:
    case scenario::RatePer::kSwitch:
      return target.kind == scenario::TargetKind::kPool ? pool.racks : 1;
    case scenario::RatePer::kPowerDomain:
      return target.kind == scenario::TargetKind::kPool ? pool.power_domains : 1;
    case scenario::RatePer::kJob:
    case scenario::RatePer::kPool:
    case scenario::RatePer::kCluster:
      break;
  }
  return 1;
}

std::int64_t draw_gap_us(const scenario::Scenario& scenario, std::uint32_t spec, std::uint64_t nth,
                         std::uint64_t branch, double units) {
  return chance::draw_exponential_us(
      scenario.faults[spec].source->mean_gap_us / units,
      chance::RandomDraw(fault_key(scenario, spec, branch), nth, chance::Purpose::kArrival));
}

std::uint32_t draw_effect(const scenario::Scenario& scenario, std::uint32_t spec, std::uint64_t nth,
                          std::uint64_t branch) {
  // The cause has a draw of its own: another weight changes what an occurrence does, and not when
  // it comes or whom it hits.
  const std::vector<scenario::WeightedEffect>& effects = scenario.faults[spec].effects;
  if (effects.size() == 1) {
    return 0;
  }
  double total = 0;
  for (const scenario::WeightedEffect& effect : effects) {
    total += effect.weight;
  }
  double left = chance::draw_unit(chance::RandomDraw(fault_key(scenario, spec, branch), nth,
                                                     chance::Purpose::kCause)) *
                total;
  std::uint32_t drawn = 0;
  // The last effect takes whatever rounding leaves.
  while (drawn + 1 < effects.size() && left >= effects[drawn].weight) {
    left -= effects[drawn].weight;
    ++drawn;
  }
  return drawn;
}

}  // namespace aftershock::sim::faults
