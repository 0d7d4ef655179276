#include "gui/app/focus_ring.h"

#include <QLineEdit>
#include <QTest>
#include <QTextBrowser>
#include <memory>

#include <gtest/gtest.h>

namespace aftershock::gui {
namespace {

TEST(FocusRing, GoesWithTheKeyboardAndAtAClick) {
  QWidget window;
  window.resize(400, 300);
  auto page = std::make_unique<QTextBrowser>(&window);
  page->setGeometry(10, 10, 200, 100);
  auto* field = new QLineEdit(&window);
  field->setGeometry(10, 200, 200, 30);
  auto* ring = new FocusRing(&window);
  window.show();
  window.activateWindow();
  ASSERT_TRUE(QTest::qWaitForWindowActive(&window));
  EXPECT_FALSE(ring->isVisible());
  const auto surround = [&](QWidget& widget) {
    widget.setFocus(Qt::TabFocusReason);
    ring->surround(&widget);
    EXPECT_TRUE(ring->isVisible());
    EXPECT_EQ(ring->geometry(), widget.rect());
  };
  surround(*page);
  page->resize(150, 80);
  EXPECT_EQ(ring->geometry(), page->rect());
  field->setFocus();
  EXPECT_FALSE(ring->isVisible());
  surround(*page);
  surround(*field);
  QTest::mouseClick(field, Qt::LeftButton);
  EXPECT_FALSE(ring->isVisible());
  surround(*page);
  QTest::mouseClick(page->viewport(), Qt::LeftButton);
  EXPECT_FALSE(ring->isVisible());
  surround(*page);
  page.reset();
  EXPECT_FALSE(ring->isVisible());
  surround(*field);
}

}  // namespace
}  // namespace aftershock::gui
