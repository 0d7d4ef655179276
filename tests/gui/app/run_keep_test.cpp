#include "gui/app/run_keep.h"

#include <QAction>
#include <QFile>

#include "gui/app/saved_view.h"
#include "tests/gui/app/opened_run.h"
#include "tests/unit/times.h"

namespace aftershock::gui {
namespace {

using testing::Opened;
using testing::sample_lines;
using testing::SampleFile;

struct RunKeepTest : public testing::Kept {};

TEST_F(RunKeepTest, ARunIsFoundAsItWasLeft) {
  ViewState left;
  {
    Opened opened(file.path);
    opened.press(Qt::Key_N);
    opened.press(Qt::Key_P);
    opened.press(Qt::Key_Up);
    opened.press(Qt::Key_Up);
    opened.press(Qt::Key_Return);
    opened.press(Qt::Key_Down);
    opened.press(Qt::Key_H);
    opened.timeline().set_row_px(31);
    opened.show({10 * kSecond, 40 * kSecond});
    left = opened.timeline().state();
    opened.window.close();
  }
  EXPECT_TRUE(QFile::exists(beside));
  Opened again(file.path);
  const ViewState& found = again.timeline().state();
  EXPECT_EQ(found.shown, left.shown);
  EXPECT_EQ(found.cursor_us, left.cursor_us);
  EXPECT_EQ(found.lane, left.lane);
  EXPECT_TRUE(found.lanes == left.lanes);
  EXPECT_FALSE(found.lanes.pinned.empty());
  EXPECT_FALSE(found.lanes.hidden.empty());
  EXPECT_EQ(again.timeline().chosen_row_px(), 31);
}

// The kept state belongs to the run, also to one whose recording was cut off since.
TEST_F(RunKeepTest, APlaceThatIsNotRecordedIsPassedOver) {
  {
    Opened opened(file.path);
    opened.press(Qt::Key_B);
    opened.show({50 * kSecond, 60 * kSecond});
    opened.window.close();
  }
  const std::string lines = sample_lines();
  QFile::resize(file.path, static_cast<qint64>(lines.find(R"({"t":32000000,"r":"begin")")));
  Opened again(file.path);
  EXPECT_EQ(again.notes().rowCount(), 1);
  EXPECT_EQ(again.timeline().state().shown, limits_of(again.timeline().run()));
}

TEST_F(RunKeepTest, SoItIsWhenAnotherFileIsOpenedOrTheRunIsClosed) {
  const SampleFile other(sample_lines() + "\n");
  Opened opened(file.path);
  opened.press(Qt::Key_B);
  opened.show({10 * kSecond, 40 * kSecond});
  opened.open(other.path);
  // It is the same run, so what is beside the first file is not beside this one.
  EXPECT_TRUE(opened.notes().bookmarks().empty());
  opened.open(file.path);
  EXPECT_EQ(opened.notes().bookmarks().size(), 1U);
  EXPECT_EQ(opened.timeline().state().shown, (TimeRange{10 * kSecond, 40 * kSecond}));
  opened.show({11 * kSecond, 41 * kSecond});
  opened.window.close_run(0);
  EXPECT_EQ(opened.notes().rowCount(), 0);
  opened.open(file.path);
  EXPECT_EQ(opened.timeline().state().shown, (TimeRange{11 * kSecond, 41 * kSecond}));
  opened.show({12 * kSecond, 42 * kSecond});
  opened.window.actions().action(ActionId::kReload)->trigger();
  EXPECT_TRUE(QTest::qWaitFor([&] { return !opened.workspace.session()->is_reading(); }));
  EXPECT_EQ(opened.timeline().state().shown, (TimeRange{12 * kSecond, 42 * kSecond}));
}

TEST_F(RunKeepTest, WhatIsOnlyLookedAtLeavesNothingBesideIt) {
  {
    Opened opened(file.path);
    opened.window.close();
  }
  EXPECT_FALSE(QFile::exists(beside));
  EXPECT_TRUE(in_data_folder().isEmpty()) << "nothing was changed";
  {
    Opened opened(file.path);
    opened.show({10 * kSecond, 40 * kSecond});
    opened.window.close();
  }
  EXPECT_FALSE(QFile::exists(beside));
  EXPECT_EQ(in_data_folder().size(), 1);
  Opened again(file.path);
  EXPECT_EQ(again.timeline().state().shown, (TimeRange{10 * kSecond, 40 * kSecond}));
}

TEST_F(RunKeepTest, ANoteIsThereAtOnceAndAViewAfterAWhile) {
  Opened opened(file.path);
  opened.press(Qt::Key_M);
  opened.write(QStringLiteral("x"));
  EXPECT_TRUE(QFile::exists(beside));
  QFile::remove(beside);
  opened.show({10 * kSecond, 40 * kSecond});
  EXPECT_FALSE(QFile::exists(beside));
  EXPECT_TRUE(QTest::qWaitFor([&] { return QFile::exists(beside); }, 10'000));
}

TEST_F(RunKeepTest, WhatAnotherWindowKeepsStays) {
  Opened one(file.path);
  Opened two(file.path);
  two.press(Qt::Key_M);
  two.write(QStringLiteral("of two"));
  one.timeline().setFocus();
  one.window.activateWindow();
  EXPECT_TRUE(QTest::qWaitForWindowActive(&one.window));
  one.press(Qt::Key_M);
  one.write(QStringLiteral("of one"));
  EXPECT_EQ(one.notes().rowCount(), 2);
}

TEST_F(RunKeepTest, ARecordingThatWillNotStayIsKeptInTheDataFolder) {
  const QString scenario = QStringLiteral("scenarios/quickstart.json");
  QString path;
  {
    Opened opened(scenario);
    path = opened.workspace.session()->path();
    opened.press(Qt::Key_B);
    EXPECT_FALSE(QFile::exists(sidecar_path(path)));
    opened.window.close();
  }
  EXPECT_EQ(in_data_folder().size(), 1);
  Opened again(scenario);
  EXPECT_NE(again.workspace.session()->path(), path);
  EXPECT_EQ(again.notes().bookmarks().size(), 1U);
}

TEST_F(RunKeepTest, ADamagedSidecarIsToldOfAndNotLost) {
  for (const char* text : {"{\"schema\":1", "", "[]", "{\"schema\":99}"}) {
    QFile(beside).remove();
    forget();
    QFile damaged(beside);
    ASSERT_TRUE(damaged.open(QIODevice::WriteOnly));
    damaged.write(text);
    damaged.close();
    Opened opened(file.path);
    EXPECT_NE(opened.message().find(beside.toStdString()), std::string::npos) << text;
    opened.show({10 * kSecond, 40 * kSecond});
    opened.keeper.run().save();
    EXPECT_FALSE(QFile::exists(beside + QStringLiteral(".unread-1"))) << "only looked at";
    opened.press(Qt::Key_B);
    QFile aside(beside + QStringLiteral(".unread-1"));
    ASSERT_TRUE(aside.open(QIODevice::ReadOnly)) << text;
    EXPECT_EQ(aside.readAll(), text);
    aside.remove();
  }
}

TEST_F(RunKeepTest, AFolderThatIsClosedIsNoError) {
  // Root may write anywhere, but not a file whose name is too long.
  const QString path = file.folder.filePath(QString(250, u'x'));
  ASSERT_TRUE(QFile::copy(file.path, path));
  {
    Opened opened(path);
    opened.press(Qt::Key_B);
    opened.window.close();
  }
  EXPECT_EQ(in_data_folder().size(), 1);
  Opened again(path);
  EXPECT_EQ(again.keeper.run().notes().bookmarks().size(), 1U);
}

TEST_F(RunKeepTest, AnotherRunUnderTheSameNameStartsFresh) {
  {
    Opened opened(file.path);
    opened.press(Qt::Key_B);
    opened.show({10 * kSecond, 40 * kSecond});
    opened.window.close();
  }
  QFile::remove(file.path);
  std::string lines = sample_lines();
  reports::RecordingHeader header;
  header.seed = 77;
  header.jobs = {{"llm", "ray@1", 8, 8, "gpu", {}, 0}};
  lines.replace(0, lines.find('\n'), reports::header_line(header));
  file.add(lines);
  {
    Opened opened(file.path);
    EXPECT_EQ(opened.notes().rowCount(), 0);
    EXPECT_TRUE(is_untouched(opened.timeline()));
    opened.press(Qt::Key_M);
    opened.write(QStringLiteral("of 77"));
    opened.window.close();
  }
  QFile::remove(file.path);
  file.add(sample_lines());
  Opened opened(file.path);
  EXPECT_EQ(opened.notes().bookmarks().size(), 1U) << "both have their part";
  EXPECT_EQ(opened.notes().notes().size(), 0U);
}

TEST_F(RunKeepTest, HostileWordsAndNamesAreShownAndKept) {
  const QString text = QStringLiteral("<a href='x'>%1</a> \u202e");
  const Sidecar sidecar{
      .notes = {{.begin_us = -1'000'000'000'000,
                 .end_us = std::int64_t{1} << 62,
                 .lane = QStringLiteral("node:../../\n<b>"),
                 .text = text}},
      .bookmarks = {{.name = text, .view = {9, 3, std::int64_t{1} << 62, QStringLiteral("x:y")}}},
      .slots_by_digit = {{1, {-5, -9, -7, QStringLiteral("job:\x01")}}},
      .view =
          SavedView{std::int64_t{1} << 62, -1, 5, QStringLiteral("nowhere"), QStringLiteral("*")},
      .lane_height = 1'000'000'000,
      .pins = {QStringLiteral("node:gpu-1"), QStringLiteral("node:gpu-999999999999999999999")},
      .hidden = {QString()},
      .expanded = {QStringLiteral("*"), QStringLiteral("*"), QStringLiteral("job:llm")}};
  reports::RecordingHeader header =
      *reports::parse_header(sample_lines().substr(0, sample_lines().find('\n')));
  ASSERT_EQ(save_sidecar(file.path, run_key(header), sidecar), QString());
  Opened opened(file.path);
  EXPECT_EQ(opened.timeline().state().lanes.pinned.size(), 1U);
  EXPECT_TRUE(opened.timeline().state().lanes.all_open);
  EXPECT_LE(opened.timeline().chosen_row_px(), 200);
  opened.press(Qt::Key_1);
  for (int row = 0; row < 2; ++row) {
    opened.keeper.list().select(row);
    Q_EMIT opened.keeper.list().go_to(row);
    EXPECT_FALSE(opened.window.grab().isNull());
  }
  opened.press(Qt::Key_Delete);
  opened.press(Qt::Key_M);
  opened.write(QStringLiteral("<i>"));
  EXPECT_EQ(opened.notes().rowCount(), 2);
}

TEST_F(RunKeepTest, APictureNeitherReadsNorWritesAny) {
  {
    Opened opened(file.path);
    opened.press(Qt::Key_B);
    opened.show({10 * kSecond, 40 * kSecond});
    opened.window.close();
  }
  QFile kept(beside);
  ASSERT_TRUE(kept.open(QIODevice::ReadOnly));
  const QByteArray before = kept.readAll();
  kept.close();
  Opened picture(file.path, Keeping::kNothing);
  EXPECT_EQ(picture.notes().rowCount(), 0);
  EXPECT_TRUE(is_untouched(picture.timeline()));
  picture.press(Qt::Key_B);
  picture.window.close();
  ASSERT_TRUE(kept.open(QIODevice::ReadOnly));
  EXPECT_EQ(kept.readAll(), before);
}

}  // namespace
}  // namespace aftershock::gui
