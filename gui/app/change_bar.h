#pragma once

#include <QFrame>

class QLabel;

namespace aftershock::gui {

/// A quiet word that a file which is open has changed, with a button to read it again.
class ChangeBar : public QFrame {
  Q_OBJECT

 public:
  explicit ChangeBar(QWidget* parent = nullptr);

  /// Shows this in place of what is there. The text is shown as it is, markup and all.
  void say(const QString& text);
  /// The text that is shown; empty while it is closed.
  [[nodiscard]] QString text() const;

 Q_SIGNALS:
  /// The buttons.
  void reload_asked();
  void closed();

 private:
  QLabel* label_;
};

}  // namespace aftershock::gui
