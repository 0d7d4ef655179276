#pragma once

#include <QObject>
#include <memory>

#include "gui/app/workspace.h"
#include "gui/compare/time_map.h"
#include "gui/timeline/timeline_link.h"
#include "reports/compare/divergence.h"

class QDockWidget;

namespace aftershock::gui {

class ComparePanel;
class DeltaStrip;
class MainWindow;

/// Two runs held against each other: does the actions of the menu Compare, keeps the timelines
/// together, shows between them where they differ, and in a panel what each cost.
class Comparison : public QObject {
  Q_OBJECT

 public:
  /// `window` and `workspace` outlive it.
  Comparison(MainWindow& window, Workspace& workspace);
  ~Comparison() override;

  [[nodiscard]] ComparePanel& panel() { return *panel_; }
  [[nodiscard]] DeltaStrip& strip() { return *strip_; }

 private:
  void handle_actions();
  void connect_parts();
  void update();
  void relink();
  void show_range();
  void go_to_divergence(bool next);
  void go_to(const reports::Divergence& divergence);
  [[nodiscard]] bool is_ready();
  /// Where the cursor is, as a time of the first run.
  [[nodiscard]] std::int64_t cursor_in_a_us();

  MainWindow& window_;
  Workspace& workspace_;
  ComparePanel* panel_;
  DeltaStrip* strip_;
  QDockWidget* dock_;
  bool linked_ = true;
  bool had_two_ = false;
  Alignment alignment_ = Alignment::kTime;
  TimeMap map_;
  std::unique_ptr<TimelineLink> link_;
};

}  // namespace aftershock::gui
