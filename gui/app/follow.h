#pragma once

#include <QObject>

#include "gui/view/time_range.h"

namespace aftershock::gui {

class MainWindow;
class Workspace;

/// Keeps the newest records of a growing recording in view, as close as the user has zoomed, until
/// the user moves away.
class Follow : public QObject {
  Q_OBJECT

 public:
  /// `window` and `workspace` outlive it.
  Follow(MainWindow& window, Workspace& workspace);

  [[nodiscard]] bool is_on() const { return on_; }

 private:
  void set_on(bool on);
  void look();
  void settle();
  void show_end();

  MainWindow& window_;
  Workspace& workspace_;
  bool on_ = false;
  bool moving_ = false;
  bool settling_ = false;  ///< the earlier part is being read once more
  TimeRange run_;
  TimeRange shown_;
  std::int64_t cursor_us_ = 0;
};

/// As long as `shown`, with the end of the run a 16th of it from its right side; where all of the
/// run fits, all of it.
TimeRange following(const TimeRange& shown, const TimeRange& run);

}  // namespace aftershock::gui
