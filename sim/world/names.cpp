#include "sim/world/names.h"

#include <fmt/format.h>

#include "policies/api/json.h"
#include "sim/scenario/node_names.h"

namespace aftershock::sim {

std::uint32_t node_number(const Scenario& scenario, std::uint32_t pool, std::uint32_t index) {
  std::uint32_t number = index;
  for (std::uint32_t i = 0; i < pool; ++i) {
    number += scenario.cluster.pools[i].max_nodes;
  }
  return number;
}

std::string json_text(std::string_view text) {
  std::string out;
  policies::append_json_string(out, text);
  return out;
}

std::string ScenarioNames::name(reports::Entity entity) const {
  switch (entity.kind) {
    case reports::EntityKind::kRun:
      return "run";
    case reports::EntityKind::kHead:
      return "head:" + scenario_.cluster.heads[entity.index].name;
    case reports::EntityKind::kPool:
      return "pool:" + scenario_.cluster.pools[entity.index].name;
    case reports::EntityKind::kRack:
      return fmt::format("rack:{}/{}", scenario_.cluster.pools[entity.index].name, entity.sub);
    case reports::EntityKind::kNode:
      return "node:" + node_name(scenario_.cluster.pools[entity.index], entity.sub);
    case reports::EntityKind::kAccelerator:
      return "accelerator:" + node_name(scenario_.cluster.pools[entity.index], entity.sub);
    case reports::EntityKind::kJob:
      return "job:" + scenario_.jobs[entity.index].name;
    case reports::EntityKind::kStorage:
      return "storage:" + scenario_.cluster.storage[entity.index].name;
  }
  return {};
}

}  // namespace aftershock::sim
