#pragma once

#include <cstdint>

#include "gui/lod/time_axis.h"

namespace aftershock::gui {

/// Times [begin_us, end_us).
struct TimeRange {
  std::int64_t begin_us = 0;
  std::int64_t end_us = 1;

  friend bool operator==(const TimeRange&, const TimeRange&) = default;
};

/// The whole run and a 32nd of it on both sides: nothing beyond is shown.
TimeRange limits_of(const TimeRange& run);

/// The nearest range within the limits of the run, at least a microsecond long.
TimeRange clamped(const TimeRange& shown, const TimeRange& run);

/// `factor` times closer (below 1: further away); `about_us` stays where it is on the screen unless
/// the run ends there. Something changes unless a limit is reached.
TimeRange zoomed(const TimeRange& shown, std::int64_t about_us, double factor,
                 const TimeRange& run);

/// Moved by a part of what is shown, to the left where it is negative.
TimeRange panned(const TimeRange& shown, double screens, const TimeRange& run);
/// Moved by a time.
TimeRange panned_us(const TimeRange& shown, std::int64_t by_us, const TimeRange& run);

/// As long as before, with `wanted` in the middle.
TimeRange centred(const TimeRange& shown, const TimeRange& wanted, const TimeRange& run);

/// All of `wanted` and a 16th of it on both sides. An instant is shown with a second around it, or
/// if that is already so, ten times closer.
TimeRange fitted(const TimeRange& shown, const TimeRange& wanted, const TimeRange& run);

/// The smallest move that shows `t_us`; nothing changes if it is seen.
TimeRange showing(const TimeRange& shown, std::int64_t t_us, const TimeRange& run);

/// A time to be chosen by the pointer, where a pixel shows `us_a_pixel`: the nearest multiple of
/// the longest of 1, 10 and 100 us and ms, 1 and 10 s and min, 1 h and 1 d that is within a pixel.
std::int64_t pointed_us(std::int64_t t_us, double us_a_pixel);

/// The axis of so many pixels, its borders on those of buckets if that can be (see `snapped`).
TimeAxis axis_of(const TimeRange& shown, int width_px, std::int64_t anchor_us);

/// The axis of the whole run: a timeline that shows all has the same, so that the map of the run
/// above it stands exactly over it.
TimeAxis whole_axis(const TimeRange& run, int width_px);

}  // namespace aftershock::gui
