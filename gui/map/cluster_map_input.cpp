#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <algorithm>

#include "gui/map/cluster_map.h"
#include "gui/map/map_words.h"

namespace aftershock::gui {

std::size_t ClusterMap::cell_under(const QPoint& at) const {
  const QPoint in_map = at - map_area().topLeft();
  return cell_at(layout_, in_map.x(), in_map.y());
}

QString ClusterMap::text_of_cell(std::size_t cell) const {
  const LaneKey& key = layout_.cells[cell].key;
  const std::uint32_t owner = holders_ != nullptr ? holders_->main_owner(key) : kNone;
  return cell_text(scene()->directory(), key, censuses_[cell],
                   owner != kNone ? std::optional(holders_->owners()[owner].key) : std::nullopt);
}

bool ClusterMap::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) {
    return QWidget::event(event);
  }
  const auto* help = static_cast<QHelpEvent*>(event);
  const std::size_t cell = cell_under(help->pos());
  if (cell < layout_.cells.size() && scene() != nullptr) {
    // Plain text, whatever it looks like: Qt takes what begins with a tag for markup.
    const QString text = text_of_cell(cell).toHtmlEscaped();
    QToolTip::showText(help->globalPos(), QStringLiteral("<span>%1</span>").arg(text), this,
                       box_of(cell));
  } else {
    QToolTip::hideText();
  }
  return true;
}

void ClusterMap::mousePressEvent(QMouseEvent* event) {
  const std::size_t cell = cell_under(event->position().toPoint());
  if (event->button() != Qt::LeftButton || cell >= layout_.cells.size()) {
    QWidget::mousePressEvent(event);
    return;
  }
  focus_cell(cell);
  choose(cell);
}

void ClusterMap::keyPressEvent(QKeyEvent* event) {
  if (layout_.cells.empty()) {
    QWidget::keyPressEvent(event);
    return;
  }
  switch (event->key()) {
    case Qt::Key_Left:
      focus_cell(next_cell(layout_, focused_, -1, 0));
      break;
    case Qt::Key_Right:
      focus_cell(next_cell(layout_, focused_, 1, 0));
      break;
    case Qt::Key_Up:
      focus_cell(next_cell(layout_, focused_, 0, -1));
      break;
    case Qt::Key_Down:
      focus_cell(next_cell(layout_, focused_, 0, 1));
      break;
    case Qt::Key_Home:
      focus_cell(0);
      break;
    case Qt::Key_End:
      focus_cell(layout_.cells.size() - 1);
      break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
      choose(focused_);
      break;
    default:
      QWidget::keyPressEvent(event);
  }
}

void ClusterMap::focusInEvent(QFocusEvent* event) {
  QWidget::focusInEvent(event);
  describe();
  update();
}

void ClusterMap::focusOutEvent(QFocusEvent* event) {
  QWidget::focusOutEvent(event);
  update();
}

void ClusterMap::focus_cell(std::size_t cell) {
  if (cell != focused_) {
    focused_ = cell;
    describe();
    update();
  }
}

void ClusterMap::choose(std::size_t cell) {
  if (states_ == nullptr || cell >= layout_.cells.size()) {
    return;
  }
  LaneKey key = layout_.cells[cell].key;
  if (key.run > 1) {
    // The first with which the worst is the matter; what is recorded of nobody is the matter with
    // nobody.
    const PlaceState worst = worst_of(censuses_[cell]);
    const auto [begin, end] = states_->places_among(key.section, key.group, key.node, key.run);
    for (std::size_t i = begin; i < end; ++i) {
      const ClusterPlace& place = states_->places()[i];
      if (place.is_node() && place.state == worst) {
        key = place.key;
        break;
      }
    }
    key.run = 1;
  }
  Q_EMIT node_chosen(key);
}

void ClusterMap::describe() {
  if (scene() == nullptr || focused_ >= layout_.cells.size()) {
    setAccessibleDescription(QString());
    return;
  }
  const QString text = tr("%1; all: %2").arg(text_of_cell(focused_), counts());
  if (text == accessibleDescription()) {
    return;
  }
  setAccessibleDescription(text);
  if (hasFocus()) {
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
  }
}

}  // namespace aftershock::gui
