#pragma once

#include <QObject>

#include "gui/app/workspace.h"
#include "gui/panels/place.h"

class QDockWidget;

namespace aftershock::gui {

class BudgetPanel;
class EventTable;
class Inspector;
class LedgerBars;
class MainWindow;

/// The panels beside the timeline, and the ways from one to the other: what is selected there is
/// told of here, what is chosen here is shown there.
class SidePanels : public QObject {
  Q_OBJECT

 public:
  /// `window` and `workspace` outlive it. They show a recording once all of it has been read.
  SidePanels(MainWindow& window, Workspace& workspace);

 private:
  void set_run(RunSession* session);
  void go_to(const Place& place);
  void show_selection();
  void follow(Place (*step)(const Trace&, const Place&), const QString& nothing);

  MainWindow& window_;
  Workspace& workspace_;
  Inspector* inspector_;
  EventTable* events_;
  LedgerBars* ledger_;
  BudgetPanel* budgets_;
  QDockWidget* drawer_;
  bool going_ = false;
};

}  // namespace aftershock::gui
