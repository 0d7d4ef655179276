#include "gui/lod/density.h"

#include <algorithm>

#include "base/assert.h"

namespace aftershock::gui {

std::vector<std::uint8_t> bar_levels(std::span<const std::size_t> counts, std::size_t most) {
  std::vector<std::uint8_t> levels(counts.size());
  if (most == 0) {
    return levels;
  }
  constexpr std::size_t kLevels = kBarLevels;
  std::ranges::transform(counts, levels.begin(), [&](std::size_t count) {
    const std::size_t least = count > 0 ? 1 : 0;
    // Rounded to the nearest.
    const std::size_t level = (std::min(count, most) * kLevels * 2 + most) / (most * 2);
    return static_cast<std::uint8_t>(std::max(least, level));
  });
  return levels;
}

void paint_band(std::span<const std::uint8_t> levels, int band, std::span<const Rgb> bar,
                std::span<const Rgb> ground, std::span<Rgb> row) {
  AFTERSHOCK_ASSERT(levels.size() == bar.size() && bar.size() == ground.size() &&
                    ground.size() == row.size());
  for (std::size_t x = 0; x < row.size(); ++x) {
    row[x] = levels[x] > band ? bar[x] : ground[x];
  }
}

}  // namespace aftershock::gui
