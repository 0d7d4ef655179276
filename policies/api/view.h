#pragma once

#include <string>
#include <vector>

#include "policies/api/events.h"
#include "policies/api/fields.h"
#include "policies/api/ids.h"

namespace aftershock::policies {

/// What the host announces before the first event.
struct Inventory {
  struct Node {
    std::string name{};
    std::string pool{};
    static constexpr auto fields() {
      return std::make_tuple(field("name", &Node::name), field("pool", &Node::pool));
    }
  };
  struct Job {
    std::string name{};
    std::uint32_t max_workers = 0;  ///< what the cluster can hold at most; 0: nobody can say
    static constexpr auto fields() {
      return std::make_tuple(field("name", &Job::name), field("max_workers", &Job::max_workers));
    }
  };
  std::vector<Node> nodes{};
  std::vector<Job> jobs{};
  static constexpr auto fields() {
    return std::make_tuple(field("nodes", &Inventory::nodes), field("jobs", &Inventory::jobs));
  }
};

/// What a controller knows: the inventory folded with every event delivered so far. Nothing is in
/// it that did not arrive as an event.
class View {
 public:
  View() = default;
  explicit View(Inventory inventory);

  /// Folds one delivered event in. Ids outside the inventory are ignored.
  void apply(const Event& event);

  [[nodiscard]] const Inventory& inventory() const { return inventory_; }
  /// Whether the last word on the node was that it can be reached. True for unknown nodes.
  [[nodiscard]] bool reachable(NodeId node) const;

 private:
  Inventory inventory_;
  std::vector<bool> unreachable_;
};

}  // namespace aftershock::policies
