#include "gui/actions/physical_keys.h"

#include <QAction>
#include <QKeyEvent>
#include <QWidget>

#include "gui/actions/action_set.h"

namespace aftershock::gui {

namespace {

// KEY_W, KEY_A, KEY_S and KEY_D of Linux, and the 8 that X11 adds.
constexpr quint32 kScanW = 25;
constexpr quint32 kScanA = 38;
constexpr quint32 kScanS = 39;
constexpr quint32 kScanD = 40;

}  // namespace

std::optional<ActionId> physical_action(const QKeyEvent& event) {
  const bool shift = event.modifiers() == Qt::ShiftModifier;
  if (!shift && event.modifiers() != Qt::NoModifier) {
    return std::nullopt;
  }
  switch (event.nativeScanCode()) {
    case kScanW:
      return shift ? ActionId::kZoomInMore : ActionId::kZoomIn;
    case kScanS:
      return shift ? ActionId::kZoomOutMore : ActionId::kZoomOut;
    case kScanA:
      return shift ? ActionId::kPanLeftPage : ActionId::kPanLeft;
    case kScanD:
      return shift ? ActionId::kPanRightPage : ActionId::kPanRight;
    default:
      return std::nullopt;
  }
}

PhysicalKeys::PhysicalKeys(QWidget* timeline, ActionSet& actions)
    : QObject(timeline), actions_(actions) {
  timeline->installEventFilter(this);
}

bool PhysicalKeys::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::ShortcutOverride && event->type() != QEvent::KeyPress) {
    return QObject::eventFilter(watched, event);
  }
  const auto& key = *static_cast<QKeyEvent*>(event);
  const auto id = physical_action(key);
  if (!id || !actions_.is_handled(*id)) {
    return QObject::eventFilter(watched, event);
  }
  // An override that is accepted keeps the letter's shortcut from it; the press comes next.
  if (event->type() == QEvent::KeyPress) {
    actions_.action(*id)->trigger();
  }
  event->accept();
  return true;
}

}  // namespace aftershock::gui
