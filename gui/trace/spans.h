#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "gui/trace/kind.h"

namespace aftershock::gui {

/// The end of a span that no record ended.
inline constexpr std::int64_t kOpen = std::numeric_limits<std::int64_t>::max();

/// The spans of one lane, ordered by begin (equal begins: as recorded); they may overlap, nest and
/// cross. An instant has begin == end. An open span ends at kOpen. The three are equally long.
struct LaneSpans {
  std::span<const std::int64_t> begin_us;
  std::span<const std::int64_t> end_us;
  std::span<const Kind> kind;

  [[nodiscard]] std::size_t size() const { return begin_us.size(); }
  [[nodiscard]] bool empty() const { return begin_us.empty(); }
};

}  // namespace aftershock::gui
