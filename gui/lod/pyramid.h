#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gui/lod/cell.h"
#include "gui/trace/spans.h"

namespace aftershock::gui {

/// The content of buckets of 2^shift us, 2^(shift + 1) us, ... Bucket b of level l holds the times
/// [b << (shift + l), (b + 1) << (shift + l)), so buckets stay where they are whatever is shown.
struct Pyramid {
  /// One size of buckets.
  struct Level {
    std::int64_t first = 0;  ///< bucket
    std::size_t offset = 0;  ///< of it in `cells`
  };
  int shift = 0;
  /// The cells say the truth for times within [begin_us, end_us), both borders of lowest buckets.
  std::int64_t begin_us = 0;
  std::int64_t end_us = 0;
  /// Before begin_us there is nothing; from end_us on, unless something has been forgotten there,
  /// what nothing ends: these kinds.
  KindMask open = 0;
  bool is_whole = true;
  std::vector<Level> levels;
  std::vector<Cell> cells;

  [[nodiscard]] bool empty() const { return levels.empty(); }
  /// A bucket that the level has.
  [[nodiscard]] const Cell& cell(std::size_t level, std::int64_t bucket) const {
    return cells[levels[level].offset + static_cast<std::size_t>(bucket - levels[level].first)];
  }
};

/// The pyramid of one lane, or of several as one. At most `buckets` (> 0) on the lowest level, and
/// twice as many in all. Of two kinds in a bucket the one is dominant that more lanes spend more
/// time in; a lane counts once however many of its spans of one kind overlap.
Pyramid make_pyramid(std::span<const LaneSpans> lanes, std::size_t buckets);

/// From `t_us` on the spans have changed: the cells no longer speak for it.
void forget_from(Pyramid& pyramid, std::int64_t t_us);

/// Two neighbours, equally long, as one.
Cell joined(const Cell& left, const Cell& right);

}  // namespace aftershock::gui
