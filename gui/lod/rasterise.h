#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gui/lod/gaps.h"
#include "gui/lod/kind_times.h"
#include "gui/lod/lane_lod.h"
#include "gui/lod/pyramid.h"
#include "gui/lod/row_painter.h"
#include "gui/lod/time_axis.h"

namespace aftershock::gui {

/// Several lanes drawn as one row: a collapsed rack, all there is. A few short lanes need nothing
/// of it and are drawn one over the other.
struct GroupLod {
  KindMask kinds = 0;
  std::size_t spans = 0;    ///< that the pyramid was made from
  std::int64_t end_us = 0;  ///< of the pyramid when it was made
  Pyramid pyramid;
  /// For pixels that are finer than its buckets, as far as the pyramid speaks. None: the lanes are
  /// looked at for them.
  std::optional<KindTimes> times;
};

/// For the lanes of a group; they stay the caller's. One that grows is made anew time and again, so
/// `grows` makes only what is needed to show all of it.
GroupLod make_group_lod(std::span<const LaneView> lanes, bool grows = false);

/// Lanes of the group have grown, from `changed_from_us` on (see that of a lane, whose LaneLod is
/// up to date). Made anew when it knows too little, until then the lanes stand in for what it
/// lacks.
void extend(GroupLod& group, std::span<const LaneView> lanes, std::int64_t changed_from_us);

/// Memory that a row needs, kept from row to row.
struct RasterScratch {
  RowScratch row;
  std::vector<Gap> gaps;
  std::size_t looked_up = 0;  ///< lanes of groups that had to be looked at since it was made
};

/// The content of each pixel of a row; `cells` has columns.width_px() of them.
///
/// Masks are exact, as if each span were painted by itself: where a pixel's border crosses a bucket
/// of the pyramid that does not say which side its kinds are on, the spans do. On an axis made by
/// `snapped` borders cross no bucket as long as buckets are no wider than an eighth of a pixel.
void rasterise(const LaneView& lane, const Columns& columns, RasterScratch& scratch,
               std::span<Cell> cells);
void rasterise(const GroupLod& group, std::span<const LaneView> lanes, const Columns& columns,
               RasterScratch& scratch, std::span<Cell> cells);

/// How many of `times_us`, in order, are in each pixel: the density of faults for a minimap.
std::vector<std::size_t> count_times(std::span<const std::int64_t> times_us,
                                     const Columns& columns);

}  // namespace aftershock::gui
