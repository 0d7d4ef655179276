#include "sim/cluster/topology.h"

#include <algorithm>

#include <boost/graph/filtered_graph.hpp>
#include <boost/graph/strong_components.hpp>

namespace aftershock::sim {

namespace {

// An edge is gone when exactly one of its ends lies inside some cut.
template <class Graph>
struct Passes {
  const Graph* graph = nullptr;
  std::span<const Cut> cuts;

  bool operator()(const typename boost::graph_traits<Graph>::edge_descriptor& edge) const {
    const auto from = static_cast<NetPlace>(boost::source(edge, *graph));
    const auto to = static_cast<NetPlace>(boost::target(edge, *graph));
    return std::ranges::none_of(cuts, [&](const Cut& cut) {
      return std::ranges::binary_search(cut.inside, from) !=
             std::ranges::binary_search(cut.inside, to);
    });
  }
};

}  // namespace

std::uint32_t rack_of(const PoolSpec& pool, std::uint32_t index) {
  return static_cast<std::uint32_t>(std::uint64_t{index} * pool.racks / pool.max_nodes);
}

Topology::Topology(const ClusterSpec& cluster) {
  const auto add_linked = [this](NetPlace to) {
    const auto place = static_cast<NetPlace>(boost::add_vertex(graph_));
    boost::add_edge(place, to, graph_);
    boost::add_edge(to, place, graph_);
    return place;
  };
  const auto core = static_cast<NetPlace>(boost::add_vertex(graph_));
  first_head_ = core + 1;
  for (std::size_t i = 0; i < cluster.heads.size(); ++i) {
    add_linked(core);
  }
  first_storage_ = static_cast<NetPlace>(boost::num_vertices(graph_));
  for (std::size_t i = 0; i < cluster.storage.size(); ++i) {
    add_linked(core);
  }
  for (const PoolSpec& spec : cluster.pools) {
    PoolPlaces places;
    places.the_switch = add_linked(core);
    places.first_rack = static_cast<NetPlace>(boost::num_vertices(graph_));
    places.racks = spec.racks;
    for (std::uint32_t i = 0; i < spec.racks; ++i) {
      add_linked(places.the_switch);
    }
    places.first_node = static_cast<NetPlace>(boost::num_vertices(graph_));
    places.nodes = spec.max_nodes;
    for (std::uint32_t i = 0; i < spec.max_nodes; ++i) {
      add_linked(places.first_rack + rack_of(spec, i));
    }
    pools_.push_back(places);
  }
}

NetPlace Topology::head(std::uint32_t index) const { return first_head_ + index; }

NetPlace Topology::storage(std::uint32_t index) const { return first_storage_ + index; }

NetPlace Topology::node(std::uint32_t pool, std::uint32_t index) const {
  return pools_[pool].first_node + index;
}

std::vector<NetPlace> Topology::rack(std::uint32_t pool, std::uint32_t rack) const {
  const NetPlace the_switch = pools_[pool].first_rack + rack;
  std::vector<NetPlace> places{the_switch};
  for (const auto edge : boost::make_iterator_range(boost::out_edges(the_switch, graph_))) {
    const auto to = static_cast<NetPlace>(boost::target(edge, graph_));
    if (to >= pools_[pool].first_node) {
      places.push_back(to);
    }
  }
  std::ranges::sort(places);
  return places;
}

std::vector<NetPlace> Topology::pool(std::uint32_t pool) const {
  const PoolPlaces& places = pools_[pool];
  std::vector<NetPlace> inside;
  for (NetPlace place = places.the_switch; place < places.first_node + places.nodes; ++place) {
    inside.push_back(place);
  }
  return inside;
}

std::vector<std::uint32_t> Topology::groups(std::span<const Cut> cuts) const {
  std::vector<std::uint32_t> group(boost::num_vertices(graph_));
  const boost::filtered_graph<Graph, Passes<Graph>> open(graph_, Passes<Graph>{&graph_, cuts});
  boost::strong_components(open, boost::make_iterator_property_map(
                                     group.begin(), boost::get(boost::vertex_index, graph_)));
  return group;
}

}  // namespace aftershock::sim
