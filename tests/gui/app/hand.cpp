#include "tests/gui/app/hand.h"

#include <QApplication>
#include <QMenu>
#include <QMenuBar>
#include <QTest>
#include <bit>

#include <gtest/gtest.h>

namespace aftershock::gui::testing {

namespace {

constexpr int kKeyMs = 280;
constexpr int kPointMs = 1100;
constexpr int kButtonMs = 200;
constexpr int kHomeMs = 400;

QWidget* with_focus() {
  QWidget* focus = QApplication::focusWidget();
  return focus != nullptr ? focus : QApplication::activeWindow();
}

QAction* named(const QList<QAction*>& actions, const QString& name) {
  for (QAction* action : actions) {
    if (action->text().remove(u'&') == name) {
      return action;
    }
  }
  return nullptr;
}

}  // namespace

/// The program has done what it was asked for before the next key or click comes.
void Hand::move_to(At at) {
  QCoreApplication::processEvents();
  spent_ms_ += at_ != At::kNothing && at_ != at ? kHomeMs : 0;
  at_ = at;
}

void Hand::press(Qt::Key key, Qt::KeyboardModifiers modifiers) {
  move_to(At::kKeys);
  spent_ms_ += kKeyMs * (1 + std::popcount(static_cast<unsigned>(modifiers)));
  QTest::keyClick(with_focus(), key, modifiers);
}

void Hand::type(const QString& text) {
  move_to(At::kKeys);
  spent_ms_ += kKeyMs * static_cast<int>(text.size());
  QTest::keyClicks(with_focus(), text);
}

void Hand::click(QWidget& widget, const QPoint& at) {
  move_to(At::kMouse);
  spent_ms_ += kPointMs + kButtonMs;
  ASSERT_TRUE(widget.isVisible());
  QTest::mouseClick(&widget, Qt::LeftButton, {}, at);
}

void Hand::double_click(QWidget& widget, const QPoint& at) {
  click(widget, at);
  spent_ms_ += kButtonMs;
  QTest::mouseDClick(&widget, Qt::LeftButton, {}, at);
}

void Hand::choose(QMenuBar& bar, const QStringList& names) {
  QAction* top = named(bar.actions(), names.front());
  ASSERT_NE(top, nullptr) << names.front().toStdString();
  click(bar, bar.actionGeometry(top).center());
  QMenu* menu = top->menu();
  for (const QString& name : names.sliced(1)) {
    ASSERT_NE(menu, nullptr) << name.toStdString();
    ASSERT_TRUE(QTest::qWaitFor([&] { return menu->isVisible(); })) << name.toStdString();
    QAction* action = named(menu->actions(), name);
    ASSERT_NE(action, nullptr) << name.toStdString();
    click(*menu, menu->actionGeometry(action).center());
    menu = action->menu();
  }
}

}  // namespace aftershock::gui::testing
