#include "gui/timeline/notes.h"

#include <QSignalSpy>
#include <QTest>
#include <cmath>

#include <gtest/gtest.h>

#include "gui/actions/action_set.h"
#include "gui/theme/look.h"
#include "gui/timeline/timeline.h"
#include "tests/gui/timeline/shown_timeline.h"
#include "tests/unit/times.h"

namespace aftershock::gui {
namespace {

struct ShownNotes : testing::ShownTimeline {
  [[nodiscard]] QPoint at(std::int64_t t_us, int y) const {
    return {static_cast<int>(std::lround(timeline->x_at(t_us))), y};
  }
  [[nodiscard]] int notes_y() const {
    const Layout layout = timeline->layout_now();
    return layout.minimap_px + layout.notes_px / 2;
  }
  void drag(const QPoint& from, const QPoint& to) const {
    QTest::mousePress(port(), Qt::LeftButton, Qt::ShiftModifier, from);
    QTest::mouseMove(port(), (from + to) / 2);
    QTest::mouseMove(port(), to);
    QTest::mouseRelease(port(), Qt::LeftButton, Qt::ShiftModifier, to);
  }
  [[nodiscard]] std::optional<TimeRange> range() const { return selected_range(timeline->state()); }
};

NoteMark note(std::int64_t begin_us, std::int64_t end_us, const char* text) {
  return {.begin_us = begin_us, .end_us = end_us, .text = QString::fromUtf8(text)};
}

TEST(Notes, HaveRoomOnlyWhereThereAreSome) {
  const ShownNotes shown;
  const Layout before = shown.timeline->layout_now();
  EXPECT_EQ(before.notes_px, 0);
  shown.timeline->set_notes({note(kSecond, kSecond, "a")}, std::nullopt);
  const Layout with = shown.timeline->layout_now();
  EXPECT_GT(with.notes_px, with.text_px);
  EXPECT_EQ(with.rows_top(), before.rows_top() + with.notes_px);
  shown.timeline->set_notes({}, std::nullopt);
  EXPECT_EQ(shown.timeline->layout_now().rows_top(), before.rows_top());
}

TEST(Notes, FlagsAreClickedOneAfterTheOther) {
  const ShownNotes shown;
  QSignalSpy clicked(shown.timeline, &Timeline::note_clicked);
  // Two at one time, one apart, and a range that holds it.
  const std::vector<NoteMark> notes{
      note(8 * kSecond, 8 * kSecond, "one"), note(8 * kSecond, 8 * kSecond, "two"),
      note(30 * kSecond, 50 * kSecond, "range"), note(60 * kSecond, 60 * kSecond, "late")};
  std::optional<std::size_t> selected;
  struct Case {
    std::int64_t t_us;
    int note;
  };
  for (const Case& c : {Case{8 * kSecond, 0}, Case{8 * kSecond, 1}, Case{8 * kSecond, 0},
                        Case{30 * kSecond, 2}, Case{60 * kSecond, 3}}) {
    shown.timeline->set_notes(notes, selected);
    QTest::mouseClick(shown.port(), Qt::LeftButton, {},
                      shown.at(c.t_us, shown.notes_y()) + QPoint(2, 0));
    ASSERT_FALSE(clicked.isEmpty()) << c.t_us;
    EXPECT_EQ(clicked.takeFirst().front().toInt(), c.note) << c.t_us;
    selected = static_cast<std::size_t>(c.note);
  }
  // The bar below the flags is the range's, too; beside all of them is only the ruler.
  const Layout layout = shown.timeline->layout_now();
  const int bar = layout.minimap_px + layout.notes_px - 3;
  QTest::mouseClick(shown.port(), Qt::LeftButton, {}, shown.at(49 * kSecond, bar));
  ASSERT_FALSE(clicked.isEmpty());
  EXPECT_EQ(clicked.takeFirst().front().toInt(), 2);
  QTest::mouseClick(shown.port(), Qt::LeftButton, {}, shown.at(20 * kSecond, shown.notes_y()));
  EXPECT_TRUE(clicked.isEmpty());
  EXPECT_NEAR(static_cast<double>(shown.timeline->state().cursor_us), 20e6, 2e5);
}

TEST(Notes, AreDrawnInBothThemesWhateverTheySay) {
  const ShownNotes shown;
  const auto lane = key_of(shown.timeline->session()->scene()->directory(), "job:llm");
  std::vector<NoteMark> notes{note(-5 * kSecond, 5 * kSecond, "<b>\u202e\x01</b>\nsecond line"),
                              note(20 * kSecond, 20 * kSecond, ""),
                              note(40 * kSecond, (std::int64_t{1} << 62), "to the end of time")};
  notes[1].lane = lane;
  for (const Theme theme : {Theme::kDark, Theme::kLight}) {
    shown.timeline->set_theme(theme);
    shown.timeline->set_notes({}, std::nullopt);
    shown.timeline->go_to(64 * kSecond, std::nullopt);
    shown.timeline->set_notes(notes, std::nullopt);
    const QImage seen = shown.port()->grab().toImage();
    const int y = shown.timeline->layout_now().minimap_px + 2;
    EXPECT_EQ(seen.pixel(shown.at(20 * kSecond, y)), inks(theme).accent);
    shown.timeline->set_notes(notes, 1);
    const QImage selected = shown.port()->grab().toImage();
    EXPECT_EQ(selected.pixel(shown.at(20 * kSecond, y)), inks(theme).selection);
  }
  EXPECT_EQ(flag_text(notes, {.first = 0, .last = 1}),
            QStringLiteral("<b>\\u202e\\x01</b>\\x0asecond line"));
}

TEST(Notes, ShortRangesHaveABarNoLongerThanAPixel) {
  const ShownNotes shown;
  std::vector<NoteMark> notes;
  for (int i = 0; i < 100; ++i) {
    notes.push_back(note(10 * kSecond + i, 10 * kSecond + i + 1, ""));
  }
  shown.timeline->go_to(64 * kSecond, std::nullopt);
  shown.timeline->set_notes(std::move(notes), std::nullopt);
  const QImage seen = shown.port()->grab().toImage();
  const Layout layout = shown.timeline->layout_now();
  const int bar = layout.minimap_px + layout.notes_px - 3;
  EXPECT_EQ(seen.pixel(shown.at(10 * kSecond, bar)), inks(Theme::kDark).accent);
  EXPECT_EQ(seen.pixel(shown.at(10 * kSecond, bar) + QPoint(5, 0)), inks(Theme::kDark).window);
}

TEST(Notes, ManyCostLittleAndShareFlags) {
  const ShownNotes shown;
  std::vector<NoteMark> notes;
  for (int i = 0; i < 100'000; ++i) {
    notes.push_back(note(i * 640, i * 640 + (i % 2), "x"));
  }
  shown.timeline->set_notes(std::move(notes), std::nullopt);
  shown.port()->grab();
  const double many_ms = shown.timeline->drawn_ms();
  RecordProperty("drawn_us", static_cast<int>(many_ms * 1000));
  shown.timeline->set_notes({note(kSecond, kSecond, "x")}, std::nullopt);
  shown.port()->grab();
  RecordProperty("drawn_with_one_us", static_cast<int>(shown.timeline->drawn_ms() * 1000));
  EXPECT_LT(many_ms, shown.timeline->drawn_ms() + 100);
}

TEST(SelectedRange, ComesFromASpanAndIsFittedAndCleared) {
  const ShownNotes shown;
  QTest::keyClick(shown.timeline, Qt::Key_R);
  EXPECT_EQ(shown.range(), std::nullopt);
  EXPECT_EQ(shown.timeline->announced(),
            QStringLiteral("nothing is selected whose range could be"));
  const auto key = key_of(shown.timeline->session()->scene()->directory(), "job:llm/phases");
  for (std::uint32_t lane = 0; lane < shown.session.trace().lanes.size(); ++lane) {
    if (shown.timeline->session()->scene()->key_of_lane(lane) == key) {
      shown.timeline->go_to(40 * kSecond, key, id_of({lane, false}), 1);
    }
  }
  QTest::keyClick(shown.timeline, Qt::Key_R);
  EXPECT_EQ(shown.range(), (TimeRange{32 * kSecond, 48 * kSecond}));
  EXPECT_EQ(shown.timeline->announced(), QStringLiteral("16 s selected, from 32 s to 48 s"));
  QTest::keyClick(shown.timeline, Qt::Key_F);
  QTest::keyClick(shown.timeline, Qt::Key_F);
  EXPECT_EQ(shown.timeline->state().shown, (TimeRange{31 * kSecond, 49 * kSecond}));
  QTest::keyClick(shown.timeline, Qt::Key_Escape);
  EXPECT_EQ(shown.range(), std::nullopt);
  QTest::keyClick(shown.timeline, Qt::Key_Backspace);
  EXPECT_EQ(shown.range(), (TimeRange{32 * kSecond, 48 * kSecond}));
}

TEST(SelectedRange, IsDraggedWithShiftOverLanesAndRuler) {
  const ShownNotes shown;
  const Layout layout = shown.timeline->layout_now();
  const TimeRange view = shown.timeline->state().shown;
  for (const int y : {layout.rows_top() + 40, layout.rows_top() - 10}) {
    for (const bool backwards : {false, true}) {
      const QPoint from = shown.at(10 * kSecond, y);
      const QPoint to = shown.at(30 * kSecond, y);
      shown.drag(backwards ? to : from, backwards ? from : to);
      ASSERT_TRUE(shown.range());
      EXPECT_NEAR(static_cast<double>(shown.range()->begin_us), 10e6, 2e5);
      EXPECT_NEAR(static_cast<double>(shown.range()->end_us), 30e6, 2e5);
      EXPECT_EQ(shown.timeline->state().shown, view) << "nothing is panned";
      // One step back is before all of the drag.
      QTest::keyClick(shown.timeline, Qt::Key_Backspace);
      EXPECT_EQ(shown.range(), std::nullopt);
    }
  }
  // Beyond the run's ends there is nothing to select.
  shown.drag(shown.at(50 * kSecond, layout.rows_top() + 40), {layout.width - 1, 300});
  EXPECT_EQ(shown.range()->end_us, 64 * kSecond);
}

TEST(SelectedRange, IsTintedBetweenTwoLines) {
  for (const Theme theme : {Theme::kDark, Theme::kLight}) {
    const ShownNotes shown;
    shown.timeline->set_theme(theme);
    shown.timeline->go_to(64 * kSecond, std::nullopt);
    const int y = shown.port()->height() - 60;
    const QImage before = shown.port()->grab().toImage();
    ViewState next = shown.timeline->state();
    next.selection = Selection{.lane = std::nullopt, .time = {10 * kSecond, 30 * kSecond}};
    shown.timeline->change(next);
    const QImage seen = shown.port()->grab().toImage();
    const QPoint edge(static_cast<int>(std::floor(shown.timeline->x_at(10 * kSecond))), y);
    EXPECT_EQ(seen.pixel(edge), inks(theme).selection);
    EXPECT_NE(seen.pixel(shown.at(20 * kSecond, y)), before.pixel(shown.at(20 * kSecond, y)));
    EXPECT_EQ(seen.pixel(shown.at(40 * kSecond, y)), before.pixel(shown.at(40 * kSecond, y)));
  }
}

}  // namespace
}  // namespace aftershock::gui
