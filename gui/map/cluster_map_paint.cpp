#include <QFontMetrics>
#include <QLocale>
#include <QPaintEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <functional>

#include "gui/map/cluster_map.h"
#include "gui/map/map_words.h"
#include "gui/map/place_painter.h"
#include "gui/theme/glyph.h"
#include "gui/theme/job_colours.h"
#include "gui/theme/look.h"
#include "gui/trace/display_text.h"

namespace aftershock::gui {

namespace {

/// Squares from here on have room for a number.
constexpr int kNumbered = 22;
/// So many jobs have their colours told.
constexpr std::size_t kOwnersTold = 12;
/// How far the line of a cut is from what it cuts off.
constexpr int kCutRoom = 4;

QFont scaled(QFont font, double by) {
  font.setPointSizeF(std::max(1.0, font.pointSizeF() * by));
  return font;
}

}  // namespace

void ClusterMap::paintEvent(QPaintEvent* event) {
  QPainter painter(this);
  const Inks& ink = inks(theme_);
  const double scale = devicePixelRatioF();
  const QSize size = (QSizeF(this->size()) * scale).toSize();
  if (picture_.size() != size) {
    picture_ = QImage(size, QImage::Format_RGB32);
    picture_.setDevicePixelRatio(scale);
    is_stale_ = true;
  }
  if (is_stale_) {
    paint_all();
  } else if (!stale_cells_.empty()) {
    QPainter on_picture(&picture_);
    for (const std::size_t cell : stale_cells_) {
      paint_cell(on_picture, cell);
    }
    ++paints_;
  }
  is_stale_ = false;
  stale_cells_.clear();
  painter.drawImage(
      QRectF(event->rect()), picture_,
      QRectF(QPointF(event->rect().topLeft()) * scale, QSizeF(event->rect().size()) * scale));
  if (scene() == nullptr || layout_.cells.empty()) {
    painter.setPen(QColor(ink.text_dim));
    const bool reading = session_ != nullptr && session_->is_reading();
    painter.drawText(rect(), Qt::AlignCenter,
                     session_ == nullptr ? tr("No run is open")
                     : reading           ? tr("Reading…")
                                         : tr("This run has no cluster"));
    return;
  }
  const QRect area = map_area();
  painter.setPen(QColor(ink.text));
  QFont bold = font();
  bold.setBold(true);
  painter.setFont(bold);
  const QRect line(area.left(), 4, area.width(), fontMetrics().height());
  painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                   QFontMetrics(bold).elidedText(time_text(), Qt::ElideRight, line.width()));
  painter.setFont(font());
  const QString square = square_text(layout_.each);
  const int wide = fontMetrics().horizontalAdvance(square);
  if (QFontMetrics(bold).horizontalAdvance(time_text()) + wide + line.height() <= line.width()) {
    painter.setPen(QColor(ink.text_dim));
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, square);
  }
  if (event->rect().bottom() > area.bottom()) {
    paint_legend(painter);
  }
  paint_marks(painter);
}

void ClusterMap::paint_all() {
  ++paints_;
  const Inks& ink = inks(theme_);
  place_painter_ = std::make_unique<PlacePainter>(theme_, picture_.devicePixelRatio());
  picture_.fill(ink.window);
  QPainter painter(&picture_);
  painter.setFont(scaled(font(), 0.9));
  painter.setPen(QColor(ink.text_dim));
  const QFontMetrics metrics(painter.font());
  const QPoint origin = map_area().topLeft();
  for (const MapBlock& block : layout_.blocks) {
    if (!block.title.empty()) {
      const QString title = QString::fromStdString(display_text(block.title));
      painter.drawText(origin.x() + block.x, origin.y() + block.y + metrics.ascent(),
                       metrics.elidedText(title, Qt::ElideRight, map_area().width() - block.x));
    }
  }
  for (std::size_t cell = 0; cell < layout_.cells.size(); ++cell) {
    paint_cell(painter, cell);
  }
  paint_cuts(painter);
}

void ClusterMap::paint_cell(QPainter& painter, std::size_t cell) const {
  const PlacePainter& places = *place_painter_;
  const QRectF box(box_of(cell));
  const Census& census = censuses_[cell];
  const auto job = look_of_owner(holders_->main_owner(layout_.cells[cell].key));
  places.paint(painter, box, census, job);
  const PlaceState state = worst_of(census);
  const bool well = state == PlaceState::kUp || state == PlaceState::kFree;
  if (layout_.side < kNumbered || layout_.each > 1 || !well) {
    return;
  }
  const QFont small = scaled(font(), 0.8);
  const QString name = short_name(scene()->directory(), layout_.cells[cell].key);
  if (QFontMetrics(small).horizontalAdvance(name) <= layout_.side - 4) {
    painter.setFont(small);
    painter.setPen(job && state == PlaceState::kUp ? QColor(text_on(job->fill))
                                                   : places.ink_on(state));
    painter.drawText(box, Qt::AlignCenter, name);
  }
}

// A job that is alone in its run has the colour of work, as in the timeline.
std::optional<Look> ClusterMap::look_of_owner(std::uint32_t owner) const {
  return owner != kNone && holders_->owners().size() > 1 ? std::optional(job_look(owner, theme_))
                                                         : std::nullopt;
}

std::vector<QRect> ClusterMap::cut_boxes() const {
  std::vector<QRect> boxes;
  const QPoint origin = map_area().topLeft();
  for (const MapBlock& block : layout_.blocks) {
    const bool is_group = block.key.section == Section::kPools;
    const ClusterPlace* place = is_group ? states_->find(block.key) : nullptr;
    if (place != nullptr && place->state == PlaceState::kCut) {
      boxes.emplace_back(origin.x() + block.x, origin.y() + block.y, block.width, block.height);
    }
  }
  for (const ClusterPlace& place : states_->places()) {
    const bool by_itself = place.is_node() && (place.kinds & mask_of(Kind::kCut)) != 0;
    const std::size_t cell = by_itself ? cell_of(layout_, place.key) : layout_.cells.size();
    if (cell < layout_.cells.size() && layout_.cells[cell].key.run == 1) {
      boxes.push_back(box_of(cell));
    }
  }
  return boxes;
}

void ClusterMap::paint_cuts(QPainter& painter) const {
  if (states_ == nullptr) {
    return;
  }
  painter.setBrush(Qt::NoBrush);
  for (const QRect& box : cut_boxes()) {
    const QRect around = box.adjusted(-kCutRoom, -kCutRoom, kCutRoom - 1, kCutRoom - 1);
    painter.setPen(QPen(QColor(inks(theme_).window), 4));
    painter.drawRect(around);
    painter.setPen(QPen(QColor(look_of(Kind::kCut, theme_).fill), 2, Qt::DashLine, Qt::FlatCap));
    painter.drawRect(around);
  }
}

void ClusterMap::paint_legend(QPainter& painter) const {
  const QRect area = map_area();
  const int text_px = fontMetrics().height();
  const int side = std::max(13, text_px - 3);
  int x = area.left();
  int y = area.bottom() + 1 + 8;
  const auto tell = [&](PlaceState state, std::optional<Look> job, const QString& text) {
    const int width = side + 6 + fontMetrics().horizontalAdvance(text);
    if (x > area.left() && x + width > area.right()) {
      x = area.left();
      y += text_px + 3;
    }
    place_painter_->paint(painter, QRectF(x, y + 1, side, side), state, job);
    painter.setPen(QColor(inks(theme_).text));
    painter.drawText(x + side + 6, y + fontMetrics().ascent(), text);
    x += width + 14;
  };
  const auto tell_states = [&](const Census& census, const QString& of) {
    for (std::size_t i = 0; i < kPlaceStates; ++i) {
      if (census[i] > 0) {
        Census one{};
        one[i] = census[i];
        tell(static_cast<PlaceState>(i), std::nullopt, of.arg(counts_text(one)));
      }
    }
  };
  Census states = total_;
  const std::vector<Shown> shown = shown_owners();
  for (const Shown& each : shown) {
    tell(PlaceState::kUp, each.look, each.text);
    count_of(states, PlaceState::kUp) = 0;
  }
  tell_states(states, QStringLiteral("%1"));
  tell_states(ailing(others_), tr("heads, storages: %1"));
}

// Where several may hold nodes: those that do, the largest first.
std::vector<ClusterMap::Shown> ClusterMap::shown_owners() const {
  const auto owners = holders_->owners();
  std::vector<std::uint32_t> holding;
  for (std::uint32_t owner = 0; owner < owners.size() && owners.size() > 1; ++owner) {
    if (owners[owner].nodes > 0) {
      holding.push_back(owner);
    }
  }
  std::ranges::stable_sort(holding, std::greater<>(),
                           [&](std::uint32_t owner) { return owners[owner].nodes; });
  const QLocale english(QLocale::English);
  std::vector<Shown> shown;
  std::int64_t others = 0;
  for (const std::uint32_t owner : holding) {
    if (shown.size() < kOwnersTold) {
      shown.push_back(
          {.look = look_of_owner(owner),
           .text = QStringLiteral("%1 %2").arg(owner_text(scene()->directory(), owners[owner].key),
                                               english.toString(qlonglong{owners[owner].nodes}))});
    } else {
      others += owners[owner].nodes;
    }
  }
  if (others > 0) {
    shown.push_back({.look = Look{inks(theme_).text_dim, Hatch::kPlain},
                     .text = tr("%1 others %2")
                                 .arg(holding.size() - kOwnersTold)
                                 .arg(english.toString(qlonglong{others}))});
  }
  return shown;
}

void ClusterMap::paint_marks(QPainter& painter) const {
  const Inks& ink = inks(theme_);
  painter.setBrush(Qt::NoBrush);
  for (const std::size_t cell : struck_) {
    const QRect box = box_of(cell);
    painter.setPen(QPen(QColor(look_of(Kind::kFault, theme_).fill), 3));
    painter.drawRect(box.adjusted(-1, -1, 0, 0));
  }
  const std::size_t marked =
      marked_ && marked_->node >= 0 ? cell_of(layout_, *marked_) : layout_.cells.size();
  if (marked < layout_.cells.size()) {
    painter.setPen(QPen(QColor(ink.selection), 2));
    painter.drawRect(box_of(marked).adjusted(-1, -1, 0, 0));
  }
  if (hasFocus() && focused_ < layout_.cells.size()) {
    painter.setPen(QPen(QColor(ink.accent), 2));
    painter.drawRect(box_of(focused_).adjusted(-2, -2, 1, 1));
  }
}

}  // namespace aftershock::gui
