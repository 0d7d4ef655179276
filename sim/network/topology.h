#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/assert.h"
#include "sim/network/reach.h"
#include "sim/scenario/faults/place_names.h"
#include "sim/scenario/scenario.h"

namespace aftershock::sim::network {

/// The network as a directed graph: heads, storage and pool switches on a core, racks on their
/// pool's switch, nodes on their rack's switch. Immutable, and shared by its copies; cuts are laid
/// over it.
class Topology {
 public:
  explicit Topology(const scenario::ClusterSpec& cluster);

  /// Where things stand, by their index in the cluster.
  [[nodiscard]] NetPlace head(std::uint32_t index) const {
    AFTERSHOCK_ASSERT(index < first_storage_ - first_head_);
    return first_head_ + index;
  }
  [[nodiscard]] NetPlace storage(std::uint32_t index) const {
    AFTERSHOCK_ASSERT(index < after_storage_ - first_storage_);
    return first_storage_ + index;
  }
  [[nodiscard]] NetPlace node(std::uint32_t pool, std::uint32_t index) const {
    AFTERSHOCK_ASSERT(pool < pools_.size());
    AFTERSHOCK_ASSERT(index < pools_[pool].after_node - pools_[pool].first_node);
    return pools_[pool].first_node + index;
  }
  [[nodiscard]] NetPlace rack(std::uint32_t pool, std::uint32_t rack) const {
    AFTERSHOCK_ASSERT(pool < pools_.size());
    AFTERSHOCK_ASSERT(rack < pools_[pool].first_node - pools_[pool].first_rack);
    return pools_[pool].first_rack + rack;
  }
  [[nodiscard]] NetPlace pool(std::uint32_t pool) const {
    AFTERSHOCK_ASSERT(pool < pools_.size());
    return pools_[pool].the_switch;
  }
  [[nodiscard]] NetPlace place(const scenario::NamedPlace& name) const;

  /// All heads, all storages, all nodes.
  [[nodiscard]] std::vector<NetPlace> heads() const;
  [[nodiscard]] std::vector<NetPlace> storages() const;
  [[nodiscard]] std::vector<NetPlace> nodes() const;
  /// The place and all whose way to the core leads through it, ascending: a rack's switch and the
  /// nodes on it. That is what a cut of the link from it towards the core cuts off.
  [[nodiscard]] std::vector<NetPlace> beyond(NetPlace place) const;
  /// The places beyond each link of a switch, as seen from it.
  [[nodiscard]] std::vector<std::vector<NetPlace>> sides(NetPlace the_switch) const;

 private:
  struct Links;

  struct PoolPlaces {
    NetPlace the_switch = 0;
    NetPlace first_rack = 0;
    NetPlace first_node = 0;
    NetPlace after_node = 0;
  };

  [[nodiscard]] std::vector<NetPlace> side(NetPlace here, NetPlace without) const;

  std::shared_ptr<const Links> links_;
  NetPlace first_head_ = 0;
  NetPlace first_storage_ = 0;
  NetPlace after_storage_ = 0;
  std::vector<PoolPlaces> pools_;
};

}  // namespace aftershock::sim::network
