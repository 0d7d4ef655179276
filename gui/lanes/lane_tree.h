#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "gui/lanes/directory.h"
#include "gui/lanes/lane_key.h"

namespace aftershock::gui {

/// Something recorded of a lane; several may be of one lane. `id` is the caller's.
struct LaneContent {
  LaneKey key;
  std::uint32_t id = 0;
};

/// Stands for no lane of a tree and for no row.
inline constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();

/// Lanes with their groups, parents before children.
struct LaneTree {
  /// A lane or group.
  struct Node {
    LaneKey key;
    std::uint32_t parent = kNowhere;
    std::uint32_t depth = 0;
    std::uint32_t end = 0;  ///< behind the last lane in it; a lane without any: its index + 1
    /// Its own among LaneTree::content, those of lanes in it follow up to the first of node `end`.
    std::uint32_t first_content = 0;
    std::uint32_t contents = 0;
  };
  std::vector<Node> nodes;
  std::vector<LaneContent> content;  ///< in the order of keys
};

/// The parts of a tree beside the lanes with content.
struct TreeOptions {
  /// Also those of which nothing is recorded: one by one in a small cluster (kSmallCluster), else
  /// as runs, "gpu-17..495".
  bool all = false;
  std::vector<LaneKey> open_runs = {};  ///< that stand with what is in them, in order
};

/// Nodes, their accelerators and trials that are listed one by one.
inline constexpr std::int64_t kSmallCluster = 4096;
/// The greatest number of parts into which an open run is divided.
inline constexpr std::int64_t kRunParts = 1024;

/// Takes memory for the content and what is open, not for what the header claims to be there.
LaneTree make_tree(const Directory& directory, std::vector<LaneContent> content,
                   const TreeOptions& options);

/// Whether all lanes are worth listing from the start: they fit on a few screens.
bool is_small(const Directory& directory);

/// The lane's index in `nodes`, none if the tree does not have it.
std::optional<std::uint32_t> find(const LaneTree& tree, const LaneKey& key);

/// The content of a lane and of all lanes in it: what a collapsed row shows.
std::span<const LaneContent> content_of(const LaneTree& tree, std::uint32_t node);

}  // namespace aftershock::gui
