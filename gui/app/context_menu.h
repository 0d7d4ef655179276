#pragma once

#include <QMenu>
#include <QObject>
#include <QPointer>

#include "gui/timeline/timeline.h"

namespace aftershock::gui {

class MainWindow;
class Workspace;

/// The menus of what is under the pointer on a timeline: actions of the window that are of use
/// there, in a form that shows their keys.
class ContextMenu : public QObject {
  Q_OBJECT

 public:
  /// Both outlive it.
  ContextMenu(MainWindow& window, Workspace& workspace);

  /// The menu that is open; null: none.
  [[nodiscard]] QMenu* open_menu() const { return menu_; }

 private:
  void open(TimelinePart part, const QPoint& at);

  MainWindow& window_;
  QPointer<QMenu> menu_;
};

}  // namespace aftershock::gui
