#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gui/lod/scanline.h"

namespace aftershock::gui {

/// How many steps of height a bar can have: few, so that a lane of them is as quick to draw as one
/// without.
inline constexpr int kBarLevels = 12;

/// The heights, 0 .. kBarLevels, of bars that show these numbers beside the greatest, `most`. None
/// that is above 0 has no height.
std::vector<std::uint8_t> bar_levels(std::span<const std::size_t> counts, std::size_t most);

/// One of the kBarLevels bands of a lane of bars, 0 at its foot: a pixel has its `bar` where the
/// bar reaches that high, else its `ground`.
void paint_band(std::span<const std::uint8_t> levels, int band, std::span<const Rgb> bar,
                std::span<const Rgb> ground, std::span<Rgb> row);

}  // namespace aftershock::gui
