#include "gui/view/time_range.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "gui/view/time_units.h"

namespace aftershock::gui {
namespace {

__extension__ using Wide = __int128;

constexpr std::int64_t kSecond_us = 1'000'000;

std::int64_t within(Wide t_us) {
  return static_cast<std::int64_t>(std::clamp(t_us, Wide{-kFurthest_us}, Wide{kFurthest_us}));
}

Wide length(const TimeRange& range) { return Wide{range.end_us} - range.begin_us; }

// Closer than 2^53 doubles are exact; further away nobody sees the difference.
Wide scaled(Wide us, double factor) {
  const double wanted = static_cast<double>(us) * factor;
  if (!(wanted > 1)) {
    return 1;
  }
  return wanted >= 0x1p62 ? Wide{kFurthest_us} : Wide{std::llround(wanted)};
}

TimeRange around(Wide begin_us, Wide length_us, const TimeRange& run) {
  return clamped({within(begin_us), within(begin_us + std::max(length_us, Wide{1}))}, run);
}

}  // namespace

TimeRange limits_of(const TimeRange& run) {
  const std::int64_t begin = std::clamp(run.begin_us, -kFurthest_us, kFurthest_us - 1);
  const std::int64_t end = std::clamp(run.end_us, begin + 1, kFurthest_us);
  const Wide margin = (length({begin, end}) + 31) / 32;
  return {within(begin - margin), within(end + margin)};
}

TimeRange clamped(const TimeRange& shown, const TimeRange& run) {
  const TimeRange limits = limits_of(run);
  const Wide us = std::clamp(length(shown), Wide{1}, length(limits));
  const Wide begin = std::clamp(Wide{shown.begin_us}, Wide{limits.begin_us}, limits.end_us - us);
  return {within(begin), within(begin + us)};
}

TimeRange zoomed(const TimeRange& shown, std::int64_t about_us, double factor,
                 const TimeRange& run) {
  const Wide before = length(shown);
  if (!(factor > 0) || before <= 0) {
    return clamped(shown, run);
  }
  Wide after = scaled(before, 1 / factor);
  if (after == before) {
    after += factor > 1 ? -1 : factor < 1 ? 1 : 0;
  }
  after = std::clamp(after, Wide{1}, length(limits_of(run)));
  const Wide left = Wide{std::clamp(about_us, shown.begin_us, shown.end_us)} - shown.begin_us;
  return around(shown.begin_us + left - left * after / before, after, run);
}

TimeRange panned(const TimeRange& shown, double screens, const TimeRange& run) {
  const Wide by = scaled(length(shown), std::abs(screens));
  return around(shown.begin_us + (screens < 0 ? -by : screens > 0 ? by : 0), length(shown), run);
}

TimeRange panned_us(const TimeRange& shown, std::int64_t by_us, const TimeRange& run) {
  return around(Wide{shown.begin_us} + by_us, length(shown), run);
}

TimeRange centred(const TimeRange& shown, const TimeRange& wanted, const TimeRange& run) {
  const Wide middle = (Wide{wanted.begin_us} + wanted.end_us) / 2;
  return around(middle - length(shown) / 2, length(shown), run);
}

TimeRange fitted(const TimeRange& shown, const TimeRange& wanted, const TimeRange& run) {
  const Wide us = length(wanted);
  if (us <= 0) {
    const Wide around_it =
        length(shown) > kSecond_us ? Wide{kSecond_us} : std::max(length(shown) / 10, Wide{1});
    return around(wanted.begin_us - around_it / 2, around_it, run);
  }
  const Wide margin = us / 16;
  return around(wanted.begin_us - margin, us + 2 * margin, run);
}

TimeRange showing(const TimeRange& shown, std::int64_t t_us, const TimeRange& run) {
  if (t_us < shown.begin_us) {
    return around(t_us, length(shown), run);
  }
  if (t_us >= shown.end_us) {
    return around(Wide{t_us} + 1 - length(shown), length(shown), run);
  }
  return shown;
}

std::int64_t pointed_us(std::int64_t t_us, double us_a_pixel) {
  constexpr std::array<std::int64_t, 11> kSteps{10,
                                                100,
                                                units::kMs,
                                                10 * units::kMs,
                                                100 * units::kMs,
                                                units::kSecond,
                                                10 * units::kSecond,
                                                units::kMinute,
                                                10 * units::kMinute,
                                                units::kHour,
                                                units::kDay};
  std::int64_t step = 1;
  for (const std::int64_t longer : kSteps) {
    step = static_cast<double>(longer) <= us_a_pixel ? longer : step;
  }
  const std::int64_t t = std::clamp(t_us, -kFurthest_us, kFurthest_us);
  const std::int64_t half = step / 2;
  return (t < 0 ? t - half : t + half) / step * step;
}

TimeAxis axis_of(const TimeRange& shown, int width_px, std::int64_t anchor_us) {
  return snapped(made_valid({shown.begin_us, shown.end_us, width_px}), anchor_us);
}

TimeAxis whole_axis(const TimeRange& run, int width_px) {
  const TimeRange limits = limits_of(run);
  return axis_of(limits, width_px, limits.begin_us / 2 + limits.end_us / 2);
}

}  // namespace aftershock::gui
