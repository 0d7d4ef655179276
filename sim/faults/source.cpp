#include "sim/faults/source.h"

#include "sim/chance/draws.h"

namespace aftershock::sim {

RandomKey fault_key(const Scenario& scenario, std::uint32_t spec, std::uint64_t branch) {
  return {scenario.seed, branch, RandomSource::kFault, named(scenario.faults[spec].id)};
}

RandomKey node_key(const Scenario& scenario, std::uint32_t pool, std::uint32_t node,
                   std::uint64_t branch) {
  return {scenario.seed, branch, RandomSource::kNode,
          named(scenario.cluster.pools[pool].name, node)};
}

const Occurrence* occurrence_of(const Scenario& scenario, const FaultRecord& fault) {
  return fault.listed ? &(*scenario.faults[fault.spec].source->occurrences)[*fault.listed]
                      : nullptr;
}

namespace {

// One of so many runs, as even as can be, that slots are spread over in their order.
RackSlots nth_run(const PoolSpec& pool, std::uint32_t runs, std::uint32_t nth) {
  const auto first_of = [&](std::uint64_t run) {
    return static_cast<std::uint32_t>((run * pool.max_nodes + runs - 1) / runs);
  };
  return {first_of(nth), first_of(std::uint64_t{nth} + 1) - first_of(nth)};
}

std::uint32_t nodes_of(const PoolSpec& pool, const JobSpec& job) {
  return (job.workers + pool.accelerators_per_node - 1) / pool.accelerators_per_node;
}

}  // namespace

RackSlots rack_slots(const PoolSpec& pool, std::uint32_t rack) {
  return nth_run(pool, pool.racks, rack);
}

RackSlots power_domain_slots(const PoolSpec& pool, std::uint32_t domain) {
  return nth_run(pool, pool.power_domains, domain);
}

// How many units strike independently: a pool's faults are one process at their summed rate, of
// which each occurrence picks its unit, which is the same law and costs nothing per unit.
std::uint32_t units_of(const Scenario& scenario, const FaultSpec& fault) {
  const Target& target = fault.target;
  if (target.kind == TargetKind::kExperiment || target.kind == TargetKind::kTrial) {
    return 1;
  }
  std::uint32_t nodes = 1;
  std::uint32_t accelerators_per_node = 1;
  if (target.kind == TargetKind::kAgent) {
    return 1;
  }
  if (target.kind == TargetKind::kJob || target.kind == TargetKind::kRank) {
    const JobSpec& job = scenario.jobs[target.job];
    const PoolSpec& pool = scenario.cluster.pools[job.pool];
    if (target.kind == TargetKind::kRank || fault.source->per == RatePer::kJob) {
      return 1;
    }
    return fault.source->per == RatePer::kAccelerator ? job.workers : nodes_of(pool, job);
  }
  if (target.kind == TargetKind::kHead || target.kind == TargetKind::kStorage ||
      target.kind == TargetKind::kLink || target.kind == TargetKind::kSwitch ||
      target.kind == TargetKind::kCluster) {
    return 1;
  }
  const PoolSpec& pool = scenario.cluster.pools[target.pool];
  if (target.kind == TargetKind::kPool && fault.source->training_job) {
    // The time of such a source is that of the job's training, in which the job's own nodes are
    // exposed and the rest of the pool is not.
    const JobSpec& job = scenario.jobs[*fault.source->training_job];
    if (fault.source->per == RatePer::kAccelerator) {
      return job.workers;
    }
    nodes = nodes_of(pool, job);
  } else if (target.kind == TargetKind::kPool) {
    nodes = pool.max_nodes;
  } else if (target.kind == TargetKind::kRack) {
    nodes = rack_slots(pool, target.index).count;
  }
  if (target.kind != TargetKind::kAccelerator) {
    accelerators_per_node = pool.accelerators_per_node;
  }
  switch (fault.source->per) {
    case RatePer::kNode:
      return nodes;
    case RatePer::kAccelerator:
      return nodes * accelerators_per_node;
    case RatePer::kRack:
    case RatePer::kSwitch:
      return target.kind == TargetKind::kPool ? pool.racks : 1;
    case RatePer::kPowerDomain:
      return target.kind == TargetKind::kPool ? pool.power_domains : 1;
    case RatePer::kJob:
    case RatePer::kPool:
    case RatePer::kCluster:
      break;
  }
  return 1;
}

std::int64_t draw_gap_us(const Scenario& scenario, std::uint32_t spec, std::uint64_t nth,
                         std::uint64_t branch, double units) {
  return draw_exponential_us(scenario.faults[spec].source->mean_gap_us / units,
                             RandomDraw(fault_key(scenario, spec, branch), nth, Purpose::kArrival));
}

std::uint32_t draw_effect(const Scenario& scenario, std::uint32_t spec, std::uint64_t nth,
                          std::uint64_t branch) {
  // The cause has a draw of its own: another weight changes what an occurrence does, and not when
  // it comes or whom it hits.
  const std::vector<WeightedEffect>& effects = scenario.faults[spec].effects;
  if (effects.size() == 1) {
    return 0;
  }
  double total = 0;
  for (const WeightedEffect& effect : effects) {
    total += effect.weight;
  }
  double left =
      draw_unit(RandomDraw(fault_key(scenario, spec, branch), nth, Purpose::kCause)) * total;
  std::uint32_t drawn = 0;
  // The last effect takes whatever rounding leaves.
  while (drawn + 1 < effects.size() && left >= effects[drawn].weight) {
    left -= effects[drawn].weight;
    ++drawn;
  }
  return drawn;
}

}  // namespace aftershock::sim
