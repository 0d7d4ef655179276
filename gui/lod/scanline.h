#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "gui/lod/cell.h"

namespace aftershock::gui {

/// A colour as QRgb has it: 0xAARRGGBB.
using Rgb = std::uint32_t;

/// A colour that covers `part` of 255 of the background.
Rgb mixed(Rgb colour, Rgb background, unsigned part);

/// How kinds look on a background, for every part of a pixel that they take.
struct Shades {
  static constexpr std::size_t kSteps = 16;
  std::array<std::array<Rgb, kSteps>, 32> of{};
  Rgb background = 0xff000000;
};

/// From the colour of each kind. The least of a kind that there is has a third of its colour: what
/// lasts a microsecond in a year is still seen.
Shades make_shades(std::span<const Rgb, kKinds> colours, Rgb background);

/// A row of pixels into a scanline of as many.
void paint_scanline(std::span<const Cell> cells, const Shades& shades, Rgb* row);

/// The kinds that are drawn over whatever dominates: a fault, and kinds as bad.
inline constexpr KindMask kSevereKinds = mask_of(Kind::kFault) | mask_of(Kind::kDown) |
                                         mask_of(Kind::kControllerDown) | mask_of(Kind::kCut) |
                                         mask_of(Kind::kUndetected);

/// Of `severe` the one to show over what dominates in a pixel; kCount for none: none is there, or
/// none worse than what dominates.
Kind severe_of(const Cell& cell, KindMask severe = kSevereKinds);

/// Only the pixels that have a severe kind get its colour; the others stay. For the top lines of a
/// lane. True if there were some.
bool paint_severe(std::span<const Cell> cells, std::span<const Rgb, kKinds> colours, Rgb* row,
                  KindMask severe = kSevereKinds);

/// Neighbouring pixels [begin_px, end_px) that look alike: for labels, hatches and SVG.
struct PixelRun {
  int begin_px = 0;
  int end_px = 0;
  Kind kind = Kind::kCount;

  friend bool operator==(const PixelRun&, const PixelRun&) = default;
};

/// Runs of one dominant kind, without those of nothing.
std::vector<PixelRun> dominant_runs(std::span<const Cell> cells);
/// Runs of one severe kind (see severe_of).
std::vector<PixelRun> severe_runs(std::span<const Cell> cells, KindMask severe = kSevereKinds);

}  // namespace aftershock::gui
