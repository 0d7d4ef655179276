#include "sim/world/world_state.h"

#include <algorithm>
#include <utility>

#include "sim/scenario/most_trials.h"
#include "sim/world/entries.h"

namespace aftershock::sim {

namespace {

// Without a horizon a run ends here: far beyond any job, and sums of accelerator time over it stay
// within 64 bits.
std::int64_t longest_run_us(const Scenario& scenario) {
  constexpr std::int64_t kHundredYears = 3'155'760'000'000'000;
  constexpr std::int64_t kLargest = std::int64_t{1} << 62U;
  std::int64_t accelerators = 1;
  for (const PoolSpec& pool : scenario.cluster.pools) {
    accelerators += std::int64_t{pool.max_nodes} * pool.accelerators_per_node;
  }
  for (const ExperimentSpec& experiment : scenario.experiments) {
    constexpr std::int64_t kParts = 10'000;
    accelerators +=
        most_trials(scenario, experiment) * ((experiment.accelerators_e4 + kParts - 1) / kParts);
  }
  return std::min(kHundredYears, kLargest / accelerators);
}

std::vector<std::int64_t> storage_capacities(const ClusterSpec& cluster) {
  std::vector<std::int64_t> capacities;
  for (const StorageSpec& storage : cluster.storage) {
    capacities.push_back(storage.read_bytes_per_s);
    capacities.push_back(storage.write_bytes_per_s);
  }
  return capacities;
}

}  // namespace

WorldState::WorldState(std::shared_ptr<const Scenario> scenario, const WorldOptions& options)
    : scenario_(std::move(scenario)),
      transfers_(storage_capacities(scenario_->cluster),
                 static_cast<std::uint16_t>(What::kTransferOver), false),
      recorder_(options.sink, options.names),
      strikes_(options.strikes),
      trigger_offsets_us_(options.trigger_offsets_us),
      max_entries_(options.max_entries),
      watchman_(scenario_) {
  for (const PoolSpec& pool : scenario_->cluster.pools) {
    pools_.emplace_back(pool);
  }
  heads_.resize(scenario_->cluster.heads.size());
  horizon_us_ = scenario_->until_us.value_or(longest_run_us(*scenario_));
  next_arrivals_.resize(scenario_->faults.size());
  fault_spent_.resize(scenario_->faults.size());
  probes_.resize(scenario_->faults.size());
  messages_ = std::ranges::any_of(scenario_->faults, [](const FaultSpec& fault) {
    return std::ranges::any_of(fault.effects, [](const WeightedEffect& each) {
      return each.effect.kind == FaultKind::kStaleMessage ||
             each.effect.kind == FaultKind::kDuplicateMessage;
    });
  });
  triggers_ = std::ranges::any_of(scenario_->faults,
                                  [](const FaultSpec& fault) { return fault.when.has_value(); });
}

const FaultEffect& WorldState::effect_of(const FaultRecord& fault) const {
  return scenario_->faults[fault.spec].effects[fault.effect].effect;
}

}  // namespace aftershock::sim
