#include "gui/app/context_menu.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QMenu>

#include <gtest/gtest.h>

#include "tests/gui/app/opened_run.h"

namespace aftershock::gui {
namespace {

using testing::Opened;

struct ContextMenus : public testing::Kept {
  Opened opened{file.path};
  ContextMenu* menus = new ContextMenu(opened.window, opened.workspace);

  /// Asks for the menu at a place of the timeline; its entries.
  QStringList ask(const QPoint& at, QContextMenuEvent::Reason why = QContextMenuEvent::Mouse) {
    QWidget* port = opened.timeline().viewport();
    QContextMenuEvent event(why, at, port->mapToGlobal(at));
    QCoreApplication::sendEvent(port, &event);
    QStringList entries;
    if (menus->open_menu() != nullptr) {
      for (const QAction* action : menus->open_menu()->actions()) {
        if (!action->isSeparator()) {
          entries << action->text().remove(u'&');
        }
      }
    }
    return entries;
  }
  QPoint in_lanes(std::int64_t t_us) {
    const Layout layout = opened.timeline().layout_now();
    return {static_cast<int>(opened.timeline().x_at(t_us)), layout.rows_top() + layout.row_px / 2};
  }
  void choose(ActionId id) { opened.window.actions().action(id)->trigger(); }
};

TEST_F(ContextMenus, AreAboutWhatIsUnderThePointer) {
  const Layout layout = opened.timeline().layout_now();
  const QStringList lanes = ask(in_lanes(10 * kSecond));
  for (const char* text : {"Centre selection", "An hour around", "Copy time"}) {
    EXPECT_TRUE(lanes.contains(QString::fromUtf8(text))) << text;
  }
  const QStringList label = ask({5, layout.rows_top() + layout.row_px / 2});
  EXPECT_TRUE(label.contains(QStringLiteral("Pin lane"))) << label.join(u'|').toStdString();
  EXPECT_FALSE(label.contains(QStringLiteral("Copy time")));
  EXPECT_TRUE(opened.timeline().state().lane);
  const QStringList ruler = ask(layout.ruler().center());
  EXPECT_TRUE(ruler.contains(QStringLiteral("Whole run")));
  EXPECT_EQ(opened.timeline().state().cursor_us,
            opened.timeline().time_at(layout.ruler().center().x()));
  EXPECT_TRUE(ask({1, 1}, QContextMenuEvent::Keyboard).contains(QStringLiteral("Copy time")));
}

TEST_F(ContextMenus, CopyTheTimeThatTheyAreAskedAt) {
  Timeline& timeline = opened.timeline();
  const QPoint at = in_lanes(10 * kSecond);
  ask(at);
  EXPECT_EQ(timeline.state().cursor_us, timeline.time_at(at.x()));
  timeline.play_to(40 * kSecond);
  choose(ActionId::kCopyTime);
  EXPECT_EQ(QGuiApplication::clipboard()->text(), QStringLiteral("40s"));
}

TEST_F(ContextMenus, LeaveARangeSelectedThatTheyAreAbout) {
  Timeline& timeline = opened.timeline();
  ViewState next = timeline.state();
  next.selection = Selection{.lane = std::nullopt, .time = {5 * kSecond, 15 * kSecond}};
  timeline.change(next);
  ask(in_lanes(10 * kSecond));
  EXPECT_EQ(selected_range(timeline.state()), (TimeRange{5 * kSecond, 15 * kSecond}));
  choose(ActionId::kCopyTime);
  EXPECT_EQ(QGuiApplication::clipboard()->text(), QStringLiteral("5s - 15s"));
  ask(in_lanes(30 * kSecond));
  EXPECT_EQ(selected_range(timeline.state()), std::nullopt);
}

TEST_F(ContextMenus, AnHourAroundIsAsLongAsTheRunAllows) {
  opened.timeline().play_to(10 * kSecond);
  choose(ActionId::kHourAround);
  const TimeRange run = opened.timeline().run();
  const TimeRange hours{10 * kSecond - kHour, 10 * kSecond + kHour};
  EXPECT_EQ(opened.timeline().state().shown, clamped(hours, run));
}

}  // namespace
}  // namespace aftershock::gui
