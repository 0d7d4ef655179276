#pragma once

#include <QStringList>
#include <QWidget>

class QAction;
class QLabel;
class QListWidget;

namespace aftershock::gui {

/// The page that the window shows while nothing is open: how to open a file, and the files that
/// were open last.
class WelcomePage : public QWidget {
  Q_OBJECT

 public:
  /// `open` is what its button does.
  explicit WelcomePage(QAction* open, QWidget* parent = nullptr);

  /// Files to offer, the latest first.
  void set_recent(const QStringList& paths);

 Q_SIGNALS:
  /// One of them was chosen.
  void chosen(const QString& path);

 private:
  QLabel* recent_label_;
  QListWidget* recent_;
};

}  // namespace aftershock::gui
