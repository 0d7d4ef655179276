#pragma once

#include <QObject>

namespace aftershock::gui {

class MainWindow;
class VerdictBar;
class Workspace;

/// The verdicts of the runs that are open, above them.
class VerdictHeader : public QObject {
  Q_OBJECT

 public:
  /// `window` and `workspace` outlive it.
  VerdictHeader(MainWindow& window, Workspace& workspace);

  [[nodiscard]] VerdictBar& bar() { return *bar_; }

 private:
  void update();

  MainWindow& window_;
  Workspace& workspace_;
  VerdictBar* bar_;
};

}  // namespace aftershock::gui
