#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "gui/cluster/cluster_states.h"
#include "gui/cluster/place_state.h"
#include "gui/lanes/lane_key.h"
#include "gui/scene/scene.h"

namespace aftershock::gui {

/// The jobs whose work runs on the nodes of the pools, and which nodes hang, at a time that moves:
/// a step takes time for the nodes that change hands in it.
class NodeHolders {
 public:
  /// A job or an experiment, and how many nodes it holds at the time.
  struct Owner {
    LaneKey key;
    std::int64_t nodes = 0;
  };

  /// The scene outlives it; jobs, experiments and pools are those of its directory.
  explicit NodeHolders(const Scene& scene);

  /// Goes to a time, with all that the trace says by now. True where nodes have other holders then,
  /// or hang, or hang no longer.
  bool go_to(std::int64_t t_us);

  /// Jobs first, then experiments, in the order of the header.
  [[nodiscard]] std::span<const Owner> owners() const { return owners_; }
  /// The index among them of the holder of a pool's node; kNone: nobody holds it.
  [[nodiscard]] std::uint32_t owner_of(std::int64_t pool, std::int64_t node) const;
  /// The owner of the most nodes of a cell of the map; kNone: nobody holds any.
  [[nodiscard]] std::uint32_t main_owner(const LaneKey& cell) const;
  /// The cell's states with those that holders decide: free, and hung. A pool of which the
  /// recording tells no holder stays as it is.
  [[nodiscard]] Census census(const ClusterStates& states, const LaneKey& cell) const;

 private:
  /// One line `holds`, and the one before it about the same job or trial.
  struct Change {
    std::int64_t t_us = 0;
    std::uint32_t holds = 0;  ///< index among the trace's
    std::uint32_t before = kNone;
    std::uint32_t owner = kNone;
    std::uint32_t pool = kNone;
  };
  struct Node {
    std::uint32_t owner = kNone;
    std::uint32_t times = 0;  ///< trials share nodes
  };
  struct Pool {
    std::vector<Node> nodes;  ///< up to the last one that was ever held
    bool told = false;
  };
  struct Hang {
    std::int64_t begin_us = 0;
    std::int64_t until_us = kOpen;
    std::uint32_t pool = 0;
    std::int64_t node = 0;
    std::uint32_t entity = kNone;  ///< the job whose phases end it
    friend bool operator==(const Hang&, const Hang&) = default;
  };

  void take_new();
  void take_new_hangs();
  [[nodiscard]] std::optional<LaneKey> place_of(const Fault& fault) const;
  [[nodiscard]] std::optional<LaneKey> place_of_rank(std::uint32_t owner, std::int64_t rank) const;
  void move_to(std::int64_t t_us);
  void apply(std::uint32_t change, bool holds);
  [[nodiscard]] std::uint32_t owner_index(const LaneKey& key) const;
  [[nodiscard]] std::int64_t over_us(const Hang& hang) const;
  [[nodiscard]] std::pair<std::size_t, std::size_t> nodes_of(const LaneKey& cell) const;

  const Scene* scene_;
  std::vector<Owner> owners_;
  std::vector<std::uint32_t> pool_of_;  ///< by owner
  std::vector<Pool> pools_;
  std::vector<Change> changes_;
  std::vector<std::uint32_t> last_;  ///< by entity: its newest change
  std::size_t applied_ = 0;          ///< changes that are in `pools_`
  std::vector<Hang> hangs_;
  std::vector<Hang> hung_;  ///< at the time
  std::size_t known_faults_ = 0;
};

}  // namespace aftershock::gui
