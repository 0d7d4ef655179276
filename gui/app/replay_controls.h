#pragma once

#include <QComboBox>
#include <QObject>
#include <QPointer>

namespace aftershock::gui {

class MainWindow;
class Workspace;

/// How fast a replay goes: the field in the tools, and the actions for loops, for events instead of
/// time, and for slowing down near faults.
class ReplayControls : public QObject {
  Q_OBJECT

 public:
  /// `window` and `workspace` outlive it.
  ReplayControls(MainWindow& window, Workspace& workspace);

 private:
  void choose(int item);
  void loop(bool on);
  /// Shows the clock, wherever it was changed.
  void show_clock();

  MainWindow& window_;
  Workspace& workspace_;
  QPointer<QComboBox> speeds_;
};

}  // namespace aftershock::gui
