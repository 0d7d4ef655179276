#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <boost/graph/adjacency_list.hpp>

#include "sim/scenario/scenario.h"

namespace aftershock::sim {

/// A place in the network.
using NetPlace = std::uint32_t;

/// Traffic does not pass between the places inside and all others, either way.
struct Cut {
  std::uint32_t id = 0;
  std::vector<NetPlace> inside;  ///< ascending
};

/// The network as a directed graph: heads, storage and rack switches on a core, nodes on their
/// rack's switch, racks on their pool's switch. Immutable; cuts are laid over it.
class Topology {
 public:
  explicit Topology(const ClusterSpec& cluster);

  /// Where things stand, by their index in the cluster.
  [[nodiscard]] NetPlace head(std::uint32_t index) const;
  [[nodiscard]] NetPlace storage(std::uint32_t index) const;
  [[nodiscard]] NetPlace node(std::uint32_t pool, std::uint32_t index) const;
  /// The rack's switch and the nodes on it.
  [[nodiscard]] std::vector<NetPlace> rack(std::uint32_t pool, std::uint32_t rack) const;
  /// All racks of the pool and the switch that joins them.
  [[nodiscard]] std::vector<NetPlace> pool(std::uint32_t pool) const;

  /// For every place the number of its group under these cuts: two places can talk to each other,
  /// both ways, exactly when their numbers are equal.
  [[nodiscard]] std::vector<std::uint32_t> groups(std::span<const Cut> cuts) const;

 private:
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;

  struct PoolPlaces {
    NetPlace the_switch = 0;
    NetPlace first_rack = 0;
    std::uint32_t racks = 0;
    NetPlace first_node = 0;
    std::uint32_t nodes = 0;
  };

  Graph graph_;
  NetPlace first_head_ = 0;
  NetPlace first_storage_ = 0;
  std::vector<PoolPlaces> pools_;
};

/// Rack of a node slot: slots are spread over the racks in contiguous runs of even length.
std::uint32_t rack_of(const PoolSpec& pool, std::uint32_t index);

}  // namespace aftershock::sim
