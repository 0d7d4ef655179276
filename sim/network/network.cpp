#include "sim/network/network.h"

#include <algorithm>

#include "base/assert.h"

namespace aftershock::sim::network {

void Network::cut(const scenario::Scenario& scenario, const faults::FaultRecord& fault,
                  std::uint32_t number) {
  AFTERSHOCK_ASSERT(std::ranges::find(cuts_, number, &Cut::id) == cuts_.end());
  // Most runs see no cut, and the graph has a vertex a node.
  if (!topology_) {
    topology_ = std::make_shared<const Topology>(scenario.cluster);
  }
  cuts_.push_back(cut_of(*topology_, scenario, fault, number));
}

void Network::mend(std::uint32_t number) {
  std::erase_if(cuts_, [number](const Cut& cut) { return cut.id == number; });
}

Hearing Network::hearing(std::uint32_t pool, std::uint32_t node) const {
  if (cuts_.empty()) {
    return {};
  }
  const NetPlace place = topology_->node(pool, node);
  // A node has one standing whatever jobs run on it: its heartbeats go to the first head.
  const NetPlace head = topology_->head(0);
  return {.mute = !passes(cuts_, place, head), .deaf = !passes(cuts_, head, place)};
}

std::uint32_t Network::cutting(std::uint32_t pool, std::uint32_t node) const {
  AFTERSHOCK_ASSERT(!cuts_.empty());
  const NetPlace place = topology_->node(pool, node);
  const NetPlace head = topology_->head(0);
  // Cuts may overlap: the newest is put down as the cause, as outage() does for storages.
  const auto found = std::find_if(cuts_.rbegin(), cuts_.rend(), [&](const Cut& cut) {
    return cut.blocks(place, head) || cut.blocks(head, place);
  });
  AFTERSHOCK_ASSERT(found != cuts_.rend());
  return found->id;
}

bool Network::all_connected(std::uint32_t pool, std::span<const std::uint32_t> nodes) const {
  if (cuts_.empty()) {
    return true;
  }
  std::vector<NetPlace> places;
  for (const std::uint32_t node : nodes) {
    places.push_back(topology_->node(pool, node));
  }
  return sim::network::all_connected(cuts_, places);
}

}  // namespace aftershock::sim::network
