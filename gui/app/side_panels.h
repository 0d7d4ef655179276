#pragma once

#include <QObject>
#include <QTimer>
#include <optional>
#include <set>
#include <string>

#include "gui/app/workspace.h"
#include "gui/panels/place.h"

class QDockWidget;

namespace aftershock::gui {

class BudgetPanel;
class EventTable;
class FaultTable;
class Inspector;
class LedgerBars;
class MainWindow;
class TrialTable;

/// The panels beside the timeline, and the ways from one to the other: what is selected there is
/// told of here, what is chosen here is shown there.
class SidePanels : public QObject {
  Q_OBJECT

 public:
  /// `window` and `workspace` outlive it. They show a recording once all of it has been read, and
  /// of one that is being written what there is.
  SidePanels(MainWindow& window, Workspace& workspace);

 private:
  void follow_workspace();
  void follow_panels();
  void set_run(RunSession* session);
  void go_to(const Place& place);
  void show_reckoned();
  void show_grown();
  void show_selection();
  void look_at_state();
  void follow_replay();
  void show_lane();
  void show_first_job();
  void show_range();
  void show_what_is_at_hand();
  [[nodiscard]] bool has_range() const;
  void go_to_lane(const QString& name);
  void follow(Place (*step)(const Trace&, const Place&), const QString& nothing);

  MainWindow& window_;
  Workspace& workspace_;
  Inspector* inspector_;
  EventTable* events_;
  FaultTable* faults_;
  TrialTable* trials_;
  QDockWidget* trials_dock_;
  LedgerBars* ledger_;
  BudgetPanel* budgets_;
  QDockWidget* drawer_;
  QMetaObject::Connection reckoned_;
  QMetaObject::Connection grown_;
  QTimer replay_;                      ///< until the next look at a cursor that plays
  Place replayed_;                     ///< that the inspector showed last
  QTimer range_;                       ///< until the times of a lane, or a range, are reckoned anew
  std::optional<LaneKey> lane_;        ///< that the keyboard was on
  TimeRange shown_;                    ///< the view at that time
  bool shows_lane_ = false;            ///< in the inspector
  bool shows_range_ = false;           ///< likewise
  std::set<std::string> told_trials_;  ///< recordings whose table of trials was shown
  bool going_ = false;
};

}  // namespace aftershock::gui
