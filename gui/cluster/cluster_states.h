#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "gui/cluster/bases.h"
#include "gui/cluster/holding.h"
#include "gui/cluster/interval_tree.h"
#include "gui/cluster/place_state.h"
#include "gui/scene/scene.h"

namespace aftershock::gui {

/// A node, head or storage of which something is recorded; or a rack or pool of which that is so,
/// whose state only says whether it is cut off. Rack and pool stand before what is in them.
struct ClusterPlace {
  LaneKey key;
  PlaceState base = PlaceState::kUp;   ///< as long as nothing is recorded
  PlaceState state = PlaceState::kUp;  ///< at the time that was gone to
  KindMask kinds = 0;                  ///< of the spans that it is in then
  bool absent = false;                 ///< by what was recorded last; else as `base` has it
  std::uint8_t cut_above = 0;          ///< so many of its rack and its pool are cut off
  std::uint32_t first_watch = 0;       ///< its own among the watches
  std::uint32_t watches = 0;

  /// A node, head or storage, and no group of nodes.
  [[nodiscard]] bool is_node() const { return key.node >= 0; }
};

/// The state of the cluster at a time that moves: a step takes time for what changes in it, a jump
/// for the places of which something is recorded at the most, whatever the header claims.
class ClusterStates {
 public:
  /// Of the lanes that the scene has now; with other lanes, another one is to be made. The scene
  /// outlives it.
  explicit ClusterStates(const Scene& scene);

  /// The trace has grown, without other lanes: the next `go_to` looks at all again.
  void refresh();
  /// Goes to a time. Places whose state is another one then, in order; of a rack or pool that is
  /// cut off or no longer, itself and what is in it. Good until the next call.
  std::span<const std::uint32_t> go_to(std::int64_t t_us);

  /// Another number as soon as another place, rack or pool is cut off by itself.
  [[nodiscard]] std::uint32_t cuts_version() const { return cuts_version_; }
  /// In the order of their keys.
  [[nodiscard]] std::span<const ClusterPlace> places() const { return places_; }
  /// The place of a key; null where nothing is recorded of it.
  [[nodiscard]] const ClusterPlace* find(const LaneKey& key) const;
  /// The state of a node, head or storage, whatever is recorded of it.
  [[nodiscard]] PlaceState state_of_place(const LaneKey& key) const;
  /// How many of `count` nodes, heads or storages from `first` on are in which state.
  [[nodiscard]] Census count(Section section, std::int64_t pool, std::int64_t first,
                             std::int64_t count) const;
  /// The places of [first, first + count): indices from `.first` up to `.second`. Of a pool with
  /// racks there may be racks among them.
  [[nodiscard]] std::pair<std::size_t, std::size_t> places_among(Section section, std::int64_t pool,
                                                                 std::int64_t first,
                                                                 std::int64_t count) const;

 private:
  /// A lane that says something of a place.
  struct Watch {
    std::uint32_t lane = kNone;
    std::uint32_t place = 0;
    bool of_part = false;     ///< of an accelerator
    bool of_machine = false;  ///< tells whether there is a machine in the slot
    KindMask kinds = 0;       ///< at the time; of_machine: 1 where there is none, 2 where there is
    std::uint32_t known = 0;  ///< of_machine: marks that were looked at
    std::vector<std::pair<std::int64_t, bool>> machines;  ///< of_machine: when one came or went
  };

  void look_at_lanes();
  void look_for_machines(Watch& watch);
  [[nodiscard]] Holding look(const Watch& watch, std::int64_t t_us) const;
  void settle(std::uint32_t index);
  void cut_or_join(std::uint32_t index, bool cut);
  [[nodiscard]] PlaceState unrecorded(const ClusterPlace& place) const;
  void take_away_cut(Census& census, std::int64_t pool, std::int64_t first,
                     std::int64_t count) const;
  [[nodiscard]] std::int64_t rack_at(Section section, std::int64_t pool, std::int64_t slot) const;

  const Scene* scene_;
  Bases bases_;
  std::vector<ClusterPlace> places_;
  std::vector<Watch> watches_;
  IntervalTree stays_;
  TextId came_ = kNoText;
  TextId went_ = kNoText;
  std::vector<std::uint32_t> expired_;
  std::vector<std::uint32_t> touched_;
  std::vector<std::uint32_t> changed_;
  std::vector<bool> is_changed_;
  std::uint32_t cuts_version_ = 0;
  std::vector<std::uint32_t> cut_groups_;  ///< racks and pools that are cut off, in order
};

}  // namespace aftershock::gui
