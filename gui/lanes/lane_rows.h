#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gui/lanes/lane_tree.h"

namespace aftershock::gui {

/// The user's changes to the list, to be kept and undone: a value. Lists of keys are in order, but
/// for `pinned`.
struct LaneState {
  /// Groups stand open that are not in `exceptions`, or only those.
  bool all_open = false;
  std::vector<LaneKey> exceptions;
  std::vector<LaneKey> open_runs;  ///< for TreeOptions: opening one takes another tree
  std::vector<LaneKey> hidden;     ///< with all that is in them
  bool show_hidden = false;
  std::vector<LaneKey> pinned;  ///< in the order of pinning
  std::string filter;           ///< lanes whose name has this in it, whatever the case; empty: all

  friend bool operator==(const LaneState&, const LaneState&) = default;
};

/// How the list stands at first: jobs and experiments are open, clusters are not.
LaneState first_state(const LaneTree& tree);

/// Opens or closes one group.
void set_open(LaneState& state, const LaneKey& group, bool open);
/// Opens or closes all of them.
void set_all_open(LaneState& state, bool open);
/// Opens what a lane is in, so that it has a row.
void reveal(LaneState& state, const LaneTree& tree, const LaneKey& lane);
/// Whether the rows of what is in the group are shown, unless it is hidden.
bool is_open(const LaneState& state, const LaneKey& group);
/// Pins the lane, or takes it off.
void toggle_pinned(LaneState& state, const LaneKey& lane);
/// Hides the lane, or shows it again.
void toggle_hidden(LaneState& state, const LaneKey& lane);

/// The rows of the list, from the top.
struct LaneRows {
  std::vector<std::uint32_t> nodes;   ///< of the tree, for each row
  std::vector<std::uint32_t> row_of;  ///< of each node of the tree, kNowhere without a row
  std::vector<std::uint32_t> pinned;  ///< nodes, which may have a row of their own besides
};

/// Takes time for the tree, 100,000 lanes a few milliseconds.
LaneRows make_rows(const Directory& directory, const LaneTree& tree, const LaneState& state);

/// The row of a lane, or of the innermost group of it that has one; kNowhere for none.
std::uint32_t row_near(const LaneTree& tree, const LaneRows& rows, const LaneKey& lane);

/// The first row to show so that `lane` stands `below` rows from the top, as it did before the list
/// changed; as near as the ends of the list allow where `visible` rows are seen at once.
std::uint32_t first_row_for(const LaneTree& tree, const LaneRows& rows, const LaneKey& lane,
                            std::uint32_t below, std::uint32_t visible);

/// The groups of the first row shown that are above it, from the top: they stay in sight.
std::vector<std::uint32_t> sticky_groups(const LaneTree& tree, const LaneRows& rows,
                                         std::uint32_t first_row);

}  // namespace aftershock::gui
