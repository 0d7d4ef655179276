#pragma once

#include <QPainterPath>
#include <QRectF>
#include <cstdint>
#include <string_view>

namespace aftershock::gui {

/// Shapes that tell classes of faults apart without colour.
enum class Glyph : std::uint8_t {
  kCrash,         ///< a cross
  kHang,          ///< an hourglass
  kCorruption,    ///< a diamond with a hole: a device's fault, ECC, what computes wrongly
  kLink,          ///< two bars that do not meet
  kPartition,     ///< a disc that is cut through
  kStorage,       ///< a drum
  kPreemption,    ///< an arrow that takes away
  kUser,          ///< a head and shoulders
  kControlPlane,  ///< a crown
  kOther,         ///< a disc
  kCount
};

/// The name of it in a legend and for a screen reader.
std::string_view name_of(Glyph glyph);

/// The glyph of a fault by its kind in a recording ("node_crash"); kOther for words that this
/// program does not know.
Glyph glyph_of_fault(std::string_view kind);

/// Its outline, to be filled, within `box`.
QPainterPath glyph_path(Glyph glyph, const QRectF& box);

}  // namespace aftershock::gui
