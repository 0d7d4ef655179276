#pragma once

#include <QBrush>
#include <QRgb>
#include <array>
#include <cstdint>

#include "gui/theme/theme.h"
#include "gui/trace/kind.h"

namespace aftershock::gui {

/// The pattern over the colour of a span, so that no meaning is in colour alone.
enum class Hatch : std::uint8_t {
  kPlain,
  kLost,      ///< work that was rolled back
  kCut,       ///< a partition
  kDegraded,  ///< slower than it should be
  kWaiting,   ///< for something that others have to give
  kDown,      ///< a node or a controller that is not there
  kCount
};

/// How spans of a kind are painted.
struct Look {
  QRgb fill;
  Hatch hatch;
};

/// The fills are 3 to 1 against both lane colours of the theme (WCAG 2.1, 1.4.11); those that stand
/// for different things differ for people who see no red, green or blue, too, or in their hatch.
Look look_of(Kind kind, Theme theme);

/// 0xffRRGGBB by kind; those beyond the last kind are transparent.
std::array<std::uint32_t, 32> colour_table(Theme theme);

/// Black or white: what is better read on `fill`.
QRgb text_on(QRgb fill);

/// Relative luminance from 0 to 1, and the contrast of two colours from 1 to 21 (WCAG 2.1).
double luminance(QRgb colour);
double contrast(QRgb a, QRgb b);

/// A pattern to fill with over `fill`, in a tile of 8 logical pixels at `scale` device pixels each;
/// no brush for Hatch::kPlain.
QBrush hatch_brush(Hatch hatch, QRgb fill, double scale = 1.0);

/// The same as lines or dots that stay sharp in a drawing of vectors, where tiles of pixels cannot
/// be drawn; the nearest pattern that Qt has.
QBrush vector_hatch_brush(Hatch hatch, QRgb fill);

}  // namespace aftershock::gui
