#pragma once

#include <QObject>
#include <QString>
#include <functional>

#include "gui/app/run_title.h"
#include "gui/view/time_range.h"

namespace aftershock::gui {

class MainWindow;
class Workspace;

/// The actions that export: asks where to, writes, and says in the window what went wrong.
class Exports : public QObject {
  Q_OBJECT

 public:
  /// `window` and `workspace` outlive it.
  Exports(MainWindow& window, Workspace& workspace);

 private:
  struct Kind {
    QString title;
    QString filter;
    QString suffix;
  };

  /// Asks how a slide shall look, and where it goes.
  void export_slide();
  void ask_and_save(const Kind& kind, const std::function<QString(const QString& path)>& save);
  [[nodiscard]] RunTitle title_now();
  /// Of the selection, else of the view.
  [[nodiscard]] TimeRange range_of(const QString& suffix);

  MainWindow& window_;
  Workspace& workspace_;
  QString folder_;
};

}  // namespace aftershock::gui
