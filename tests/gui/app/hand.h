#pragma once

#include <QPoint>
#include <QString>
#include <QStringList>
#include <QWidget>
#include <cstdint>

class QMenuBar;

namespace aftershock::gui::testing {

/// The hands of a user at the keyboard and the mouse: they do to the program what a user does, and
/// add up how long it takes her, by the keystroke-level model of Card, Moran and Newell (The
/// Keystroke-Level Model for User Performance Time with Interactive Systems, 1980): 1.35 s to
/// prepare a step in the mind, 0.28 s a key of somebody who types but does not live by it, 1.1 s to
/// point, 0.2 s to press and release a button, 0.4 s from keyboard to mouse or back. The
/// time that the program takes to answer is not in it.
class Hand {
 public:
  /// The user thinks of what to do next.
  void think() { spent_ms_ += 1350; }
  /// Presses a key, each modifier being one more, in the widget that has the focus.
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {});
  void type(const QString& text);
  /// Clicks at a place of a widget, or in its middle.
  void click(QWidget& widget, const QPoint& at);
  void click(QWidget& widget) { click(widget, widget.rect().center()); }
  void double_click(QWidget& widget, const QPoint& at);
  /// Clicks from the bar through the menus of these names to the last, which is done.
  void choose(QMenuBar& bar, const QStringList& names);

  [[nodiscard]] int spent_ms() const { return spent_ms_; }

 private:
  enum class At : std::uint8_t { kNothing, kKeys, kMouse };
  void move_to(At at);

  At at_ = At::kNothing;
  int spent_ms_ = 0;
};

}  // namespace aftershock::gui::testing
