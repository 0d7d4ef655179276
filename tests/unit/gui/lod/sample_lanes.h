#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "gui/lod/lane_lod.h"
#include "gui/lod/time_axis.h"

namespace aftershock::gui::testing {

/// The kinds that lanes are made of here.
inline constexpr KindMask kWork = mask_of(Kind::kProductive);
inline constexpr KindMask kStruck = mask_of(Kind::kFault);
inline constexpr KindMask kDead = mask_of(Kind::kDown);

/// Raw numbers of a generator that the standard fixes to the bit.
class Dice {
 public:
  explicit Dice(std::uint64_t key) : engine_(key) {}
  /// One of 0 .. count-1.
  std::int64_t below(std::int64_t count) {
    return static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(count));
  }
  bool chance(int percent) { return below(100) < percent; }

 private:
  std::mt19937_64 engine_;
};

/// The columns of a lane.
struct SampleLane {
  std::vector<std::int64_t> begin_us;
  std::vector<std::int64_t> end_us;
  std::vector<Kind> kind;

  void add(std::int64_t begin, std::int64_t end, Kind what) {
    begin_us.push_back(begin);
    end_us.push_back(end);
    kind.push_back(what);
  }
  void sort() {
    std::vector<std::size_t> order(begin_us.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return begin_us[a] < begin_us[b]; });
    SampleLane sorted;
    for (const std::size_t i : order) {
      sorted.add(begin_us[i], end_us[i], kind[i]);
    }
    *this = std::move(sorted);
  }
  [[nodiscard]] LaneSpans spans() const { return {begin_us, end_us, kind}; }
  [[nodiscard]] LaneSpans first(std::size_t count) const {
    const LaneSpans all = spans();
    return {all.begin_us.first(count), all.end_us.first(count), all.kind.first(count)};
  }
};

/// [begin, end) of a pixel.
inline std::pair<std::int64_t, std::int64_t> times_of(const TimeAxis& axis, int x) {
  const std::int64_t begin = time_of(axis, x);
  const bool is_fine = length_us(axis) < static_cast<std::uint64_t>(axis.width_px);
  return {begin, is_fine ? begin + 1 : time_of(axis, x + 1)};
}

/// The part of [begin, end) that the span has: nothing where it does not meet it; an instant lies
/// in it.
inline bool meets(const LaneSpans& spans, std::size_t i, std::int64_t begin, std::int64_t end) {
  const std::int64_t from = spans.begin_us[i];
  const std::int64_t to = spans.end_us[i];
  return from < end && (to > from ? to > begin : from >= begin);
}

/// The painter that a picture is held against: every span by itself, for every pixel.
inline std::vector<KindMask> brute_force(const std::vector<LaneSpans>& lanes,
                                         const TimeAxis& axis) {
  std::vector<KindMask> masks(static_cast<std::size_t>(axis.width_px));
  for (const LaneSpans& spans : lanes) {
    for (std::size_t i = 0; i < spans.size(); ++i) {
      // Pixels that may hold it, and one more on each side.
      const std::int64_t last = std::max(spans.begin_us[i], std::min(spans.end_us[i], kOpen - 1));
      const int low = std::max(pixel_of(axis, spans.begin_us[i]) - 1, 0);
      const int high = std::min(pixel_of(axis, last) + 1, axis.width_px - 1);
      int x = low;
      for (; x <= high; ++x) {
        const auto [begin, end] = times_of(axis, x);
        if (meets(spans, i, begin, end)) {
          masks[static_cast<std::size_t>(x)] |= mask_of(spans.kind[i]);
        }
      }
      // Where microseconds are wider than pixels, pixel_of is the first of several.
      while (x < axis.width_px &&
             meets(spans, i, times_of(axis, x).first, times_of(axis, x).second)) {
        masks[static_cast<std::size_t>(x++)] |= mask_of(spans.kind[i]);
      }
    }
  }
  return masks;
}

}  // namespace aftershock::gui::testing
