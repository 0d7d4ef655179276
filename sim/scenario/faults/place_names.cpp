#include "sim/scenario/faults/place_names.h"

#include <string>

#include <fmt/format.h>

#include "sim/scenario/text/lookup.h"
#include "sim/scenario/text/node_names.h"
#include "sim/scenario/text/numerals.h"

namespace aftershock::sim::scenario {
namespace {

std::optional<NamedPlace> find_rack_switch(const ClusterSpec& cluster, std::string_view name) {
  const auto slash = name.rfind('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto pool = index_by_name(cluster.pools, name.substr(0, slash));
  const auto rack = parse_index(name.substr(slash + 1));
  if (!pool || !rack || *rack >= cluster.pools[*pool].racks) return std::nullopt;
  return NamedPlace{PlaceKind::kRackSwitch, *pool, *rack};
}

/// The next place on the way to the core; none: it is the core.
std::optional<NamedPlace> towards_core(const ClusterSpec& cluster, const NamedPlace& place) {
  switch (place.kind) {
    case PlaceKind::kNode:
      return NamedPlace{PlaceKind::kRackSwitch, place.pool,
                        rack_of(cluster.pools[place.pool], place.index)};
    case PlaceKind::kRackSwitch:
      return NamedPlace{PlaceKind::kPoolSwitch, place.pool, 0};
    case PlaceKind::kPoolSwitch:
    case PlaceKind::kHead:
    case PlaceKind::kStorage:
      return NamedPlace{};
    case PlaceKind::kCore:
      break;
  }
  return std::nullopt;
}

}  // namespace

std::uint32_t rack_of(const PoolSpec& pool, std::uint32_t index) {
  return static_cast<std::uint32_t>(std::uint64_t{index} * pool.racks / pool.max_nodes);
}

std::uint32_t domains_of(const PoolSpec& pool, SpreadOver over) {
  return over == SpreadOver::kRack ? pool.racks : pool.power_domains;
}

std::uint32_t domain_of(const PoolSpec& pool, SpreadOver over, std::uint32_t index) {
  return static_cast<std::uint32_t>(std::uint64_t{index} * domains_of(pool, over) / pool.max_nodes);
}

std::string_view name_of(SpreadOver over) {
  return over == SpreadOver::kRack ? "rack" : "power_domain";
}

std::optional<NamedPlace> find_place(const ClusterSpec& cluster, std::string_view name) {
  for (std::uint32_t pool = 0; pool < cluster.pools.size(); ++pool) {
    if (const auto slot = node_slot(cluster.pools[pool], name)) {
      return NamedPlace{PlaceKind::kNode, pool, *slot};
    }
  }
  if (const auto rack = find_rack_switch(cluster, name)) return rack;
  if (const auto pool = index_by_name(cluster.pools, name)) {
    return NamedPlace{PlaceKind::kPoolSwitch, *pool, 0};
  }
  if (const auto head = index_by_name(cluster.heads, name)) {
    return NamedPlace{PlaceKind::kHead, 0, *head};
  }
  if (const auto storage = index_by_name(cluster.storage, name)) {
    return NamedPlace{PlaceKind::kStorage, 0, *storage};
  }
  if (name == "core") return NamedPlace{};
  return std::nullopt;
}

std::variant<NamedPlace, TextProblem> find_link(const ClusterSpec& cluster, std::string_view text) {
  // The name of a rack's switch has a slash of its own.
  for (auto slash = text.find('/'); slash != std::string_view::npos;
       slash = text.find('/', slash + 1)) {
    const auto left = find_place(cluster, text.substr(0, slash));
    const auto right = find_place(cluster, text.substr(slash + 1));
    if (!left || !right) continue;
    if (towards_core(cluster, *left) == right) return *left;
    if (towards_core(cluster, *right) == left) return *right;
  }
  const std::string& pool = cluster.pools.front().name;
  return TextProblem{fmt::format("there is no link {}", in_quotes(text)),
                     fmt::format("a node and its rack's switch such as \"link:{0}-0/{0}/0\", a "
                                 "rack and its pool such as \"link:{0}/0/{0}\", or a pool, a head "
                                 "or a storage and the core such as \"link:{0}/core\"",
                                 pool),
                     {}};
}

std::variant<NamedPlace, TextProblem> find_switch(const ClusterSpec& cluster,
                                                  std::string_view name) {
  const auto place = find_place(cluster, name);
  if (place && (place->kind == PlaceKind::kCore || place->kind == PlaceKind::kPoolSwitch ||
                place->kind == PlaceKind::kRackSwitch)) {
    return *place;
  }
  const std::string& pool = cluster.pools.front().name;
  return TextProblem{
      fmt::format("there is no switch {}", in_quotes(name)),
      fmt::format(R"(that of a pool such as "switch:{0}", of a rack such as "switch:{0}/0", or )"
                  R"("switch:core")",
                  pool),
      {}};
}

}  // namespace aftershock::sim::scenario
