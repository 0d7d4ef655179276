#pragma once

#include <QWidget>

namespace aftershock::gui {

/// A ring around what has the keyboard, for those who went there by a key: pages and timelines do
/// not show it by themselves. It goes with the keyboard, and at the first click.
class FocusRing : public QWidget {
  Q_OBJECT

 public:
  /// Around nothing, and not seen.
  explicit FocusRing(QWidget* parent);

  /// Lies over `widget`, which has the keyboard, and becomes its child.
  void surround(QWidget* widget);

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void leave();

  QWidget* home_;
};

}  // namespace aftershock::gui
