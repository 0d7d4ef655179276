#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gui/view/time_range.h"

namespace aftershock::gui {

/// A mark of the ruler.
struct Tick {
  std::int64_t t_us = 0;  ///< since the start of the run
  std::string label;

  friend bool operator==(const Tick&, const Tick&) = default;
};

/// Marks at equal steps, or at those of the calendar.
struct Ruler {
  std::int64_t step_us = 0;  ///< of months and years the shortest there is
  std::string context;       ///< the part that labels leave out, of the first one: "2 d 4 h"
  std::vector<Tick> ticks;
};

/// Marks in simulated time, at most `most` (> 0): every 1, 2, 5 us ... 1, 2, 5, 10, 15, 30 s and
/// min, 1, 2, 3, 6, 12 h, 1, 2, 5, 10, 20, 50 ... d. A day is the longest unit: there is no
/// calendar in simulated time, so no months and years. A label has the unit of its step and the
/// next one; a mark at which a longer unit begins says that unit.
Ruler simulated_ruler(const TimeRange& shown, int most);

/// Marks in wall-clock time, `start_us` (see run_start) being the start of the run: at full
/// seconds, hours, days, months and years of the calendar.
Ruler wall_ruler(const TimeRange& shown, std::int64_t start_us, int most);

/// A time of the run, or a length of time, in the form of reports, exact to the unit of `step_us`:
/// "2d 04:03:12.5", "12.5 s", "-3 us", "0 s".
std::string format_simulated(std::int64_t t_us, std::int64_t step_us = 1);

}  // namespace aftershock::gui
