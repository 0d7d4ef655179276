#include <QApplication>
#include <QScreen>
#include <QScrollBar>
#include <QTest>
#include <cmath>
#include <functional>
#include <random>

#include <gtest/gtest.h>

#include "gui/timeline/frame.h"
#include "gui/timeline/timeline.h"
#include "tests/gui/timeline/sample_run.h"
#include "tests/unit/times.h"

namespace aftershock::gui {
namespace {

struct ShownFrames {
  testing::SampleFile file{testing::sample_lines()};
  RunSession session{file.path, false};
  Timeline timeline;

  ShownFrames() {
    timeline.resize(700, 260);
    timeline.show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(&timeline));
    timeline.set_session(&session);
    testing::read_all(session);
    ViewState all = timeline.state();
    set_all_open(all.lanes, true);
    timeline.change(std::move(all));
    QApplication::processEvents();
  }
  ~ShownFrames() { timeline.set_session(nullptr); }

  /// The picture on the screen: grabbing it would have it drawn once more.
  [[nodiscard]] QImage on_screen() {
    QApplication::processEvents();
    return timeline.screen()->grabWindow(timeline.winId()).toImage();
  }
};

struct Change {
  const char* name;
  std::function<void(Timeline&)> make;
};

void show(Timeline& timeline, const TimeRange& range) {
  ViewState next = timeline.state();
  next.shown = range;
  timeline.change(std::move(next));
}

class AfterChange : public ::testing::TestWithParam<Change> {};

// Of a frame only what has changed is drawn: it must look as if all had been.
TEST_P(AfterChange, APictureIsWhatOneIsThatIsDrawnAnew) {
  ShownFrames shown;
  GetParam().make(shown.timeline);
  const QImage now = shown.on_screen();
  const Theme theme = shown.timeline.theme();
  shown.timeline.set_theme(theme == Theme::kDark ? Theme::kLight : Theme::kDark);
  EXPECT_NE(shown.on_screen(), now) << "the screen follows what is drawn";
  shown.timeline.set_theme(theme);
  EXPECT_EQ(shown.on_screen(), now);
}

INSTANTIATE_TEST_SUITE_P(
    Frames, AfterChange,
    ::testing::Values(
        Change{"zoom", [](Timeline& shown) { show(shown, {10 * kSecond, 20 * kSecond}); }},
        Change{"pan",
               [](Timeline& shown) {
                 show(shown, {10 * kSecond, 20 * kSecond});
                 QApplication::processEvents();
                 show(shown, {14 * kSecond, 24 * kSecond});
               }},
        Change{"scroll", [](Timeline& shown) { shown.verticalScrollBar()->setValue(3); }},
        Change{"scroll_and_pan",
               [](Timeline& shown) {
                 shown.verticalScrollBar()->setValue(3);
                 QApplication::processEvents();
                 show(shown, {14 * kSecond, 24 * kSecond});
               }},
        Change{"close",
               [](Timeline& shown) {
                 ViewState next = shown.state();
                 set_all_open(next.lanes, false);
                 shown.change(std::move(next));
               }},
        Change{"notes",
               [](Timeline& shown) {
                 shown.set_notes({{.begin_us = 30 * kSecond, .text = QStringLiteral("n")}}, {});
               }},
        Change{"replay",
               [](Timeline& shown) {
                 for (int i = 0; i < 30; ++i) {
                   shown.play_to(i * kSecond);
                   QApplication::processEvents();
                 }
               }},
        Change{"replay_by_pages",
               [](Timeline& shown) {
                 show(shown, {0, 10 * kSecond});
                 for (int i = 0; i < 60; ++i) {
                   shown.play_to(i * kSecond);
                   QApplication::processEvents();
                 }
               }},
        Change{"resize", [](Timeline& shown) { shown.resize(640, 300); }}),
    [](const auto& change) { return change.param.name; });

/// As note_flags finds them, by looking at each note: of every flag the numbers of its notes.
std::vector<std::vector<std::size_t>> looked_at(const Frame& frame) {
  std::vector<std::vector<std::size_t>> flags;
  double left = 0;
  for (std::size_t i = 0; i < frame.notes.size(); ++i) {
    const NoteMark& note = frame.notes[i];
    const std::int64_t last = std::max(note.begin_us, note.end_us - 1);
    if (note.begin_us >= frame.axis.end_us || last < frame.axis.begin_us) {
      continue;
    }
    const double x =
        std::max<double>(std::floor(x_of(frame, note.begin_us)), frame.layout.label_px);
    if (flags.empty() || x - left >= 10) {
      flags.emplace_back();
      left = x;
    }
    flags.back().push_back(i);
  }
  return flags;
}

TEST(ManyNotes, HaveTheFlagsThatALookAtEachFinds) {
  ShownFrames shown;
  std::mt19937 random(11);
  for (int round = 0; round < 60; ++round) {
    std::vector<NoteMark> notes(random() % 300);
    for (NoteMark& note : notes) {
      note.begin_us = static_cast<std::int64_t>(random() % 64) * kSecond;
      note.end_us = random() % 3 == 0
                        ? note.begin_us + static_cast<std::int64_t>(random() % 40) * kSecond
                        : 0;
    }
    std::ranges::stable_sort(notes, {}, &NoteMark::begin_us);
    const NoteIndex index = make_note_index(notes);
    ViewState state;
    const LaneRows rows;
    Frame frame{*shown.session.scene(), rows, state};
    frame.layout = make_layout(720, 420, 16, 22, 0, true);
    const auto begin_us = static_cast<std::int64_t>(random() % 50) * kSecond;
    const auto length_us = static_cast<std::int64_t>(1 + random() % 40) * kSecond;
    frame.axis = axis_of({begin_us, begin_us + length_us}, frame.layout.time_width(), begin_us);
    frame.font = shown.timeline.font();
    frame.notes = notes;
    frame.note_index = &index;
    std::vector<std::vector<std::size_t>> found;
    for (const NoteFlag& flag : note_flags(frame)) {
      found.emplace_back();
      for (std::size_t i = 0; i < flag.count(); ++i) {
        EXPECT_EQ(flag.place_of(flag.note(i)), i);
        found.back().push_back(flag.note(i));
      }
    }
    ASSERT_EQ(found, looked_at(frame)) << round;
  }
}

}  // namespace
}  // namespace aftershock::gui
