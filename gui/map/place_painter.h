#pragma once

#include <QBrush>
#include <QColor>
#include <QPainter>
#include <QRectF>
#include <array>
#include <optional>

#include "gui/cluster/place_state.h"
#include "gui/theme/look.h"
#include "gui/theme/theme.h"

namespace aftershock::gui {

/// Paints what places are, each state in a colour, a hatch and a glyph of its own. Hatches are made
/// once; it is for one theme and one device pixel ratio.
class PlacePainter {
 public:
  PlacePainter(Theme theme, double scale);

  /// A place, or several that share a square: those with whom something is wrong fill it from
  /// below, by how many they are, the worst at the bottom.
  /// Those that are well have the look of a job, where one is given.
  void paint(QPainter& painter, const QRectF& box, const Census& census,
             std::optional<Look> job = {}) const;
  /// One in this state.
  void paint(QPainter& painter, const QRectF& box, PlaceState state,
             std::optional<Look> job = {}) const;
  /// The colour of text on it.
  [[nodiscard]] QColor ink_on(PlaceState state) const;

 private:
  void fill(QPainter& painter, const QRectF& box, PlaceState state,
            std::optional<Look> job = {}) const;
  void draw_lines(QPainter& painter, const QRectF& box, PlaceState state) const;
  void draw_glyph(QPainter& painter, const QRectF& box, PlaceState state) const;

  Theme theme_;
  double scale_;
  std::array<QBrush, kPlaceStates> hatches_;
};

}  // namespace aftershock::gui
