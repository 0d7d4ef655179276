#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace aftershock::gui {

/// Nodes of a pool by their numbers, both included.
struct NodeRange {
  std::uint32_t first = 0;
  std::uint32_t last = 0;

  friend bool operator==(const NodeRange&, const NodeRange&) = default;
};

/// Appends the ranges of "0-3,9" in their order; false, and nothing is appended, for any other
/// text. An empty one has none.
bool append_node_ranges(std::vector<NodeRange>& to, std::string_view text);

}  // namespace aftershock::gui
