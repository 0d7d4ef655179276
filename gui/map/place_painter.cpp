#include "gui/map/place_painter.h"

#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "gui/theme/glyph.h"
#include "gui/theme/look.h"

namespace aftershock::gui {

namespace {

/// The kind that looks like it in the timeline.
Kind kind_of(PlaceState state) {
  switch (state) {
    case PlaceState::kSlow:
      return Kind::kSlow;
    case PlaceState::kHung:
      return Kind::kUndetected;
    case PlaceState::kRepairing:
      return Kind::kRepairing;
    case PlaceState::kIsolated:
      return Kind::kIsolated;
    case PlaceState::kCut:
      return Kind::kCut;
    case PlaceState::kDown:
      return Kind::kDown;
    case PlaceState::kUp:
    case PlaceState::kFree:
    case PlaceState::kSpare:
    case PlaceState::kAbsent:
    case PlaceState::kCount:
      break;
  }
  return Kind::kProductive;
}

/// Squares from here on have room for a glyph.
constexpr double kGlyphFrom = 12;

/// States that are not drawn as a square of one colour are hollow.
bool is_hollow(PlaceState state) {
  return state == PlaceState::kFree || state == PlaceState::kSpare || state == PlaceState::kAbsent;
}

/// Nothing for those that are told by being hollow, and for what is well.
QPainterPath glyph_of(PlaceState state, const QRectF& box) {
  QPainterPath path;
  const double thick = std::max(1.5, box.height() / 4);
  const QRectF across(box.left(), box.center().y() - thick / 2, box.width(), thick);
  const QRectF upright(box.center().x() - thick / 2, box.top(), thick, box.height());
  switch (state) {
    case PlaceState::kDown:
      return glyph_path(Glyph::kCrash, box);
    case PlaceState::kCut:
      return glyph_path(Glyph::kPartition, box);
    case PlaceState::kHung:
      return glyph_path(Glyph::kHang, box);
    case PlaceState::kIsolated:
      path.addRect(across);
      return path;
    case PlaceState::kRepairing:
      path.addRect(across);
      path.addRect(upright);
      path.setFillRule(Qt::WindingFill);
      return path;
    case PlaceState::kSlow:
      path.addPolygon(QPolygonF({box.topLeft(), box.topRight(), {box.center().x(), box.bottom()}}));
      return path;
    case PlaceState::kUp:
    case PlaceState::kFree:
    case PlaceState::kSpare:
    case PlaceState::kAbsent:
    case PlaceState::kCount:
      break;
  }
  return path;
}

}  // namespace

PlacePainter::PlacePainter(Theme theme, double scale) : theme_(theme), scale_(scale) {
  for (std::size_t i = 0; i < kPlaceStates; ++i) {
    const Look look = look_of(kind_of(static_cast<PlaceState>(i)), theme);
    hatches_[i] = hatch_brush(look.hatch, look.fill, scale);
  }
}

QColor PlacePainter::ink_on(PlaceState state) const {
  return is_hollow(state) ? QColor(inks(theme_).text)
                          : QColor(text_on(look_of(kind_of(state), theme_).fill));
}

void PlacePainter::paint(QPainter& painter, const QRectF& box, PlaceState state,
                         std::optional<Look> job) const {
  fill(painter, box, state, job);
  draw_glyph(painter, box, state);
}

void PlacePainter::paint(QPainter& painter, const QRectF& box, const Census& census,
                         std::optional<Look> job) const {
  std::int64_t all = 0;
  for (const std::int64_t count : census) {
    all += count;
  }
  const PlaceState worst = worst_of(census);
  if (all <= 1 || count_of(census, worst) == all) {
    paint(painter, box, worst, job);
    return;
  }
  Census well{};
  for (const PlaceState state :
       {PlaceState::kUp, PlaceState::kFree, PlaceState::kSpare, PlaceState::kAbsent}) {
    count_of(well, state) = count_of(census, state);
  }
  fill(painter, box, worst_of(well), job);
  // One of many is still seen at a glance; the worst lies lowest.
  constexpr double kLeast = 0.6;
  double bottom = box.bottom();
  for (std::size_t i = static_cast<std::size_t>(PlaceState::kDown);
       i > static_cast<std::size_t>(PlaceState::kSpare); --i) {
    if (census[i] > 0) {
      const double part = static_cast<double>(census[i]) / static_cast<double>(all);
      const double height = std::min(bottom - box.top(), box.height() * std::max(kLeast, part));
      const QRectF filled(box.left(), bottom - height, box.width(), height);
      fill(painter, filled, static_cast<PlaceState>(i));
      bottom -= height;
      // Told from what is above it whatever their colours are.
      painter.fillRect(QRectF(box.left(), bottom, box.width(), 1), QColor(inks(theme_).lane));
    }
  }
  const double side = box.height() * kLeast - 1;
  draw_lines(painter, QRectF(box.center().x() - side / 2, box.bottom() - side, side, side), worst);
}

void PlacePainter::fill(QPainter& painter, const QRectF& box, PlaceState state,
                        std::optional<Look> job) const {
  const Inks& ink = inks(theme_);
  painter.fillRect(box, QColor(ink.lane));
  if (state == PlaceState::kAbsent) {
    painter.setPen(QPen(QColor(ink.text_dim), 1, Qt::DotLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
    return;
  }
  const bool of_job = state == PlaceState::kUp && job;
  const QColor colour(of_job ? job->fill : look_of(kind_of(state), theme_).fill);
  if (state == PlaceState::kFree) {
    painter.setPen(QPen(QColor(ink.text_dim), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
    const double floor = std::max(2.0, std::floor(box.height() / 5));
    painter.fillRect(QRectF(box.left(), box.bottom() - floor, box.width(), floor),
                     QColor(ink.text_dim));
    return;
  }
  if (state == PlaceState::kSpare) {
    const double line = std::clamp(box.width() / 7, 1.0, 3.0);
    painter.setPen(QPen(colour, line));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(box.adjusted(line / 2, line / 2, -line / 2, -line / 2));
    return;
  }
  painter.fillRect(box, colour);
  const QBrush hatch = of_job ? hatch_brush(job->hatch, job->fill, scale_)
                              : hatches_[static_cast<std::size_t>(state)];
  constexpr double kHatchFrom = 10;
  if (hatch.style() != Qt::NoBrush && box.height() >= kHatchFrom) {
    painter.fillRect(box, hatch);
  }
}

// In a few pixels there is room for lines only.
void PlacePainter::draw_lines(QPainter& painter, const QRectF& box, PlaceState state) const {
  const double thick = box.width() < 9 ? 1 : 2;
  const QPointF middle = box.center();
  const QRectF inner = box.adjusted(1, 1, -1, -1);
  const QRectF across(inner.left(), std::floor(middle.y() - thick / 2), inner.width(), thick);
  const QRectF upright(std::floor(middle.x() - thick / 2), inner.top(), thick, inner.height());
  const QColor ink = ink_on(state);
  switch (state) {
    case PlaceState::kDown:
      painter.setPen(QPen(ink, thick));
      painter.drawLine(inner.topLeft(), inner.bottomRight() - QPointF(1, 1));
      painter.drawLine(inner.topRight() - QPointF(1, 0), inner.bottomLeft() - QPointF(0, 1));
      break;
    case PlaceState::kCut:
      painter.fillRect(QRectF(upright.left(), box.top(), thick, box.height()), ink);
      break;
    case PlaceState::kRepairing:
      painter.fillRect(upright, ink);
      [[fallthrough]];
    case PlaceState::kIsolated:
      painter.fillRect(across, ink);
      break;
    case PlaceState::kHung:
      painter.fillRect(QRectF(inner.left(), inner.top(), inner.width(), thick), ink);
      painter.fillRect(QRectF(inner.left(), inner.bottom() - thick, inner.width(), thick), ink);
      break;
    case PlaceState::kSlow:
      painter.fillRect(QRectF(inner.left(), middle.y(), inner.width(), inner.height() / 2), ink);
      break;
    case PlaceState::kUp:
    case PlaceState::kFree:
    case PlaceState::kSpare:
    case PlaceState::kAbsent:
    case PlaceState::kCount:
      break;
  }
}

void PlacePainter::draw_glyph(QPainter& painter, const QRectF& box, PlaceState state) const {
  if (box.width() < kGlyphFrom) {
    draw_lines(painter, box, state);
    return;
  }
  const double room = std::min(box.width(), box.height());
  const double inset = room * 0.22;
  const QPainterPath path = glyph_of(state, box.adjusted(inset, inset, -inset, -inset));
  if (path.isEmpty()) {
    return;
  }
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillPath(path, ink_on(state));
  painter.setRenderHint(QPainter::Antialiasing, false);
}

}  // namespace aftershock::gui
