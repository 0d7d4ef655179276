#include "gui/app/keeper.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QSignalSpy>
#include <QStatusBar>
#include <QTableView>
#include <QTest>
#include <functional>

#include <gtest/gtest.h>

#include "gui/app/arguments.h"
#include "gui/app/main_window.h"
#include "gui/app/message_bar.h"
#include "gui/app/saved_view.h"
#include "gui/app/screenshot.h"
#include "gui/app/settings.h"
#include "gui/app/side_panels.h"
#include "gui/app/workspace.h"
#include "gui/panels/ledger_bars.h"
#include "gui/panels/note_editor.h"
#include "gui/panels/notes_list.h"
#include "gui/sidecar/sidecar_file.h"
#include "tests/gui/timeline/sample_run.h"

namespace aftershock::gui {
namespace {

using testing::sample_lines;
using testing::SampleFile;

constexpr std::int64_t kSecond = 1'000'000;

/// A window as the program has it.
struct Opened {
  Settings settings;
  MainWindow window{settings, QString()};
  Workspace workspace{window};
  SidePanels panels{window, workspace};
  Keeper keeper;

  explicit Opened(const QString& path, Keeping keeping = Keeping::kAll)
      : keeper(window, workspace, keeping) {
    window.resize(1200, 700);
    window.show();
    window.activateWindow();
    EXPECT_TRUE(QTest::qWaitForWindowActive(&window));
    open(path);
  }
  void open(const QString& path) {
    QSignalSpy finished(&workspace, &Workspace::session_finished);
    window.open_file(path, 0);
    EXPECT_TRUE(!finished.isEmpty() || finished.wait(60000));
    timeline().setFocus();
  }
  Timeline& timeline() { return workspace.timeline(); }
  NotesModel& notes() { return keeper.run().notes(); }
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    QTest::keyClick(&timeline(), key, modifiers);
  }
  void write(const QString& text) {
    ASSERT_TRUE(keeper.editor().field().hasFocus());
    QTest::keyClicks(&keeper.editor().field(), text);
    QTest::keyClick(&keeper.editor().field(), Qt::Key_Return);
  }
  std::string word() { return window.statusBar()->currentMessage().toStdString(); }
  std::string message() { return window.findChild<MessageBar*>()->text().toStdString(); }
  std::string lane() {
    const auto& lane = timeline().state().lane;
    return lane ? text_of(workspace.session()->scene()->directory(), *lane) : "";
  }
  void show(TimeRange range) {
    ViewState next = timeline().state();
    next.shown = range;
    timeline().change(next);
  }
};

struct Kept : public ::testing::Test {
  SampleFile file{sample_lines()};
  QString beside = sidecar_path(file.path);

  /// What is in the data folder is of the run and not of the file, and so of all tests.
  void SetUp() override { forget(); }
  static void forget() {
    QDir(QFileInfo(fallback_path(QStringLiteral("x"))).path()).removeRecursively();
  }
  static QStringList in_data_folder() {
    return QDir(QFileInfo(fallback_path(QStringLiteral("x"))).path()).entryList(QDir::Files);
  }
};

TEST_F(Kept, EachKeyDoesWhatItsActionSays) {
  struct Row {
    const char* what;
    Qt::Key key;
    Qt::KeyboardModifiers modifiers;
    std::function<bool(Opened&)> done;
  };
  // In this order: what one makes the next one finds.
  const std::vector<Row> rows{
      {"a note at the cursor", Qt::Key_M, {}, [](Opened& o) {
         o.write(QStringLiteral("here"));
         return o.notes().notes() == std::vector<Note>{{.begin_us = 32 * kSecond,
                                                        .end_us = 32 * kSecond,
                                                        .lane = QStringLiteral("node:gpu-1"),
                                                        .text = QStringLiteral("here")}} &&
                o.timeline().layout_now().notes_px > 0 && o.word() == "Note stored: here";
       }},
      {"it is selected, and deleted", Qt::Key_Delete, {}, [](Opened& o) {
         return o.notes().rowCount() == 0 && o.word() == "Deleted the note at 32 s: here" &&
                o.timeline().layout_now().notes_px == 0;
       }},
      {"nothing more is selected", Qt::Key_Delete, {},
       [](Opened& o) { return o.word().starts_with("No note or bookmark is selected"); }},
      {"a note on what is in view", Qt::Key_M, Qt::ShiftModifier, [](Opened& o) {
         o.write(QStringLiteral("all"));
         const Note& note = o.notes().notes().at(0);
         return note.begin_us == 0 && note.end_us == 64 * kSecond && note.lane.isEmpty();
       }},
      {"a bookmark", Qt::Key_B, {}, [](Opened& o) {
         return o.notes().bookmarks().size() == 1 &&
                o.notes().bookmarks()[0].name == QStringLiteral("node:gpu-1 at 32 s") &&
                o.word() == "Bookmarked: node:gpu-1 at 32 s";
       }},
      {"no place yet", Qt::Key_3, {},
       [](Opened& o) { return o.word().starts_with("There is no place 3 yet"); }},
      {"a place is stored", Qt::Key_3, Qt::ControlModifier,
       [](Opened& o) { return o.keeper.run().place(3).has_value(); }},
      {"another view", Qt::Key_End, {},
       [](Opened& o) { return o.timeline().state().cursor_us == 64 * kSecond; }},
      {"back to the place", Qt::Key_3, {},
       [](Opened& o) { return o.timeline().state().cursor_us == 32 * kSecond; }},
      {"and undone in one", Qt::Key_Backspace, {},
       [](Opened& o) { return o.timeline().state().cursor_us == 64 * kSecond; }},
  };
  Opened opened(file.path);
  opened.press(Qt::Key_N);
  ViewState next = opened.timeline().state();
  next.selection.reset();
  opened.timeline().change(next);
  for (const Row& row : rows) {
    opened.press(row.key, row.modifiers);
    EXPECT_TRUE(row.done(opened)) << row.what << ": " << opened.word();
  }
}

TEST_F(Kept, EveryPlaceHasItsTwoKeys) {
  Opened opened(file.path);
  for (int digit = 1; digit <= kSlots; ++digit) {
    const auto key = static_cast<Qt::Key>(Qt::Key_0 + digit);
    opened.timeline().go_to(digit * kSecond, std::nullopt);
    opened.press(key, Qt::ControlModifier);
    opened.timeline().go_to(0, std::nullopt);
    opened.press(key);
    EXPECT_EQ(opened.timeline().state().cursor_us, digit * kSecond) << digit;
  }
}

TEST_F(Kept, ANoteOnTheSelectedRangeIsGoneToFromTheList) {
  Opened opened(file.path);
  ViewState next = opened.timeline().state();
  next.selection = Selection{.lane = std::nullopt, .time = {20 * kSecond, 24 * kSecond}};
  opened.timeline().change(next);
  opened.press(Qt::Key_M, Qt::ShiftModifier);
  opened.write(QStringLiteral("odd"));
  opened.press(Qt::Key_End);
  EXPECT_EQ(opened.keeper.list().row(), -1) << "who goes elsewhere does not mean it any more";
  opened.window.actions().action(ActionId::kBookmarkList)->trigger();
  EXPECT_TRUE(opened.keeper.list().isVisible());
  opened.keeper.list().select(0);
  opened.keeper.list().table().setFocus();
  QTest::keyClick(&opened.keeper.list().table(), Qt::Key_Return);
  EXPECT_EQ(opened.timeline().state().cursor_us, 20 * kSecond);
  EXPECT_EQ(selected_range(opened.timeline().state()), (TimeRange{20 * kSecond, 24 * kSecond}));
  EXPECT_EQ(opened.timeline().state().shown, (TimeRange{19'750'000, 24'250'000}));
  EXPECT_EQ(opened.keeper.list().row(), 0) << "still selected";
  // The ledger is that of the range.
  auto& ledger = *opened.window.findChild<LedgerBars*>();
  EXPECT_EQ(ledger.model().index(0, LedgerModel::kTime).data().toString(), QStringLiteral("4 s"));
  QTest::keyClick(&opened.keeper.list().table(), Qt::Key_Delete);
  EXPECT_EQ(opened.notes().rowCount(), 0);
  Q_EMIT opened.keeper.list().put_back_asked();
  EXPECT_EQ(opened.notes().rowCount(), 1);
}

TEST_F(Kept, AClickedFlagIsSelectedInTheList) {
  Opened opened(file.path);
  opened.timeline().go_to(8 * kSecond, std::nullopt);
  opened.press(Qt::Key_M);
  opened.write(QStringLiteral("x"));
  opened.press(Qt::Key_Escape);
  EXPECT_EQ(opened.keeper.list().row(), -1);
  const Layout layout = opened.timeline().layout_now();
  QTest::mouseClick(opened.timeline().viewport(), Qt::LeftButton, {},
                    {static_cast<int>(opened.timeline().x_at(8 * kSecond)) + 3,
                     layout.minimap_px + layout.notes_px / 2});
  EXPECT_EQ(opened.keeper.list().row(), 0);
  opened.press(Qt::Key_Delete);
  EXPECT_EQ(opened.notes().rowCount(), 0);
}

TEST_F(Kept, ARunIsFoundAsItWasLeft) {
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

TEST_F(Kept, SoItIsWhenAnotherFileIsOpenedOrTheRunIsClosed) {
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

TEST_F(Kept, WhatIsOnlyLookedAtLeavesNothingBesideIt) {
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

TEST_F(Kept, ANoteIsThereAtOnceAndAViewAfterAWhile) {
  Opened opened(file.path);
  opened.press(Qt::Key_M);
  opened.write(QStringLiteral("x"));
  EXPECT_TRUE(QFile::exists(beside));
  QFile::remove(beside);
  opened.show({10 * kSecond, 40 * kSecond});
  EXPECT_FALSE(QFile::exists(beside));
  EXPECT_TRUE(QTest::qWaitFor([&] { return QFile::exists(beside); }, 10'000));
}

TEST_F(Kept, WhatAnotherWindowKeepsStays) {
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

TEST_F(Kept, ADamagedSidecarIsToldOfAndNotLost) {
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

TEST_F(Kept, AFolderThatIsClosedIsNoError) {
  // Root may write anywhere, but not where the file would be a folder.
  ASSERT_TRUE(QDir().mkpath(beside + QStringLiteral("/x")));
  {
    Opened opened(file.path);
    opened.press(Qt::Key_B);
    opened.window.close();
  }
  EXPECT_EQ(in_data_folder().size(), 1);
  Opened again(file.path);
  EXPECT_EQ(again.notes().bookmarks().size(), 1U);
}

TEST_F(Kept, AnotherRunUnderTheSameNameStartsFresh) {
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

TEST_F(Kept, HostileWordsAndNamesAreShownAndKept) {
  const QString text = QStringLiteral("<a href='x'>%1</a> \u202e");
  const Sidecar sidecar{
      .notes = {{.begin_us = -1'000'000'000'000, .end_us = std::int64_t{1} << 62,
                 .lane = QStringLiteral("node:../../\n<b>"), .text = text}},
      .bookmarks = {{.name = text, .view = {9, 3, std::int64_t{1} << 62, QStringLiteral("x:y")}}},
      .slots_by_digit = {{1, {-5, -9, -7, QStringLiteral("job:\x01")}}},
      .view = SavedView{std::int64_t{1} << 62, -1, 5, QStringLiteral("nowhere"),
                        QStringLiteral("*")},
      .lane_height = 1'000'000'000,
      .pins = {QStringLiteral("node:gpu-1"), QStringLiteral("node:gpu-999999999999999999999")},
      .hidden = {QString()},
      .expanded = {QStringLiteral("*"), QStringLiteral("*"), QStringLiteral("job:llm")}};
  reports::RecordingHeader header = *reports::parse_header(
      sample_lines().substr(0, sample_lines().find('\n')));
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

TEST_F(Kept, APictureNeitherReadsNorWritesAny) {
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

TEST_F(Kept, TheStatusBarTellsTheLengthOfTheRange) {
  Opened opened(file.path);
  ViewState next = opened.timeline().state();
  next.selection = Selection{.lane = std::nullopt, .time = {20 * kSecond, 24 * kSecond}};
  opened.timeline().change(next);
  bool told = false;
  for (const QLabel* label : opened.window.statusBar()->findChildren<QLabel*>()) {
    told = told || label->text() == QStringLiteral("selected 4 s");
  }
  EXPECT_TRUE(told);
}

TEST_F(Kept, ACopiedCommandOpensTheSameView) {
  Opened opened(file.path);
  EXPECT_EQ(view_words(opened.timeline()), QStringList());
  opened.press(Qt::Key_N);
  opened.press(Qt::Key_W);
  opened.show({-kSecond, 40'123'457});
  const ViewState left = opened.timeline().state();
  opened.window.actions().action(ActionId::kCopyCommand)->trigger();
  const std::string command = QApplication::clipboard()->text().toStdString();
  const std::string path = file.path.toStdString();
  EXPECT_EQ(command, "aftershock-viewer --from=-1s --to=40s123ms457us --at 32s --select node:gpu-1 " +
                         path);
  forget();
  std::vector<std::string> words{"aftershock-viewer"};
  for (const QString& word : view_words(opened.timeline())) {
    words.push_back(word.toStdString());
  }
  words.push_back(path);
  std::vector<const char*> raw;
  for (const std::string& word : words) {
    raw.push_back(word.c_str());
  }
  const ParsedArguments parsed = parse_arguments(static_cast<int>(raw.size()), raw.data());
  ASSERT_FALSE(parsed.exit) << parsed.exit->text;
  // The place wins over what was kept of another view.
  opened.press(Qt::Key_End);
  opened.keeper.run().save();
  Opened again(SampleFile(sample_lines() + "\n").path);
  again.keeper.leave_next_view();
  again.open(file.path);
  EXPECT_EQ(go_to_place(again.workspace, parsed.arguments), "");
  EXPECT_EQ(again.timeline().state().shown, left.shown);
  EXPECT_EQ(again.timeline().state().cursor_us, left.cursor_us);
  EXPECT_EQ(again.timeline().state().lane, left.lane);
}

}  // namespace
}  // namespace aftershock::gui
