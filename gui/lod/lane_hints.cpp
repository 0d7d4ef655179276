#include "gui/lod/lane_hints.h"

#include <array>

#include "gui/lod/lane_lod.h"

namespace aftershock::gui {
namespace {

// A kind that a lane has in no more of 64 slices is seldom there.
constexpr int kSeldomSlices = 8;

}  // namespace

LaneHint hint_of(const LaneSpans& spans, const Slices& slices) {
  std::array<std::uint64_t, 32> when{};
  KindMask kinds = 0;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    when[static_cast<std::size_t>(spans.kind[i])] |= slices.of(spans.begin_us[i], end_of(spans, i));
    kinds |= mask_of(spans.kind[i]);
  }
  LaneHint hint;
  for_each_kind(kinds, [&](Kind kind) {
    const std::uint64_t slots = when[static_cast<std::size_t>(kind)];
    if (__builtin_popcountll(slots) <= kSeldomSlices) {
      hint.seldom |= mask_of(kind);
      hint.seldom_when |= slots;
    } else {
      hint.often |= mask_of(kind);
    }
  });
  return hint;
}

}  // namespace aftershock::gui
