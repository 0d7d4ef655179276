#pragma once

#include <QObject>
#include <QString>
#include <memory>

#include "gui/actions/action_set.h"
#include "gui/session/run_session.h"
#include "gui/timeline/player.h"
#include "gui/timeline/timeline.h"

namespace aftershock::gui {

class MainWindow;

/// What is open in a window: reads the recordings that it opens and shows them as its document.
/// Panels connect to the timeline and to `session_opened`.
class Workspace : public QObject {
  Q_OBJECT

 public:
  /// `window` outlives it.
  explicit Workspace(MainWindow& window);
  ~Workspace() override;

  [[nodiscard]] Timeline& timeline() { return *timeline_; }
  /// The first run; null where none is open.
  [[nodiscard]] RunSession* session() { return session_.get(); }

 Q_SIGNALS:
  /// Another recording is being read; null: it was closed.
  void session_opened(aftershock::gui::RunSession* session);
  /// All of it has been read, and the view is where it should be.
  void session_finished();

 private:
  void open(const QString& path, bool growing);
  void show_status();

  MainWindow& window_;
  Timeline* timeline_;
  Player* player_;
  std::unique_ptr<RunSession> session_;
};

}  // namespace aftershock::gui
