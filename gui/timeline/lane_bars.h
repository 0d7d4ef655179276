#pragma once

#include <QString>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gui/timeline/frame.h"

namespace aftershock::gui {

/// The bars of a lane whose pixels have many things each, or of a group of nodes of which a part is
/// out of service: height tells how many.
struct LaneBars {
  std::vector<std::uint8_t> levels;  ///< of each device pixel, of kBarLevels
  QString text;                      ///< how many in all: "393 attempts"
  bool is_share = false;             ///< of a group's nodes, else of the most in a pixel
};

/// None where each thing is seen by itself.
std::optional<LaneBars> bars_of(const Frame& frame, std::uint32_t node, const Columns& columns);

/// Rows of pixels that bars are painted from, equally long.
struct BarRows {
  std::span<const Rgb> bar;     ///< its colour
  std::span<const Rgb> ground;  ///< where there is none
  std::span<const Rgb> under;   ///< as Canvas::fill_rows has it
};
/// Paints bars between two rows of the canvas; `row` is left with the highest of their bands.
void fill_bars(Canvas& canvas, int top, int bottom, const LaneBars& bars, const BarRows& rows,
               std::vector<Rgb>& row);

/// The text at the right of what is known, over a ground that makes it readable.
void draw_bars_text(const Frame& frame, QPainter& painter, const QRectF& box, const QString& text,
                    QRgb colour);

/// At the right of a job that is but one row how it ended, and how far it came: "failed, 4200 of
/// 20000 steps".
void draw_outcome(const Frame& frame, QPainter& painter, const QRectF& box, std::uint32_t node);

/// How many there are of a lane in this time, where they are too many to be told apart: "12
/// attempts begin within 9 h", "63 of 2112 nodes are out of service". Else empty.
QString many_text(Scene& scene, std::uint32_t node, std::int64_t from_us, std::int64_t to_us);

}  // namespace aftershock::gui
