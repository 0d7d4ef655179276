#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <boost/dynamic_bitset.hpp>

#include "sim/scenario/scenario.h"

namespace aftershock::sim::machines {

/// A set of the nodes of a pool.
using NodeBits = boost::dynamic_bitset<std::uint64_t>;

/// Exactly one of these holds for a node and the accelerators on it (design.md 5).
enum class DeviceState : std::uint8_t {
  kFree,
  kAllocated,
  kDraining,   ///< announced to go away, takes no new work
  kIsolated,   ///< there, but cut off or out of order, and known to be
  kRepairing,  ///< down, and will be back
  kRetired,    ///< a slot that holds no machine
  kLost,       ///< down for good unless somebody replaces it
};

/// A slot of a pool and the machine in it. `epoch` changes with the machine's fate, so that
/// calendar entries about an earlier one are recognised.
struct Node {
  std::uint32_t epoch = 0;
  std::uint32_t job = 0;   ///< holder, where the pool says the node is taken
  std::uint32_t slot = 0;  ///< which of the holder's slots it fills
  std::uint16_t bad_accelerators = 0;
  bool present = true;      ///< the slot has a machine
  bool up = true;           ///< the machine works
  bool known_down = false;  ///< the cluster has declared it dead
  bool cut = false;         ///< the head and it cannot talk: one of the next two, or both
  bool mute = false;        ///< its messages do not reach the head: its heartbeats stay away
  bool deaf = false;        ///< the head's messages do not reach it
  bool draining = false;
  bool isolated = false;                 ///< a policy keeps it from the scheduler
  bool isolated_until_released = false;  ///< where isolated: being well does not end that
  bool repairing = false;                ///< isolated with a date on which it is well again
  bool awaits_crew = false;              ///< down or isolated, and will be repaired: no date yet
  bool returns = false;                  ///< down with a date of return
  bool provisioning = false;             ///< a new machine for the slot is on its way
  bool withheld = false;                 ///< a spare that is not given out for now
  std::uint32_t isolations = 0;          ///< how often it was isolated
  std::uint32_t isolated_by = 0;         ///< where isolated: job whose policy did
  std::int64_t back_us = 0;  ///< that date, where `returns`; while it awaits the crew: not before
  std::uint32_t down_fault = 0;  ///< where down or draining: what took or will take it down
  std::optional<std::uint32_t> full_disk;  ///< fault that filled it
  std::int64_t silent_since_us = 0;        ///< where down or mute: since when heartbeats stay away
};

/// Another machine for the slot, or the same one repaired: what ailed the one before is over.
inline void begin_well(Node& node) {
  ++node.epoch;
  node.returns = false;
  node.isolated = false;
  node.awaits_crew = false;
  node.full_disk.reset();
}

/// Which nodes a gang holds: `slots[i]` is the node of slot i.
struct Placement {
  std::vector<std::uint32_t> slots;
  NodeBits nodes;
};

/// Node time since the start, in node-microseconds.
struct PoolUsage {
  std::int64_t spares_idle_us = 0;
  std::int64_t isolated_us = 0;  ///< kept from work, and nobody works on it
  std::int64_t repairing_us = 0;
  std::int64_t up_us = 0;
};

/// The nodes of one pool and who holds them. Taking and releasing a gang costs machine words per
/// pool and steps per node that changed, as long as nobody else took nodes in between.
class Pool {
 public:
  explicit Pool(const scenario::PoolSpec& spec);

  /// How many slots there are, and what is so of each.
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(nodes_.size()); }
  [[nodiscard]] const Node& node(std::uint32_t index) const { return nodes_[index]; }
  [[nodiscard]] DeviceState state(std::uint32_t index) const;
  /// Whether the scheduler would put work on the node if nobody held it.
  [[nodiscard]] bool placeable(std::uint32_t index) const;
  [[nodiscard]] bool taken(std::uint32_t index) const { return taken_[index]; }
  [[nodiscard]] std::int64_t nodes_taken() const {
    return static_cast<std::int64_t>(taken_.count());
  }

  /// Changes a node through `change(Node&)` at `now_us`, keeping all that depends on it in step.
  template <class Change>
  void update(std::uint32_t index, std::int64_t now_us, Change&& change) {
    account(now_us);
    forget(index);
    change(nodes_[index]);
    remember(index);
    changed_.set(index);
    has_changes_ = true;
  }

  /// Gives `job` a gang of `count` nodes, keeping those of `placement` that it can have again and
  /// filling the rest with the lowest free ones. False, and nothing changes, when there are not
  /// enough.
  bool take(std::uint32_t job, std::uint32_t count, Placement& placement, std::int64_t now_us);
  /// Gives the lowest free node to `holder`, as its slot `slot`; none when there is none.
  std::optional<std::uint32_t> take_one(std::uint32_t holder, std::uint32_t slot,
                                        std::int64_t now_us);
  /// Gives that node, which is free, to `holder`, as its slot `slot`.
  void take_node(std::uint32_t holder, std::uint32_t slot, std::uint32_t index,
                 std::int64_t now_us);
  /// Gives a node back that was taken so.
  void release_one(std::uint32_t index, std::int64_t now_us);
  /// Gives the gang's nodes back.
  void release(const Placement& placement, std::int64_t now_us);

  /// Free nodes that could be taken now.
  [[nodiscard]] std::uint32_t available() const { return free_count_; }
  /// Nodes on whose disk nothing can be written.
  [[nodiscard]] std::uint32_t full_disks() const { return full_disks_; }
  /// Nodes that look fine to the cluster and are not.
  [[nodiscard]] std::uint32_t hidden_faults() const { return hidden_faults_; }
  /// Whether one of these is not placeable.
  [[nodiscard]] bool any_unfit(const NodeBits& nodes) const { return unfit_.intersects(nodes); }
  /// Slots for which a new machine may be asked, lowest first: without a working machine as far as
  /// the cluster knows, and with none on its way.
  [[nodiscard]] std::vector<std::uint32_t> replaceable(std::uint32_t most) const;
  [[nodiscard]] std::uint32_t provisioning() const { return provisioning_; }
  /// Nodes that work, taken or not.
  [[nodiscard]] std::int64_t nodes_up() const { return up_; }

  /// Nodes that `update` was called for since the changes were forgotten last.
  [[nodiscard]] const NodeBits& changed() const { return changed_; }
  [[nodiscard]] bool has_changes() const { return has_changes_; }
  void forget_changes() {
    changed_.reset();
    has_changes_ = false;
  }

  /// Brings the usage up to `now_us`.
  void account(std::int64_t now_us);
  [[nodiscard]] const PoolUsage& usage() const { return usage_; }

 private:
  void forget(std::uint32_t index);
  void remember(std::uint32_t index);
  void remember_free(std::uint32_t index);
  [[nodiscard]] std::int64_t idle_spares() const;
  [[nodiscard]] bool kept_idle(std::uint32_t index) const;
  /// How many of these, which nobody holds any more, take no work.
  std::uint32_t release_unfit(const NodeBits& nodes);
  [[nodiscard]] bool replace_gone(std::uint32_t job, Placement& placement);
  void hold(std::uint32_t job, std::uint32_t slot, std::uint32_t index);

  std::vector<Node> nodes_;
  NodeBits unfit_;  ///< not placeable: few, mostly
  NodeBits taken_;
  NodeBits free_;  ///< placeable and not taken
  NodeBits changed_;
  bool has_changes_ = false;
  std::uint32_t free_count_ = 0;
  std::uint32_t first_spare_;
  std::uint32_t spares_;
  std::uint32_t last_taker_ = 0;
  std::uint32_t full_disks_ = 0;
  std::uint32_t hidden_faults_ = 0;
  std::uint32_t provisioning_ = 0;
  std::int64_t isolated_ = 0;  ///< of those that nobody works on
  std::int64_t repairing_ = 0;
  std::int64_t up_ = 0;
  std::int64_t idle_spares_ = 0;
  std::int64_t accounted_us_ = 0;
  PoolUsage usage_;
};

}  // namespace aftershock::sim::machines
