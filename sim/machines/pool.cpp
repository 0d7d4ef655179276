#include "sim/machines/pool.h"

#include <algorithm>

#include "base/assert.h"

namespace aftershock::sim::machines {

namespace {

bool hidden_fault(const Node& node) {
  return node.present && !node.known_down && (!node.up || node.cut);
}

}  // namespace

Pool::Pool(const scenario::PoolSpec& spec)
    : nodes_(spec.max_nodes),
      unfit_(spec.max_nodes),
      taken_(spec.max_nodes),
      changed_(spec.max_nodes),
      free_count_(spec.nodes + spec.spares),
      first_spare_(spec.nodes),
      spares_(spec.spares) {
  // A node without a machine yet is in none of the counts.
  for (std::uint32_t i = free_count_; i < spec.max_nodes; ++i) {
    nodes_[i].present = false;
    nodes_[i].up = false;
    nodes_[i].known_down = true;
    unfit_.set(i);
    changed_.set(i);
    has_changes_ = true;
  }
  free_ = ~unfit_;
  up_ = free_count_;
  idle_spares_ = spares_;
}

bool Pool::placeable(std::uint32_t index) const {
  const Node& node = nodes_[index];
  return node.present && !node.known_down && !node.draining && !node.isolated && !node.withheld &&
         node.bad_accelerators == 0;
}

DeviceState Pool::state(std::uint32_t index) const {
  const Node& node = nodes_[index];
  if (!node.present) {
    return DeviceState::kRetired;
  }
  // Each node counts once: these tests go from the state that excludes most to the one that
  // excludes least.
  if (!node.up) {
    return node.returns || node.provisioning ? DeviceState::kRepairing : DeviceState::kLost;
  }
  if (node.known_down || node.isolated || node.bad_accelerators > 0) {
    return DeviceState::kIsolated;
  }
  if (node.draining) {
    return DeviceState::kDraining;
  }
  return taken_[index] ? DeviceState::kAllocated : DeviceState::kFree;
}

// A gang may train on a node that the cluster gives to nobody else. A node that a policy isolates
// it does not work on any more.
bool Pool::kept_idle(std::uint32_t index) const {
  return state(index) == DeviceState::kIsolated && (!taken_[index] || nodes_[index].isolated);
}

// `forget` and `remember` take one node out of all counts and put it back, so that `update` may
// change anything about it in between.
void Pool::forget(std::uint32_t index) {
  const Node& node = nodes_[index];
  full_disks_ -= node.full_disk ? 1U : 0U;
  hidden_faults_ -= hidden_fault(node) ? 1U : 0U;
  provisioning_ -= node.provisioning ? 1U : 0U;
  const DeviceState before = state(index);
  isolated_ -= kept_idle(index) ? 1 : 0;
  repairing_ -= before == DeviceState::kRepairing ? 1 : 0;
  up_ -= node.present && node.up ? 1 : 0;
}

void Pool::remember(std::uint32_t index) {
  const Node& node = nodes_[index];
  full_disks_ += node.full_disk ? 1U : 0U;
  hidden_faults_ += hidden_fault(node) ? 1U : 0U;
  provisioning_ += node.provisioning ? 1U : 0U;
  const DeviceState after = state(index);
  isolated_ += kept_idle(index) ? 1 : 0;
  repairing_ += after == DeviceState::kRepairing ? 1 : 0;
  up_ += node.present && node.up ? 1 : 0;
  unfit_[index] = !placeable(index);
  remember_free(index);
}

void Pool::remember_free(std::uint32_t index) {
  const bool free = !unfit_[index] && !taken_[index];
  free_count_ += (free ? 1U : 0U) - (free_[index] ? 1U : 0U);
  free_[index] = free;
  if (index >= first_spare_ && index < first_spare_ + spares_) {
    // Counted anew rather than adjusted, as `up` of a spare may have changed as well.
    idle_spares_ = idle_spares();
  }
}

std::int64_t Pool::idle_spares() const {
  std::int64_t idle = 0;
  for (std::uint32_t i = first_spare_; i < first_spare_ + spares_; ++i) {
    idle += free_[i] && nodes_[i].up ? 1 : 0;
  }
  return idle;
}

void Pool::hold(std::uint32_t job, std::uint32_t slot, std::uint32_t index) {
  nodes_[index].job = job;
  nodes_[index].slot = slot;
}

// Fills the slots whose nodes are gone for good, in the order of the slots, with the lowest free
// ones.
bool Pool::replace_gone(std::uint32_t job, Placement& placement) {
  const NodeBits gone = placement.nodes - free_;
  const NodeBits others = free_ - placement.nodes;
  std::vector<std::uint32_t> slots;
  // No other job has written its name into these nodes since: they still know their slots.
  if (last_taker_ == job) {
    for (auto node = gone.find_first(); node != NodeBits::npos; node = gone.find_next(node)) {
      slots.push_back(nodes_[node].slot);
    }
    // Nodes were found in their own order, and the first slot gets the lowest free node.
    std::ranges::sort(slots);
  } else {
    // Others may hold those that are gone, with their own names in them.
    for (std::uint32_t slot = 0; slot < placement.slots.size(); ++slot) {
      if (gone[placement.slots[slot]]) {
        slots.push_back(slot);
      }
    }
  }
  if (slots.size() > others.count()) {
    return false;
  }
  auto next = others.find_first();
  for (const std::uint32_t slot : slots) {
    placement.nodes.reset(placement.slots[slot]);
    placement.nodes.set(next);
    placement.slots[slot] = static_cast<std::uint32_t>(next);
    hold(job, slot, placement.slots[slot]);
    next = others.find_next(next);
  }
  return true;
}

bool Pool::take(std::uint32_t job, std::uint32_t count, Placement& placement, std::int64_t now_us) {
  // Usage up to now is booked with the counts as they were.
  account(now_us);
  if (free_count_ < count) {
    return false;
  }
  if (placement.slots.size() != count) {
    placement.slots.assign(count, 0);
    placement.nodes = NodeBits(nodes_.size());
    auto next = free_.find_first();
    for (std::uint32_t slot = 0; slot < count; ++slot) {
      placement.slots[slot] = static_cast<std::uint32_t>(next);
      placement.nodes.set(next);
      hold(job, slot, placement.slots[slot]);
      next = free_.find_next(next);
    }
  } else {
    // A job of the same size keeps its slots: ranks of nodes that are still free stay where they
    // were.
    if (!placement.nodes.is_subset_of(free_) && !replace_gone(job, placement)) {
      return false;
    }
    if (last_taker_ != job) {
      // A job that held these nodes meanwhile left its own name in them.
      for (std::uint32_t slot = 0; slot < count; ++slot) {
        hold(job, slot, placement.slots[slot]);
      }
    }
  }
  last_taker_ = job;
  taken_ |= placement.nodes;
  free_ -= placement.nodes;
  free_count_ -= count;
  idle_spares_ = idle_spares();
  return true;
}

std::optional<std::uint32_t> Pool::take_one(std::uint32_t holder, std::uint32_t slot,
                                            std::int64_t now_us) {
  const auto found = free_.find_first();
  if (found == NodeBits::npos) {
    return std::nullopt;
  }
  const auto index = static_cast<std::uint32_t>(found);
  take_node(holder, slot, index, now_us);
  return index;
}

void Pool::take_node(std::uint32_t holder, std::uint32_t slot, std::uint32_t index,
                     std::int64_t now_us) {
  AFTERSHOCK_ASSERT(free_[index]);
  account(now_us);
  hold(holder, slot, index);
  last_taker_ = holder;
  taken_.set(index);
  remember_free(index);
}

void Pool::release_one(std::uint32_t index, std::int64_t now_us) {
  AFTERSHOCK_ASSERT(taken_[index]);
  account(now_us);
  isolated_ -= kept_idle(index) ? 1 : 0;
  taken_.reset(index);
  isolated_ += kept_idle(index) ? 1 : 0;
  remember_free(index);
}

void Pool::release(const Placement& placement, std::int64_t now_us) {
  account(now_us);
  AFTERSHOCK_ASSERT(placement.nodes.is_subset_of(taken_));
  taken_ -= placement.nodes;
  free_ |= placement.nodes;
  // A node may have failed, or been isolated, while it was held.
  free_ -= unfit_;
  const std::uint32_t unfit = release_unfit(placement.nodes);
  free_count_ += static_cast<std::uint32_t>(placement.slots.size()) - unfit;
  idle_spares_ = idle_spares();
}

// One by one: they are few, and without an instruction for it counting bits is a call a word.
std::uint32_t Pool::release_unfit(const NodeBits& nodes) {
  const NodeBits unfit = nodes & unfit_;
  std::uint32_t count = 0;
  for (auto i = unfit.find_first(); i != NodeBits::npos; i = unfit.find_next(i)) {
    ++count;
    // It idled already where a policy had isolated it.
    const auto index = static_cast<std::uint32_t>(i);
    isolated_ += kept_idle(index) && !nodes_[index].isolated ? 1 : 0;
  }
  return count;
}

std::vector<std::uint32_t> Pool::replaceable(std::uint32_t most) const {
  std::vector<std::uint32_t> found;
  for (auto i = unfit_.find_first(); i != NodeBits::npos && found.size() < most;
       i = unfit_.find_next(i)) {
    const Node& node = nodes_[i];
    const bool gone =
        !node.present || node.known_down || node.isolated || node.bad_accelerators > 0;
    // A machine that works and is held may have processes on it, whatever the cluster thinks of it.
    // One that is dead has none: whether its holder gives the slot back or keeps it for the machine
    // that comes is nothing to the provider of machines.
    const bool used = taken_[i] && node.up;
    if (gone && !node.provisioning && !used) {
      found.push_back(static_cast<std::uint32_t>(i));
    }
  }
  return found;
}

void Pool::account(std::int64_t now_us) {
  AFTERSHOCK_ASSERT(now_us >= accounted_us_);
  const std::int64_t passed_us = now_us - accounted_us_;
  accounted_us_ = now_us;
  usage_.spares_idle_us += idle_spares_ * passed_us;
  usage_.isolated_us += isolated_ * passed_us;
  usage_.repairing_us += repairing_ * passed_us;
  usage_.up_us += up_ * passed_us;
}

}  // namespace aftershock::sim::machines
