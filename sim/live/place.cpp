#include "sim/live/place.h"

#include <fmt/format.h>

#include "sim/scenario/faults/fault_catalogue.h"
#include "sim/scenario/text/node_names.h"
#include "sim/world/names.h"

namespace aftershock::sim::live {

std::optional<std::uint32_t> node_of(const scenario::Scenario& scenario, std::string_view name) {
  return scenario::node_slot(scenario.cluster.pools.front(), name);
}

reports::Entity place_of(const scenario::Scenario& scenario, std::string_view target) {
  constexpr std::string_view kNode = "node:";
  if (target.starts_with(kNode)) {
    if (const auto slot = node_of(scenario, target.substr(kNode.size()))) {
      return {reports::EntityKind::kNode, 0, *slot};
    }
  }
  if (target.starts_with("head:")) {
    return {reports::EntityKind::kHead, 0};
  }
  return {reports::EntityKind::kJob, 0};
}

std::string fault_members(const scenario::Scenario& scenario, std::uint32_t number,
                          std::string_view id, const FaultTold& told) {
  const scenario::FaultSpec& spec = scenario.faults[told.fault];
  const scenario::FaultEffect& effect = spec.effects.front().effect;
  return fmt::format(R"("number":{},"id":{},"kind":"{}","what":{},"target":{},"outcome":"fired")",
                     number, world::json_text(id), scenario::name_of(effect.kind),
                     world::json_text(effect.label),
                     world::json_text(told.on.empty() ? spec.target.text : told.on));
}

}  // namespace aftershock::sim::live
