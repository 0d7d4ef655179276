#include "sim/scenario/text/node_names.h"

#include <fmt/format.h>

#include "sim/scenario/text/numerals.h"

namespace aftershock::sim::scenario {

std::vector<NodeRange> node_ranges(const PoolSpec& pool) {
  const std::string counted = pool.name + "-";
  std::vector<NodeRange> ranges{{counted, 0, pool.nodes},
                                {counted + "spare-", 0, pool.spares},
                                {counted, pool.nodes, pool.max_nodes - pool.nodes - pool.spares}};
  std::erase_if(ranges, [](const NodeRange& range) { return range.count == 0; });
  return ranges;
}

std::string node_name(const PoolSpec& pool, std::uint32_t slot) {
  if (slot < pool.nodes) return fmt::format("{}-{}", pool.name, slot);
  const std::uint32_t beyond = slot - pool.nodes;
  if (beyond < pool.spares) return fmt::format("{}-spare-{}", pool.name, beyond);
  return fmt::format("{}-{}", pool.name, slot - pool.spares);
}

std::optional<std::uint32_t> node_slot(const PoolSpec& pool, std::string_view name) {
  if (!name.starts_with(pool.name)) return std::nullopt;
  name.remove_prefix(pool.name.size());
  constexpr std::string_view kSpare = "-spare-";
  if (name.starts_with(kSpare)) {
    const auto index = parse_index(name.substr(kSpare.size()));
    if (!index || *index >= pool.spares) return std::nullopt;
    return pool.nodes + *index;
  }
  if (!name.starts_with('-')) return std::nullopt;
  const auto index = parse_index(name.substr(1));
  if (!index || *index >= pool.max_nodes - pool.spares) return std::nullopt;
  return *index < pool.nodes ? *index : *index + pool.spares;
}

}  // namespace aftershock::sim::scenario
