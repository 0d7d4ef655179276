#include "gui/lod/time_axis.h"

#include <algorithm>
#include <bit>

namespace aftershock::gui {
namespace {

__extension__ using Wide = unsigned __int128;

std::int64_t later(std::int64_t from_us, std::uint64_t by_us) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(from_us) + by_us);
}

// The smallest m * 2^k that is not below, m in 8 .. 15 (or k = 0).
struct Step {
  std::uint64_t us = 1;
  int shift = 0;
};

Step step_of(std::uint64_t us) {
  const int shift = us < 16 ? 0 : static_cast<int>(std::bit_width(us)) - 4;
  const std::uint64_t whole = std::uint64_t{1} << static_cast<unsigned>(shift);
  const std::uint64_t m = (us + whole - 1) / whole;
  return m == 16 ? Step{16 * whole, shift + 1} : Step{m * whole, shift};
}

}  // namespace

TimeAxis made_valid(TimeAxis axis) {
  axis.width_px = std::max(axis.width_px, 1);
  axis.begin_us = std::clamp(axis.begin_us, -kFurthest_us, kFurthest_us - 1);
  axis.end_us = std::clamp(axis.end_us, axis.begin_us + 1, kFurthest_us);
  return axis;
}

std::int64_t time_of(const TimeAxis& axis, int x) {
  const std::uint64_t length = length_us(axis);
  const auto width = static_cast<std::uint64_t>(axis.width_px);
  const Wide product = Wide{length} * static_cast<unsigned>(x);
  const Wide rounded = length >= width ? product + Wide{width - 1} : product;
  return later(axis.begin_us, static_cast<std::uint64_t>(rounded / width));
}

int pixel_of(const TimeAxis& axis, std::int64_t t_us) {
  if (t_us < axis.begin_us) {
    return -1;
  }
  if (t_us >= axis.end_us) {
    return axis.width_px;
  }
  const std::uint64_t length = length_us(axis);
  const auto width = static_cast<std::uint64_t>(axis.width_px);
  const std::uint64_t since =
      static_cast<std::uint64_t>(t_us) - static_cast<std::uint64_t>(axis.begin_us);
  const Wide product = Wide{since} * width;
  return static_cast<int>((length >= width ? product : product + Wide{length - 1}) / length);
}

TimeAxis snapped(const TimeAxis& axis, std::int64_t anchor_us) {
  const std::uint64_t length = length_us(axis);
  const auto width = static_cast<std::uint64_t>(axis.width_px);
  if (length <= width) {
    return axis;
  }
  const std::int64_t anchor = std::clamp(anchor_us, axis.begin_us, axis.end_us);
  const std::uint64_t before =
      static_cast<std::uint64_t>(anchor) - static_cast<std::uint64_t>(axis.begin_us);
  Step step = step_of((length + width - 1) / width);
  while (true) {
    const Wide shown = Wide{step.us} * width;
    if (shown > static_cast<std::uint64_t>(kFurthest_us)) {
      return axis;
    }
    // The anchor keeps its share of the width, as far as all stays in sight.
    const auto left =
        static_cast<std::int64_t>(static_cast<std::uint64_t>(shown * before / length));
    const auto all = static_cast<std::int64_t>(shown);
    const std::int64_t unit = std::int64_t{1} << step.shift;
    const auto below = [&](std::int64_t t_us) { return (t_us >> step.shift) * unit; };
    const std::int64_t lowest = std::max(below(axis.end_us - all + unit - 1), -kFurthest_us);
    const std::int64_t highest = std::min(below(axis.begin_us), kFurthest_us - all);
    if (lowest <= highest) {
      const std::int64_t begin = std::clamp(below(anchor - left), lowest, highest);
      return {begin, begin + all, axis.width_px};
    }
    step = step_of(step.us + 1);
  }
}

Columns::Columns(const TimeAxis& axis) : axis_(made_valid(axis)) {
  const std::uint64_t length = length_us(axis_);
  const auto width = static_cast<std::uint64_t>(axis_.width_px);
  const std::uint64_t count = std::min(length, width);
  per_us_ = static_cast<double>(count) / static_cast<double>(length);
  begin_us_.resize(count + 1);
  if (length <= width) {
    for (std::uint64_t i = 0; i <= count; ++i) {
      begin_us_[i] = later(axis_.begin_us, i);
    }
    return;
  }
  // As time_of says, without its divisions: the remainder is carried.
  const std::uint64_t whole = length / width;
  const std::uint64_t rest = length % width;
  std::uint64_t at = 0;
  std::uint64_t carried = 0;
  for (std::uint64_t i = 0; i <= count; ++i) {
    begin_us_[i] = later(axis_.begin_us, at + (carried > 0 ? 1 : 0));
    at += whole;
    carried += rest;
    if (carried >= width) {
      carried -= width;
      ++at;
    }
  }
}

int Columns::of_pixel(int x) const {
  return count() == axis_.width_px ? x : static_cast<int>(time_of(axis_, x) - axis_.begin_us);
}

}  // namespace aftershock::gui
