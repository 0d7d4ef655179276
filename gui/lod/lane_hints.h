#pragma once

#include <algorithm>
#include <cstdint>

#include "gui/lod/pyramid.h"

namespace aftershock::gui {

/// 64 slices of a pyramid's time; what is beyond counts to the first and the last.
class Slices {
 public:
  explicit Slices(const Pyramid& pyramid) : begin_us_(pyramid.begin_us) {
    while ((pyramid.end_us - 1 - begin_us_) >> shift_ >= 64) {
      ++shift_;
    }
  }
  /// All that [begin_us, end_us] touches.
  [[nodiscard]] std::uint64_t of(std::int64_t begin_us, std::int64_t end_us) const {
    return (~std::uint64_t{0} << of(begin_us)) & (~std::uint64_t{0} >> (63 - of(end_us)));
  }

 private:
  [[nodiscard]] unsigned of(std::int64_t t_us) const {
    return t_us <= begin_us_
               ? 0U
               : static_cast<unsigned>(std::min<std::uint64_t>(
                     (static_cast<std::uint64_t>(t_us) - static_cast<std::uint64_t>(begin_us_)) >>
                         shift_,
                     63));
  }

  std::int64_t begin_us_;
  int shift_ = 0;
};

/// When, in 64ths of a group's time, one of its lanes has the kinds that it seldom has.
struct LaneHint {
  std::uint64_t seldom_when = 0;
  KindMask seldom = 0;
  KindMask often = 0;
};

/// For a lane of a group whose pyramid the slices are of.
LaneHint hint_of(const LaneSpans& spans, const Slices& slices);

/// Whether the lane cannot have any of the kinds in the slices.
inline bool is_without(const LaneHint& hint, KindMask wanted, std::uint64_t slices) {
  return (hint.often & wanted) == 0 &&
         ((hint.seldom & wanted) == 0 || (hint.seldom_when & slices) == 0);
}

}  // namespace aftershock::gui
