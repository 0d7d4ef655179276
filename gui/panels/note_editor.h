#pragma once

#include <QFrame>
#include <QPointer>
#include <functional>

class QLabel;
class QLineEdit;

namespace aftershock::gui {

/// A line to write a note on, over the place that it is about. Enter stores it and so does going
/// elsewhere, so that nothing typed is lost; Esc gives it up. Empty text stores nothing.
class NoteEditor : public QFrame {
  Q_OBJECT

 public:
  /// `window` is a whole window: below a timeline, the timeline's keys would be taken for its own.
  explicit NoteEditor(QWidget* window);

  /// Asks at a point of the window; `what` is what the note is on. A note that is being written is
  /// stored first.
  void ask(const QString& what, const QPoint& at, std::function<void(const QString&)> store);
  /// Ends: with what has been typed, or without.
  void finish(bool keep);
  [[nodiscard]] QLineEdit& field() { return *field_; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QLabel* what_;
  QLineEdit* field_;
  std::function<void(const QString&)> store_;
  QPointer<QWidget> focus_before_;
};

}  // namespace aftershock::gui
