#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "policies/api/events.h"
#include "policies/api/fields.h"
#include "policies/api/ids.h"

namespace aftershock::policies {

/// The inventory that the host announces before the first event. Nodes come as ranges: it is as
/// long as the cluster is varied, not as it is large.
struct Inventory {
  /// `count` nodes of a pool, named prefix + number from `first` on. Their ids go on counting where
  /// the range before ended.
  struct Nodes {
    std::string pool{};
    std::string prefix{};
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    static constexpr auto fields(auto list) {
      return list(field("pool", &Nodes::pool), field("prefix", &Nodes::prefix),
                  field("first", &Nodes::first), field("count", &Nodes::count));
    }
  };
  /// A job; its index is its JobId.
  struct Job {
    std::string name{};
    std::uint32_t max_workers = 0;  ///< the most that the cluster can hold; 0: nobody can say
    static constexpr auto fields(auto list) {
      return list(field("name", &Job::name), field("max_workers", &Job::max_workers));
    }
  };
  std::vector<Nodes> nodes{};
  std::vector<Job> jobs{};
  static constexpr auto fields(auto list) {
    return list(field("nodes", &Inventory::nodes), field("jobs", &Inventory::jobs));
  }
};

/// A controller's knowledge: the inventory folded with every event delivered so far. Nothing is in
/// it that did not arrive as an event.
class View {
 public:
  View() = default;
  explicit View(Inventory inventory);

  /// Folds one delivered event in. News of nodes outside the inventory is ignored.
  void apply(const Event& event);

  [[nodiscard]] const Inventory& inventory() const { return inventory_; }
  /// How many nodes the inventory has; their ids are below.
  [[nodiscard]] NodeId node_count() const { return node_count_; }
  /// Whether the last word on the node was that it can be reached. True for unknown nodes.
  [[nodiscard]] bool reachable(NodeId node) const;

 private:
  Inventory inventory_;
  NodeId node_count_ = 0;
  std::set<NodeId> unreachable_;
};

}  // namespace aftershock::policies
