#include "policies/api/view.h"

#include <utility>

namespace aftershock::policies {

View::View(Inventory inventory) : inventory_(std::move(inventory)) {
  for (const Inventory::Nodes& nodes : inventory_.nodes) {
    node_count_ += nodes.count;
  }
}

void View::apply(const Event& event) {
  if (const auto* lost = std::get_if<NodeUnreachable>(&event)) {
    if (lost->node < node_count_) {
      unreachable_.insert(lost->node);
    }
  } else if (const auto* joined = std::get_if<NodeJoined>(&event)) {
    unreachable_.erase(joined->node);
  }
}

bool View::reachable(NodeId node) const { return !unreachable_.contains(node); }

}  // namespace aftershock::policies
