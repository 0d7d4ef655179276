#include "gui/app/keeper.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QTableView>
#include <algorithm>
#include <functional>
#include <iterator>
#include <vector>

#include "gui/app/arguments.h"
#include "gui/app/saved_view.h"
#include "gui/app/screenshot.h"
#include "tests/gui/app/opened_run.h"
#include "tests/unit/times.h"

namespace aftershock::gui {
namespace {

using testing::Opened;
using testing::sample_lines;
using testing::SampleFile;

struct KeeperTest : public testing::Kept {};

struct KeyRow {
  const char* what;
  Qt::Key key;
  Qt::KeyboardModifiers modifiers;
  std::function<bool(Opened&)> done;
};

/// In this order: what one makes the next one finds.
std::vector<KeyRow> note_rows() {
  return {
      {"a note at the cursor",
       Qt::Key_M,
       {},
       [](Opened& o) {
         o.write(QStringLiteral("here"));
         return o.notes().notes() == std::vector<Note>{{.begin_us = 32 * kSecond,
                                                        .end_us = 32 * kSecond,
                                                        .lane = QStringLiteral("node:gpu-1"),
                                                        .text = QStringLiteral("here")}} &&
                o.timeline().layout_now().notes_px > 0 && o.word() == "Note stored: here";
       }},
      {"it is selected, and deleted",
       Qt::Key_Delete,
       {},
       [](Opened& o) {
         return o.notes().rowCount() == 0 && o.word() == "Deleted the note at 32 s: here" &&
                o.timeline().layout_now().notes_px == 0;
       }},
      {"nothing more is selected",
       Qt::Key_Delete,
       {},
       [](Opened& o) { return o.word().starts_with("No note or bookmark is selected"); }},
      {"a note on what is in view", Qt::Key_M, Qt::ShiftModifier,
       [](Opened& o) {
         o.write(QStringLiteral("all"));
         const Note& note = o.notes().notes().at(0);
         return note.begin_us == 0 && note.end_us == 64 * kSecond && note.lane.isEmpty();
       }},
      {"a bookmark",
       Qt::Key_B,
       {},
       [](Opened& o) {
         return o.notes().bookmarks().size() == 1 &&
                o.notes().bookmarks()[0].name == QStringLiteral("node:gpu-1 at 32 s") &&
                o.word() == "Bookmarked: node:gpu-1 at 32 s";
       }},
  };
}

std::vector<KeyRow> place_rows() {
  return {
      {"no place yet",
       Qt::Key_3,
       {},
       [](Opened& o) { return o.word().starts_with("There is no place 3 yet"); }},
      {"a place is stored", Qt::Key_3, Qt::ControlModifier,
       [](Opened& o) { return o.keeper.run().place(3).has_value(); }},
      {"another view",
       Qt::Key_End,
       {},
       [](Opened& o) { return o.timeline().state().cursor_us == 64 * kSecond; }},
      {"back to the place",
       Qt::Key_3,
       {},
       [](Opened& o) { return o.timeline().state().cursor_us == 32 * kSecond; }},
      {"and undone in one",
       Qt::Key_Backspace,
       {},
       [](Opened& o) { return o.timeline().state().cursor_us == 64 * kSecond; }},
  };
}

TEST_F(KeeperTest, EachKeyDoesWhatItsActionSays) {
  Opened opened(file.path);
  opened.press(Qt::Key_N);
  ViewState next = opened.timeline().state();
  next.selection.reset();
  opened.timeline().change(next);
  std::vector<KeyRow> rows = note_rows();
  std::ranges::move(place_rows(), std::back_inserter(rows));
  for (const KeyRow& row : rows) {
    opened.press(row.key, row.modifiers);
    EXPECT_TRUE(row.done(opened)) << row.what << ": " << opened.word();
  }
}

TEST_F(KeeperTest, EveryPlaceHasItsTwoKeys) {
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

TEST_F(KeeperTest, ANoteOnTheSelectedRangeIsGoneToFromTheList) {
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
  EXPECT_EQ(opened.ledger().model().index(0, LedgerModel::kTime).data().toString(),
            QStringLiteral("4 s"));
  QTest::keyClick(&opened.keeper.list().table(), Qt::Key_Delete);
  EXPECT_EQ(opened.notes().rowCount(), 0);
  Q_EMIT opened.keeper.list().put_back_asked();
  EXPECT_EQ(opened.notes().rowCount(), 1);
}

TEST_F(KeeperTest, AClickedFlagIsSelectedInTheList) {
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

TEST_F(KeeperTest, ACopiedCommandSelectsTheSameRange) {
  Opened opened(file.path);
  ViewState next = opened.timeline().state();
  next.selection = Selection{.lane = std::nullopt, .time = {2 * kSecond, 40'123'457}};
  opened.timeline().change(next);
  EXPECT_EQ(view_words(opened.timeline()),
            QStringList{QStringLiteral("--range=2s..40s123ms457us")});
  const char* words[] = {"aftershock-viewer", "--range=2s..40s123ms457us", "x"};
  const ParsedArguments parsed = parse_arguments(3, words);
  ASSERT_FALSE(parsed.exit) << parsed.exit->text;
  Opened again(SampleFile(sample_lines() + "\n").path);
  EXPECT_EQ(go_to_place(again.workspace, parsed.arguments), "");
  EXPECT_EQ(selected_range(again.timeline().state()), (TimeRange{2 * kSecond, 40'123'457}));
  // A part beyond the run is cut, and places that lie beyond it are told.
  Arguments beyond;
  beyond.range = TimeRange{60 * kSecond, 99 * kSecond};
  EXPECT_EQ(go_to_place(again.workspace, beyond), "");
  EXPECT_EQ(selected_range(again.timeline().state()), (TimeRange{60 * kSecond, 64 * kSecond}));
  beyond.range = TimeRange{70 * kSecond, 99 * kSecond};
  EXPECT_EQ(go_to_place(again.workspace, beyond),
            "--range 1min10s..1min39s: the run ends at 1min4s");
  beyond.range.reset();
  beyond.at_us = 65 * kSecond;
  EXPECT_EQ(go_to_place(again.workspace, beyond), "--at 1min5s: the run ends at 1min4s");
}

TEST_F(KeeperTest, ACopiedCommandOpensTheSameView) {
  Opened opened(file.path);
  EXPECT_EQ(view_words(opened.timeline()), QStringList());
  opened.press(Qt::Key_N);
  opened.press(Qt::Key_W);
  opened.show({-kSecond, 40'123'457});
  const ViewState left = opened.timeline().state();
  opened.window.actions().action(ActionId::kCopyCommand)->trigger();
  const std::string command = QApplication::clipboard()->text().toStdString();
  const std::string path = file.path.toStdString();
  EXPECT_EQ(command,
            "aftershock-viewer --from=-1s --to=40s123ms457us --at 32s --select node:gpu-1 " + path);
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
