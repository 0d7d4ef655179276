#include "gui/panels/delta_strip.h"

#include <QImage>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

#include "tests/gui/panels/compare_run.h"

namespace aftershock::gui {
namespace {

/// How many columns have the colour in a row of the strip.
int columns_of(const QImage& picture, double part, QRgb colour) {
  int count = 0;
  for (int x = 0; x < picture.width(); ++x) {
    count += picture.pixel(x, static_cast<int>(part * picture.height())) == colour ? 1 : 0;
  }
  return count;
}

TEST(DeltaStrip, DrawsWhoIsAhead) {
  // A works from 200 s on, B from 220 s on.
  const SampleRun a = compare_run("p.x", "p.y");
  const SampleRun b = compare_run("p.x", "p.y", 220);
  for (const Theme theme : {Theme::kDark, Theme::kLight}) {
    DeltaStrip strip;
    strip.set_theme(theme);
    strip.set_runs(&a.trace(), &b.trace());
    strip.resize(100 + 300, strip.sizeHint().height());
    strip.set_range({0, 300'000'000}, 100, 0);
    const QImage picture = strip.grab().toImage();
    const Inks& ink = inks(theme);
    // Up to an eighth narrower, since columns are those of the timeline.
    EXPECT_NEAR(columns_of(picture, 0.15, ink.run_a), 20, 4);
    EXPECT_EQ(columns_of(picture, 0.9, ink.run_b), 0);
    strip.set_runs(&b.trace(), &a.trace());
    const QImage swapped = strip.grab().toImage();
    EXPECT_EQ(columns_of(swapped, 0.15, ink.run_a), 0);
    EXPECT_GT(columns_of(swapped, 0.9, ink.run_b), 4) << "hatched";
  }
}

TEST(DeltaStrip, OneMicrosecondInAYearIsSeen) {
  constexpr std::int64_t kYear = 31'536'000'000'000;
  DeltaStrip strip;
  const SampleRun a = compare_run("p.x", "p.y");
  const SampleRun b = compare_run("p.x", "p.y", 220);
  strip.set_runs(&a.trace(), &b.trace());
  strip.resize(800, strip.sizeHint().height());
  strip.set_range({0, kYear}, 0, 0);
  EXPECT_EQ(columns_of(strip.grab().toImage(), 0.15, inks(Theme::kDark).run_a), 1);
}

TEST(DeltaStrip, EqualRunsDifferNowhere) {
  const SampleRun a = compare_run("p.x", "p.y");
  DeltaStrip strip;
  strip.set_runs(&a.trace(), &a.trace());
  for (const Alignment alignment : {Alignment::kTime, Alignment::kFault, Alignment::kProgress}) {
    strip.set_alignment(time_map(a.trace(), a.trace(), alignment));
    EXPECT_EQ(strip.differences().within(-1, 400'000'000), 0);
  }
  strip.resize(300, 26);
  strip.set_range({0, 300'000'000}, 0, 0);
  EXPECT_EQ(columns_of(strip.grab().toImage(), 0.15, inks(Theme::kDark).run_a), 0);
  EXPECT_TRUE(strip.words_at(100).isEmpty());
}

TEST(DeltaStrip, TellsAndLeads) {
  const SampleRun a = compare_run("p.x", "p.y");
  const SampleRun b = compare_run("p.x", "p.z", 220);
  DeltaStrip strip;
  strip.set_runs(&a.trace(), &b.trace());
  strip.resize(700, 26);
  strip.set_range({0, 300'000'000}, 100, 0);
  reports::DecisionStep step;
  step.rule = "p.y";
  strip.set_divergences(
      {{.owner = "job:llm", .fault = "<f>", .a = step, .b = std::nullopt, .a_us = 190'000'000}});
  int differs = 100;
  while (differs < 690 && !strip.words_at(differs).contains(QStringLiteral("restoring"))) {
    ++differs;
  }
  const QString told = strip.words_at(differs + 8);
  EXPECT_TRUE(told.contains(QStringLiteral("job:llm: A productive, B restoring")))
      << told.toStdString();
  QString parts;
  for (int x = 100; x < differs; ++x) {
    parts += strip.words_at(x);
  }
  EXPECT_TRUE(
      parts.contains(QStringLiteral("They part at <f> (job:llm)\nA: p.y\nB: nothing further")));
  EXPECT_FALSE(strip.words_at(5).isEmpty()) << "the legend";

  QSignalSpy chosen(&strip, &DeltaStrip::time_chosen);
  QTest::mouseClick(&strip, Qt::LeftButton, {}, QPoint(differs + 2, 13));
  ASSERT_EQ(chosen.count(), 1);
  EXPECT_NEAR(static_cast<double>(chosen[0][0].toLongLong()), 200'000'000, 2'500'000);
  QTest::mouseClick(&strip, Qt::LeftButton, {}, QPoint(5, 13));
  EXPECT_EQ(chosen.count(), 1) << "labels lead nowhere";
  strip.set_cursor(0);
  QTest::keyClick(&strip, Qt::Key_Right);
  ASSERT_EQ(chosen.count(), 2);
  EXPECT_EQ(chosen[1][0].toLongLong(), 200'000'000);
  strip.set_cursor(200'000'000);
  QTest::keyClick(&strip, Qt::Key_Right);
  EXPECT_EQ(chosen.count(), 2) << "there is no other";
  strip.set_cursor(299'000'000);
  QTest::keyClick(&strip, Qt::Key_Left);
  EXPECT_EQ(chosen.count(), 3);
  EXPECT_TRUE(
      strip.accessibleDescription().contains(QStringLiteral("A is ahead for 20 s, B for 0 s")))
      << strip.accessibleDescription().toStdString();
}

TEST(DeltaStrip, BearsAnything) {
  const SampleRun a = compare_run("p.x", "p.y");
  DeltaStrip strip;
  for (const Trace* trace : {static_cast<const Trace*>(nullptr), &a.trace()}) {
    strip.set_runs(trace, trace == nullptr ? &a.trace() : nullptr);
    for (const QSize size : {QSize(1, 1), QSize(50, 26), QSize(4000, 26)}) {
      strip.resize(size);
      strip.set_range({-kFurthest_us, kFurthest_us}, 100, 30);
      strip.set_cursor(kFurthest_us);
      EXPECT_FALSE(strip.grab().isNull());
      QTest::keyClick(&strip, Qt::Key_Left);
      QTest::mouseClick(&strip, Qt::LeftButton, {}, QPoint(0, 0));
    }
  }
}

}  // namespace
}  // namespace aftershock::gui
