#pragma once

#include <QFrame>

class QLabel;

namespace aftershock::gui {

/// A word that something is wrong, above the document until it is closed: it stops nobody.
class MessageBar : public QFrame {
  Q_OBJECT

 public:
  explicit MessageBar(QWidget* parent = nullptr);

  /// Shows this in place of what is there; nothing closes it. The text is shown as it is, markup
  /// and all.
  void say(const QString& text);
  /// The text that is shown; empty while it is closed.
  [[nodiscard]] QString text() const;

 private:
  QLabel* label_;
};

}  // namespace aftershock::gui
