#include <algorithm>
#include <array>

#include <gtest/gtest.h>

#include "gui/timeline/draw_legend.h"
#include "tests/gui/timeline/shown_timeline.h"

namespace aftershock::gui {
namespace {

struct LegendCase {
  const char* what;
  int room_px;
  std::size_t lines;
  std::vector<std::size_t> ends;
  std::size_t left_out;
};

TEST(Legend, WrapsAndCountsWhatDoesNotFit) {
  const std::array widths{50, 60, 70, 80};
  const LegendCase cases[] = {
      {"all in one line", 290, 3, {4}, 0},
      {"one pixel less", 289, 3, {3, 4}, 0},
      {"a line each", 80, 9, {1, 2, 3, 4}, 0},
      {"the last line has room for the number", 150, 1, {2}, 2},
      {"and what the number needs is left out", 149, 1, {1}, 3},
      {"too narrow for any", 40, 5, {}, 4},
      {"the third is too wide", 65, 9, {1, 2}, 2},
      {"no line", 500, 0, {}, 4},
  };
  for (const LegendCase& each : cases) {
    const LegendLines got = legend_lines(widths, 10, each.room_px, each.lines, 20);
    EXPECT_EQ(got.ends, each.ends) << each.what;
    EXPECT_EQ(got.left_out, each.left_out) << each.what;
  }
  EXPECT_EQ(legend_lines({}, 10, 100, 2, 20).left_out, 0U);
}

TEST(Legend, AClickHidesAKindOfSpanAndTheNextOneShowsIt) {
  const testing::ShownTimeline shown;
  const auto picture = [&] { return shown.port()->grab().toImage(); };
  const QImage before = picture();
  const auto& legend = shown.timeline->legend();
  const auto found = std::ranges::find(legend, Kind::kRestoring, &LegendEntry::kind);
  ASSERT_NE(found, legend.end());
  const QPoint at = found->box.center();
  QTest::mouseClick(shown.port(), Qt::LeftButton, {}, at);
  EXPECT_EQ(shown.timeline->hidden_kinds(), mask_of(Kind::kRestoring));
  EXPECT_EQ(shown.timeline->announced(), QStringLiteral("restoring is hidden"));
  QTest::mouseMove(shown.port(), QPoint(1, 1));
  EXPECT_NE(picture(), before);
  QTest::mouseClick(shown.port(), Qt::LeftButton, {}, at);
  EXPECT_EQ(shown.timeline->hidden_kinds(), KindMask{});
  EXPECT_EQ(shown.timeline->announced(), QStringLiteral("restoring is shown"));
}

}  // namespace
}  // namespace aftershock::gui
