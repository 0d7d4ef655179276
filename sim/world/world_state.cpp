#include "sim/world/world_state.h"

#include <algorithm>
#include <utility>

namespace aftershock::sim {

WorldState::WorldState(std::shared_ptr<const Scenario> scenario, const WorldOptions& options)
    : core_(std::move(scenario), options.sink, options.names, options.max_entries),
      machines_(core_.scenario()),
      network_(core_.scenario()),
      faults_(core_.scenario(), options.strikes, options.trigger_offsets_us),
      arrivals_(core_.scenario()),
      checker_(core_.shared_scenario()) {
  heads_.resize(core_.scenario().cluster.heads.size());
  messages_ = std::ranges::any_of(core_.scenario().faults, [](const FaultSpec& fault) {
    return std::ranges::any_of(fault.effects, [](const WeightedEffect& each) {
      return each.effect.kind == FaultKind::kStaleMessage ||
             each.effect.kind == FaultKind::kDuplicateMessage;
    });
  });
}

}  // namespace aftershock::sim
