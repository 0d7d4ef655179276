#pragma once

#include <QObject>
#include <memory>

#include "gui/app/workspace.h"
#include "gui/compare/time_map.h"
#include "gui/timeline/timeline_link.h"

namespace aftershock::gui {

class MainWindow;

/// Two runs held against each other: does the actions of the menu Compare.
class Comparison : public QObject {
  Q_OBJECT

 public:
  /// `window` and `workspace` outlive it.
  Comparison(MainWindow& window, Workspace& workspace);

 private:
  void handle_actions();
  void update();
  void relink();

  MainWindow& window_;
  Workspace& workspace_;
  bool linked_ = true;
  Alignment alignment_ = Alignment::kTime;
  std::unique_ptr<TimelineLink> link_;
};

}  // namespace aftershock::gui
