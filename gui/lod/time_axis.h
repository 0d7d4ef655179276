#pragma once

#include <cstdint>
#include <vector>

namespace aftershock::gui {

/// Times further away than this are shown nowhere; a span may begin or end there.
inline constexpr std::int64_t kFurthest_us = std::int64_t{1} << 62;

/// The times [begin_us, end_us) over `width_px` pixels. Both ends lie within -kFurthest_us ..
/// kFurthest_us, end_us > begin_us, width_px > 0; `made_valid` sees to it.
struct TimeAxis {
  std::int64_t begin_us = 0;
  std::int64_t end_us = 1;
  int width_px = 1;

  friend bool operator==(const TimeAxis&, const TimeAxis&) = default;
};

/// The nearest axis that keeps to the limits.
TimeAxis made_valid(TimeAxis axis);

/// How many microseconds are shown.
constexpr std::uint64_t length_us(const TimeAxis& axis) {
  return static_cast<std::uint64_t>(axis.end_us) - static_cast<std::uint64_t>(axis.begin_us);
}

/// The first microsecond of pixel x, 0 .. width_px (there: the end). Where a microsecond is wider
/// than a pixel: the one that holds the pixel's left side.
std::int64_t time_of(const TimeAxis& axis, int x);

/// The pixel that holds `t_us`, exactly the one whose [time_of(x), time_of(x + 1)) does; where a
/// microsecond is wider than a pixel, its first. -1 before the axis, width_px behind it.
int pixel_of(const TimeAxis& axis, std::int64_t t_us);

/// The axis with whole microseconds a pixel, 8 .. 15 times a power of two, beginning at a multiple
/// of that power: pixels are whole buckets of every pyramid that is fine enough, so that nothing
/// has to be looked up in spans. Shows all that `axis` does and up to an eighth more; `anchor_us`,
/// if it is within, stays where it is, to an eighth of a pixel. One that shows less than a
/// microsecond a pixel stays as it is.
TimeAxis snapped(const TimeAxis& axis, std::int64_t anchor_us);

/// The borders of an axis's columns, made once for all rows of a picture. A column is a pixel, or
/// where microseconds are wider than pixels a microsecond.
class Columns {
 public:
  explicit Columns(const TimeAxis& axis);

  /// How many there are.
  [[nodiscard]] int count() const { return static_cast<int>(begin_us_.size()) - 1; }
  /// The first microsecond of a column, 0 .. count().
  [[nodiscard]] std::int64_t begin_us(int column) const {
    return begin_us_[static_cast<std::size_t>(column)];
  }
  /// The column that holds a time of the axis.
  [[nodiscard]] int of(std::int64_t t_us) const {
    auto column = static_cast<int>(static_cast<double>(t_us - begin_us_.front()) * per_us_);
    column = column < count() ? column : count() - 1;
    while (begin_us(column) > t_us) {
      --column;
    }
    while (begin_us(column + 1) <= t_us) {
      ++column;
    }
    return column;
  }
  /// Columns a microsecond.
  [[nodiscard]] double per_us() const { return per_us_; }
  /// Pixels that the axis has.
  [[nodiscard]] int width_px() const { return axis_.width_px; }
  /// The column that a pixel shows.
  [[nodiscard]] int of_pixel(int x) const;

 private:
  TimeAxis axis_;
  double per_us_ = 1;
  std::vector<std::int64_t> begin_us_;
};

}  // namespace aftershock::gui
