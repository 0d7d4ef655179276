#include "sim/network/topology.h"

#include <algorithm>
#include <numeric>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/connected_components.hpp>
#include <boost/graph/filtered_graph.hpp>

#include "base/assert.h"

namespace aftershock::sim::network {

namespace {

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;

// All links but the one between two places.
struct AllBut {
  const Graph* graph = nullptr;
  NetPlace one = 0;
  NetPlace other = 0;

  bool operator()(const boost::graph_traits<Graph>::edge_descriptor& edge) const {
    const auto from = static_cast<NetPlace>(boost::source(edge, *graph));
    const auto to = static_cast<NetPlace>(boost::target(edge, *graph));
    return (from != one || to != other) && (from != other || to != one);
  }
};

std::vector<NetPlace> run_of(NetPlace first, NetPlace end) {
  std::vector<NetPlace> places(end - first);
  std::iota(places.begin(), places.end(), first);
  return places;
}

constexpr NetPlace kCorePlace = 0;

}  // namespace

struct Topology::Links {
  Graph graph;
};

Topology::Topology(const scenario::ClusterSpec& cluster) {
  const auto links = std::make_shared<Links>();
  Graph& graph = links->graph;
  // The link towards the core is every place's first.
  const auto add_linked = [&graph](NetPlace to) {
    const auto place = static_cast<NetPlace>(boost::add_vertex(graph));
    boost::add_edge(place, to, graph);
    boost::add_edge(to, place, graph);
    return place;
  };
  const auto core = static_cast<NetPlace>(boost::add_vertex(graph));
  AFTERSHOCK_ASSERT(core == kCorePlace);
  // Places of a kind get consecutive numbers, so that a kind is an interval and needs no list.
  first_head_ = core + 1;
  for (std::size_t i = 0; i < cluster.heads.size(); ++i) {
    add_linked(core);
  }
  first_storage_ = static_cast<NetPlace>(boost::num_vertices(graph));
  for (std::size_t i = 0; i < cluster.storage.size(); ++i) {
    add_linked(core);
  }
  after_storage_ = static_cast<NetPlace>(boost::num_vertices(graph));
  for (const scenario::PoolSpec& spec : cluster.pools) {
    PoolPlaces places;
    places.the_switch = add_linked(core);
    places.first_rack = static_cast<NetPlace>(boost::num_vertices(graph));
    for (std::uint32_t i = 0; i < spec.racks; ++i) {
      add_linked(places.the_switch);
    }
    places.first_node = static_cast<NetPlace>(boost::num_vertices(graph));
    // Slots without a machine get their link as well: the graph does not change when machines come.
    for (std::uint32_t i = 0; i < spec.max_nodes; ++i) {
      add_linked(places.first_rack + scenario::rack_of(spec, i));
    }
    places.after_node = static_cast<NetPlace>(boost::num_vertices(graph));
    pools_.push_back(places);
  }
  links_ = links;
}

NetPlace Topology::place(const scenario::NamedPlace& name) const {
  switch (name.kind) {
    case scenario::PlaceKind::kCore:
      break;
    case scenario::PlaceKind::kHead:
      return head(name.index);
    case scenario::PlaceKind::kStorage:
      return storage(name.index);
    case scenario::PlaceKind::kPoolSwitch:
      return pool(name.pool);
    case scenario::PlaceKind::kRackSwitch:
      return rack(name.pool, name.index);
    case scenario::PlaceKind::kNode:
      return node(name.pool, name.index);
  }
  return kCorePlace;
}

std::vector<NetPlace> Topology::heads() const { return run_of(first_head_, first_storage_); }

std::vector<NetPlace> Topology::storages() const { return run_of(first_storage_, after_storage_); }

std::vector<NetPlace> Topology::nodes() const {
  std::vector<NetPlace> places;
  for (const PoolPlaces& pool : pools_) {
    for (NetPlace place = pool.first_node; place < pool.after_node; ++place) {
      places.push_back(place);
    }
  }
  return places;
}

// The places left on this side when its link to the other place is gone.
std::vector<NetPlace> Topology::side(NetPlace here, NetPlace without) const {
  const Graph& graph = links_->graph;
  std::vector<std::uint32_t> part(boost::num_vertices(graph));
  const boost::filtered_graph<Graph, AllBut> open(graph, AllBut{&graph, here, without});
  boost::connected_components(open, boost::make_iterator_property_map(
                                        part.begin(), boost::get(boost::vertex_index, graph)));
  std::vector<NetPlace> places;
  for (NetPlace place = 0; place < part.size(); ++place) {
    if (part[place] == part[here]) {
      places.push_back(place);
    }
  }
  return places;
}

std::vector<NetPlace> Topology::beyond(NetPlace place) const {
  AFTERSHOCK_ASSERT(place != kCorePlace);
  const Graph& graph = links_->graph;
  // The first link leads to the core (see the constructor): without it the place is on its own
  // side.
  const auto towards_core = *boost::out_edges(place, graph).first;
  return side(place, static_cast<NetPlace>(boost::target(towards_core, graph)));
}

std::vector<std::vector<NetPlace>> Topology::sides(NetPlace the_switch) const {
  const Graph& graph = links_->graph;
  std::vector<std::vector<NetPlace>> found;
  for (const auto edge : boost::make_iterator_range(boost::out_edges(the_switch, graph))) {
    found.push_back(side(static_cast<NetPlace>(boost::target(edge, graph)), the_switch));
  }
  return found;
}

}  // namespace aftershock::sim::network
