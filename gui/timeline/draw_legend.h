#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "gui/lod/cell.h"
#include "gui/timeline/frame.h"

namespace aftershock::gui {

/// The strip below the lanes, if the layout has one: the colours of the run's kinds, and what they
/// mean. Where each stands it leaves in the frame's cache.
void draw_legend(const Frame& frame, Canvas& canvas);

/// Entries put into lines.
struct LegendLines {
  std::vector<std::size_t> ends;  ///< behind the last entry of each line
  std::size_t left_out = 0;       ///< at the end, for which there is no room
};

/// Puts entries of these widths, with `gap_px` between them, into at most `lines` lines of
/// `room_px`. Where they do not fit, `more_px` stay free at the end of the last line to say so. An
/// entry wider than a line ends it.
LegendLines legend_lines(std::span<const int> widths, int gap_px, int room_px, std::size_t lines,
                         int more_px);

}  // namespace aftershock::gui
