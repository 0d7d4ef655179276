#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace aftershock::gui {

/// Least and most of some numbers; of none `least` is above `most`.
struct Extremes {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::int64_t most = std::numeric_limits<std::int64_t>::min();

  /// One more number.
  void meet(std::int64_t value) {
    least = std::min(least, value);
    most = std::max(most, value);
  }
  /// All that `other` is of.
  void meet(const Extremes& other) {
    least = std::min(least, other.least);
    most = std::max(most, other.most);
  }
  friend bool operator==(const Extremes&, const Extremes&) = default;
};

/// Extremes of whole runs of 16, 256, 4096, ... values: what a pixel shows of a counter takes time
/// for the pixel, not for its samples.
class ExtremeLevels {
 public:
  /// The values have grown: those that are known already are as they were.
  void extend(std::span<const std::int64_t> values);
  /// How many values are known.
  [[nodiscard]] std::size_t count() const { return count_; }
  /// Of values[first, last); `last` is at most count().
  [[nodiscard]] Extremes of(std::span<const std::int64_t> values, std::size_t first,
                            std::size_t last) const;

 private:
  std::size_t count_ = 0;
  std::vector<std::vector<Extremes>> levels_;
};

}  // namespace aftershock::gui
