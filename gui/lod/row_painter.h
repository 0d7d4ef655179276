#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gui/lod/cell.h"
#include "gui/lod/lane_lod.h"
#include "gui/lod/time_axis.h"

namespace aftershock::gui {

/// Memory that painting a row needs, kept from row to row.
struct RowScratch {
  std::vector<double> best_us;
  std::vector<double> covered_us;
  std::vector<int> partial;  ///< columns that no span fills
  std::vector<Cell> row;
  std::vector<std::uint16_t> sums;  ///< of a column and kind, for several lanes
};

/// Paints the columns [first, last) of `cells` from the spans alone, over whatever was there. Takes
/// time for the spans that can be seen and the columns, not for the lane; a run of spans within one
/// column counts as one where the lane has blocks.
void sweep(const LaneView& lane, const Columns& columns, int first, int last, RowScratch& scratch,
           std::span<Cell> cells);

}  // namespace aftershock::gui
