#pragma once

#include <QWidget>

class QLabel;
class QProgressBar;

namespace aftershock::gui {

/// How far a simulation has come, with a button to stop it; for the status bar.
class RunBar : public QWidget {
  Q_OBJECT

 public:
  explicit RunBar(QWidget* parent = nullptr);

  /// Shows that `name` is being run.
  void begin(const QString& name);
  /// Time of the run so far; `horizon_us` is 0 where nobody knows how long it will be.
  void show_progress(qint64 t_us, qint64 horizon_us);

 Q_SIGNALS:
  /// The button.
  void stop_asked();

 private:
  QLabel* label_;
  QProgressBar* bar_;
  QString name_;
};

}  // namespace aftershock::gui
