#include "sim/experiments/trial_places.h"

#include <algorithm>

#include "base/assert.h"
#include "sim/experiments/trial_shape.h"
#include "sim/machines/pool.h"

namespace aftershock::sim::experiments {

TrialPlaces::TrialPlaces(const TrialShape& shape)
    : nodes_per_trial_(shape.nodes_per_trial), trials_per_node_(shape.trials_per_node) {
  AFTERSHOCK_ASSERT(trials_per_node_ > 0);
}

bool TrialPlaces::take(machines::Pool& pool, std::uint32_t holder, std::uint32_t trial,
                       std::int64_t now_us, TrialPlace& place) {
  AFTERSHOCK_ASSERT(place.empty() && trial != kFree);
  if (nodes_per_trial_ > 0) {
    // All of its nodes or none: one that held some while it waits would keep them from others.
    if (pool.available() < nodes_per_trial_) {
      return false;
    }
    for (std::uint32_t i = 0; i < nodes_per_trial_; ++i) {
      const std::uint32_t element = hold_node(pool, holder, now_us);
      held_[element].used = 1;
      held_[element].trials.front() = trial;
      place.held.push_back(element);
    }
    place.slot = 0;
    return true;
  }
  // A node with room may be draining, or have an accelerator out of order.
  const auto roomy =
      std::ranges::find_if(room_, [&](const auto& each) { return pool.placeable(each.first); });
  if (roomy == room_.end() && pool.available() == 0) {
    return false;
  }
  const std::uint32_t element =
      roomy == room_.end() ? hold_node(pool, holder, now_us) : roomy->second;
  Held& held = held_[element];
  const auto slot = std::ranges::find(held.trials, kFree);
  AFTERSHOCK_ASSERT(slot != held.trials.end());
  *slot = trial;
  place.slot = static_cast<std::uint32_t>(slot - held.trials.begin());
  place.held.push_back(element);
  ++held.used;
  if (held.used == trials_per_node_) {
    room_.erase({held.node, element});
  } else {
    room_.insert({held.node, element});
  }
  return true;
}

void TrialPlaces::give_back(machines::Pool& pool, std::int64_t now_us, TrialPlace& place) {
  for (const std::uint32_t element : place.held) {
    AFTERSHOCK_ASSERT(element < held_.size() && held_[element].used > 0);
    Held& held = held_[element];
    held.trials[place.slot] = kFree;
    --held.used;
    if (held.used == 0) {
      room_.erase({held.node, element});
      free_.push_back(element);
      pool.release_one(held.node, now_us);
    } else {
      room_.insert({held.node, element});
    }
  }
  place.held.clear();
}

std::uint32_t TrialPlaces::node(std::uint32_t held) const {
  AFTERSHOCK_ASSERT(held < held_.size());
  return held_[held].node;
}

std::span<const std::uint32_t> TrialPlaces::trials_on(std::uint32_t held) const {
  AFTERSHOCK_ASSERT(held < held_.size());
  return held_[held].trials;
}

std::uint64_t TrialPlaces::nodes_for(std::uint64_t trials) const {
  return nodes_per_trial_ > 0 ? trials * nodes_per_trial_
                              : (trials + trials_per_node_ - 1) / trials_per_node_;
}

// One more node of the pool, of which there must be a free one.
std::uint32_t TrialPlaces::hold_node(machines::Pool& pool, std::uint32_t holder,
                                     std::int64_t now_us) {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(held_.size()));
    held_.emplace_back();
  }
  const std::uint32_t element = free_.back();
  free_.pop_back();
  const auto node = pool.take_one(holder, element, now_us);
  AFTERSHOCK_ASSERT(node.has_value());
  Held& held = held_[element];
  held.node = *node;
  held.used = 0;
  held.trials.assign(trials_per_node_, kFree);
  return element;
}

}  // namespace aftershock::sim::experiments
