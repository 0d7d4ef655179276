#include "gui/app/focus_ring.h"

#include <QAbstractScrollArea>
#include <QEvent>
#include <QPainter>

namespace aftershock::gui {

namespace {

constexpr int kRing_px = 2;

}  // namespace

FocusRing::FocusRing(QWidget* parent) : QWidget(parent), home_(parent) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setFocusPolicy(Qt::NoFocus);
  hide();
}

void FocusRing::surround(QWidget* widget) {
  leave();
  setParent(widget);
  widget->installEventFilter(this);
  if (auto* area = qobject_cast<QAbstractScrollArea*>(widget)) {
    area->viewport()->installEventFilter(this);
  }
  setGeometry(widget->rect());
  show();
  raise();
}

void FocusRing::leave() {
  if (parentWidget() != home_) {
    parentWidget()->removeEventFilter(this);
    if (auto* area = qobject_cast<QAbstractScrollArea*>(parentWidget())) {
      area->viewport()->removeEventFilter(this);
    }
    setParent(home_);
  }
  hide();
}

bool FocusRing::eventFilter(QObject* watched, QEvent* event) {
  switch (event->type()) {
    case QEvent::Resize:
      setGeometry(parentWidget()->rect());
      break;
    case QEvent::FocusOut:
    case QEvent::MouseButtonPress:
    case QEvent::Close:
      leave();
      break;
    default:
      break;
  }
  return QWidget::eventFilter(watched, event);
}

void FocusRing::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  QPen pen(palette().color(QPalette::Highlight), kRing_px);
  pen.setJoinStyle(Qt::MiterJoin);
  painter.setPen(pen);
  painter.drawRect(rect().adjusted(1, 1, -1, -1));
}

}  // namespace aftershock::gui
