#pragma once

#include <cstdint>

#include "gui/trace/kind.h"

namespace aftershock::gui {

/// The content of a stretch of time: a bucket of a pyramid, or a pixel of a row. The mask is the
/// truth: a kind is in it exactly if a span of it meets the stretch [t0, t1), an instant by lying
/// in it. The rest is for colouring, and rounded.
struct Cell {
  KindMask mask = 0;
  /// Takes most of the stretch; where nothing takes time the most severe. kCount where mask is 0.
  Kind dominant = Kind::kCount;
  std::uint8_t part = 0;        ///< of the stretch that `dominant` takes: 255 all, 0 no time at all
  std::uint8_t covered = 0;     ///< of the stretch that anything takes, likewise
  std::uint8_t throughout = 0;  ///< 1: `dominant` is there at every instant of it; 0: not known

  friend bool operator==(const Cell&, const Cell&) = default;
};
static_assert(sizeof(Cell) == 8, "there are millions of them");

/// Whether `kind` is in the set.
constexpr bool has(KindMask mask, Kind kind) { return (mask & mask_of(kind)) != 0; }

/// Calls `visit(Kind)` for each of the set, in the order of Kind.
template <class Visit>
constexpr void for_each_kind(KindMask mask, Visit&& visit) {
  while (mask != 0) {
    visit(static_cast<Kind>(__builtin_ctz(mask)));
    mask &= mask - 1;
  }
}

/// The one of the set that wins a pixel; kCount for none.
constexpr Kind most_severe(KindMask mask) {
  Kind best = Kind::kCount;
  for_each_kind(mask, [&](Kind kind) {
    if (best == Kind::kCount || severity(kind) > severity(best)) {
      best = kind;
    }
  });
  return best;
}

/// Of two kinds with their times the one to show: the longer, else the more severe.
constexpr bool outweighs(Kind kind, double time, Kind other, double other_time) {
  return time > other_time ||
         (time == other_time && (other == Kind::kCount || severity(kind) > severity(other)));
}

}  // namespace aftershock::gui
