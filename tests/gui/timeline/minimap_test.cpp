#include <QTest>
#include <cmath>

#include <gtest/gtest.h>

#include "gui/timeline/timeline.h"
#include "tests/gui/timeline/sample_run.h"
#include "tests/unit/times.h"

namespace aftershock::gui {
namespace {

using testing::read_all;
using testing::sample_lines;
using testing::SampleFile;

/// A timeline that shows 20 s to 40 s of 64 s.
struct ShownMinimap {
  SampleFile file{sample_lines()};
  RunSession session{file.path, false};
  Timeline timeline;

  ShownMinimap() {
    timeline.resize(900, 400);
    timeline.show();
    timeline.set_session(&session);
    read_all(session);
    ViewState next = timeline.state();
    next.shown = {20 * kSecond, 40 * kSecond};
    timeline.change(next);
  }
  ~ShownMinimap() { timeline.set_session(nullptr); }
  /// Where a time is on the minimap.
  [[nodiscard]] QPoint at(double s) const {
    const Layout layout = timeline.layout_now();
    const TimeAxis axis = whole_axis(timeline.run(), layout.time_width());
    return {layout.label_px + static_cast<int>(std::lround(x_on(axis, std::llround(s * 1e6)))),
            layout.minimap_px / 2};
  }
  void drag(double from_s, double to_s) {
    QWidget* port = timeline.viewport();
    QTest::mousePress(port, Qt::LeftButton, {}, at(from_s));
    QTest::mouseMove(port, at((from_s + to_s) / 2));
    QMouseEvent move(QEvent::MouseMove, at(to_s), port->mapToGlobal(at(to_s)), Qt::NoButton,
                     Qt::LeftButton, {});
    QApplication::sendEvent(port, &move);
    QTest::mouseRelease(port, Qt::LeftButton, {}, at(to_s));
  }
  void expect(double begin_s, double end_s) const {
    const TimeRange& shown = timeline.state().shown;
    EXPECT_NEAR(static_cast<double>(shown.begin_us) / 1e6, begin_s, 0.3);
    EXPECT_NEAR(static_cast<double>(shown.end_us) / 1e6, end_s, 0.3);
  }
  Qt::CursorShape cursor_at(double s) {
    QMouseEvent move(QEvent::MouseMove, at(s), timeline.viewport()->mapToGlobal(at(s)),
                     Qt::NoButton, Qt::NoButton, {});
    QApplication::sendEvent(timeline.viewport(), &move);
    return timeline.viewport()->cursor().shape();
  }
};

TEST(Minimap, EdgesChangeOneEndOfTheRange) {
  ShownMinimap shown;
  shown.drag(20, 10);
  shown.expect(10, 40);
  shown.drag(40, 60);
  shown.expect(10, 60);
  // Over the other edge.
  shown.drag(10, 62);
  shown.expect(60, 62);
}

TEST(Minimap, MiddleMovesOutsideDraws) {
  ShownMinimap shown;
  shown.drag(30, 40);
  shown.expect(30, 50);
  shown.drag(5, 15);
  shown.expect(5, 15);
  shown.drag(60, 50);
  shown.expect(50, 60);
}

TEST(Minimap, ClickOutsideGoesThereInsideDoesNothing) {
  ShownMinimap shown;
  QTest::mouseClick(shown.timeline.viewport(), Qt::LeftButton, {}, shown.at(30));
  shown.expect(20, 40);
  QTest::mouseClick(shown.timeline.viewport(), Qt::LeftButton, {}, shown.at(55));
  shown.expect(45, 65);
}

TEST(Minimap, CursorsTellWhatADragWouldDo) {
  ShownMinimap shown;
  EXPECT_EQ(shown.cursor_at(20), Qt::SizeHorCursor);
  EXPECT_EQ(shown.cursor_at(40), Qt::SizeHorCursor);
  EXPECT_EQ(shown.cursor_at(30), Qt::OpenHandCursor);
  EXPECT_EQ(shown.cursor_at(50), Qt::CrossCursor);
}

TEST(Minimap, StandsExactlyOverATimelineThatShowsAll) {
  ShownMinimap shown;
  ViewState next = shown.timeline.state();
  next.shown = limits_of(shown.timeline.run());
  shown.timeline.change(next);
  for (const double s : {0.0, 1.0, 32.0, 63.0, 64.0}) {
    EXPECT_NEAR(shown.at(s).x(), shown.timeline.x_at(std::llround(s * 1e6)), 1.0) << s;
  }
}

}  // namespace
}  // namespace aftershock::gui
