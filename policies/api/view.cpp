#include "policies/api/view.h"

#include <utility>

namespace aftershock::policies {

View::View(Inventory inventory)
    : inventory_(std::move(inventory)), unreachable_(inventory_.nodes.size(), false) {}

void View::apply(const Event& event) {
  if (const auto* lost = std::get_if<NodeUnreachable>(&event)) {
    if (lost->node < unreachable_.size()) {
      unreachable_[lost->node] = true;
    }
  } else if (const auto* joined = std::get_if<NodeJoined>(&event)) {
    if (joined->node < unreachable_.size()) {
      unreachable_[joined->node] = false;
    }
  }
}

bool View::reachable(NodeId node) const {
  return node >= unreachable_.size() || !unreachable_[node];
}

}  // namespace aftershock::policies
