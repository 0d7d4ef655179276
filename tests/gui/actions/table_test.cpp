#include <QAction>
#include <QKeySequence>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <QVBoxLayout>
#include <QWidget>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "gui/actions/action_set.h"

namespace aftershock::gui {
namespace {

QKeySequence key(std::string_view text) {
  return QKeySequence::fromString(QString::fromStdString(std::string(text)),
                                  QKeySequence::PortableText);
}

/// A window with a timeline, a search field and every action.
struct Window {
  QWidget window;
  QWidget* timeline = new QWidget(&window);
  QLineEdit* search = new QLineEdit(&window);
  ActionSet& actions = *new ActionSet(&window);
  std::vector<ActionId> done;

  Window() {
    auto* layout = new QVBoxLayout(&window);
    layout->addWidget(timeline);
    layout->addWidget(search);
    timeline->setFocusPolicy(Qt::StrongFocus);
    actions.add_timeline(timeline);
    actions.set_search_field(search);
    for (const ActionSpec& spec : action_table()) {
      actions.handle(spec.id, [this, id = spec.id] { done.push_back(id); });
    }
    window.show();
    window.activateWindow();
    EXPECT_TRUE(QTest::qWaitForWindowActive(&window));
    timeline->setFocus();
  }
};

TEST(ActionTable, HasEveryActionOnceWithAllThatIsShownOfIt) {
  std::set<ActionId> ids;
  std::set<std::string> names;
  std::set<std::string> texts;
  for (const ActionSpec& spec : action_table()) {
    SCOPED_TRACE(spec.name);
    EXPECT_TRUE(ids.insert(spec.id).second);
    EXPECT_TRUE(names.insert(spec.name).second);
    EXPECT_TRUE(texts.insert(spec.menu + "/" + spec.text).second);
    EXPECT_FALSE(spec.menu.empty());
    EXPECT_FALSE(spec.group.empty());
    EXPECT_FALSE(spec.text.empty());
    EXPECT_TRUE(spec.help.ends_with("."));
    EXPECT_LE(spec.help.size(), 100U);
    EXPECT_NE(spec.name.find('.'), std::string::npos);
  }
  EXPECT_EQ(ids.size(), static_cast<std::size_t>(ActionId::kCount));
}

TEST(ActionTable, GroupsOfAMenuStandTogether) {
  std::set<std::string> closed;
  std::map<std::string, std::string> open;
  for (const ActionSpec& spec : action_table()) {
    std::string& group = open[spec.menu];
    if (group != spec.group) {
      EXPECT_TRUE(closed.insert(spec.menu + "/" + spec.group).second) << spec.name;
      group = spec.group;
    }
  }
}

// Keys of the window act in the timeline, too: one key for two there would do nothing.
TEST(ActionTable, NoTwoActionsShareAKey) {
  std::map<QString, std::string> owners;
  std::map<QString, std::string> search_owners;
  for (const ActionSpec& spec : action_table()) {
    for (const std::string_view text : split_keys(spec.keys)) {
      ASSERT_FALSE(key(text).isEmpty()) << spec.name << ": " << text;
      EXPECT_NE(key(text)[0].key(), Qt::Key_unknown) << spec.name << ": " << text;
      const auto [owner, is_new] = owners.emplace(key(text).toString(), spec.name);
      EXPECT_TRUE(is_new) << text << " of " << spec.name << " is one of " << owner->second;
    }
    for (const std::string_view text : split_keys(spec.search_keys)) {
      EXPECT_NE(key(text)[0].key(), Qt::Key_unknown) << spec.name << ": " << text;
      EXPECT_TRUE(search_owners.emplace(key(text).toString(), spec.name).second) << text;
    }
  }
}

// Letters are for typing: what they do, they do in the timeline only.
TEST(ActionTable, SingleLettersAndDigitsActInTheTimelineOnly) {
  for (const ActionSpec& spec : action_table()) {
    for (const std::string_view text : split_keys(spec.keys)) {
      const QKeyCombination combination = key(text)[0];
      const bool plain = combination.keyboardModifiers() == Qt::NoModifier ||
                         combination.keyboardModifiers() == Qt::ShiftModifier;
      const bool printable = combination.key() >= Qt::Key_Space && combination.key() <= Qt::Key_Z;
      if (plain && printable && text != "/" && text != "?") {
        EXPECT_EQ(spec.scope, Scope::kTimeline) << spec.name << ": " << text;
      }
    }
  }
}

TEST(ActionKeys, EachDoesItsActionInTheTimeline) {
  Window window;
  int pressed = 0;
  for (const ActionSpec& spec : action_table()) {
    for (const std::string_view text : split_keys(spec.keys)) {
      window.done.clear();
      window.timeline->setFocus();
      QTest::keySequence(window.timeline, key(text));
      EXPECT_EQ(window.done, std::vector{spec.id}) << spec.name << ": " << text;
      ++pressed;
    }
  }
  EXPECT_GT(pressed, 90);
}

TEST(ActionKeys, OfTheSearchFieldActThere) {
  Window window;
  for (const ActionSpec& spec : action_table()) {
    for (const std::string_view text : split_keys(spec.search_keys)) {
      window.done.clear();
      window.search->setFocus();
      QTest::keySequence(window.search, key(text));
      EXPECT_EQ(window.done, std::vector{spec.id}) << spec.name << ": " << text;
    }
  }
}

TEST(ActionKeys, OfTheTimelineAreTextElsewhere) {
  Window window;
  window.search->setFocus();
  QTest::keyClicks(window.search, QStringLiteral("wasd 0?/<>[]nymb"));
  EXPECT_EQ(window.search->text(), QStringLiteral("wasd 0?/<>[]nymb"));
  EXPECT_TRUE(window.done.empty());
}

// The keyboard map of the viewer, as users know it from other tools; a change of it is a change
// for them.
const std::vector<std::pair<const char*, ActionId>> kMap{{"W", ActionId::kZoomIn},
                                                         {"S", ActionId::kZoomOut},
                                                         {"Shift+W", ActionId::kZoomInMore},
                                                         {"Shift+S", ActionId::kZoomOutMore},
                                                         {"A", ActionId::kPanLeft},
                                                         {"D", ActionId::kPanRight},
                                                         {"Shift+A", ActionId::kPanLeftPage},
                                                         {"Shift+D", ActionId::kPanRightPage},
                                                         {"Up", ActionId::kLaneUp},
                                                         {"Down", ActionId::kLaneDown},
                                                         {"PgUp", ActionId::kLanePageUp},
                                                         {"PgDown", ActionId::kLanePageDown},
                                                         {"Right", ActionId::kNextEvent},
                                                         {".", ActionId::kNextEvent},
                                                         {"Left", ActionId::kPreviousEvent},
                                                         {",", ActionId::kPreviousEvent},
                                                         {"Return", ActionId::kToggleLane},
                                                         {"Home", ActionId::kToStart},
                                                         {"End", ActionId::kToEnd},
                                                         {"0", ActionId::kFitAll},
                                                         {"E", ActionId::kHourAround},
                                                         {"F", ActionId::kFocusSelection},
                                                         {"Backspace", ActionId::kUndoView},
                                                         {"Shift+Backspace", ActionId::kRedoView},
                                                         {"Space", ActionId::kPlay},
                                                         {"J", ActionId::kReverse},
                                                         {"K", ActionId::kStop},
                                                         {"L", ActionId::kForward},
                                                         {"<", ActionId::kSlower},
                                                         {">", ActionId::kFaster},
                                                         {"Ctrl+Right", ActionId::kStepForward},
                                                         {"Ctrl+Left", ActionId::kStepBack},
                                                         {"N", ActionId::kNextFault},
                                                         {"Shift+N", ActionId::kPreviousFault},
                                                         {"Y", ActionId::kNextDecision},
                                                         {"Shift+Y", ActionId::kPreviousDecision},
                                                         {"T", ActionId::kNextAttempt},
                                                         {"Shift+T", ActionId::kPreviousAttempt},
                                                         {"C", ActionId::kNextCheckpoint},
                                                         {"Shift+C", ActionId::kPreviousCheckpoint},
                                                         {"]", ActionId::kToEffect},
                                                         {"[", ActionId::kToCause},
                                                         {"/", ActionId::kSearch},
                                                         {"Ctrl+P", ActionId::kFindLane},
                                                         {"Ctrl+Shift+P", ActionId::kPalette},
                                                         {"F1", ActionId::kPalette},
                                                         {"P", ActionId::kPinLane},
                                                         {"H", ActionId::kHideLane},
                                                         {"Shift+H", ActionId::kShowHidden},
                                                         {"R", ActionId::kSelectRange},
                                                         {"Ctrl+C", ActionId::kCopyTime},
                                                         {"M", ActionId::kNote},
                                                         {"Shift+M", ActionId::kNoteRange},
                                                         {"Del", ActionId::kDeleteNote},
                                                         {"B", ActionId::kBookmark},
                                                         {"1", ActionId::kGoSlot1},
                                                         {"9", ActionId::kGoSlot9},
                                                         {"Ctrl+1", ActionId::kStoreSlot1},
                                                         {"Ctrl+9", ActionId::kStoreSlot9},
                                                         {"I", ActionId::kInspector},
                                                         {"Q", ActionId::kDrawer},
                                                         {"Shift+Q", ActionId::kFaultTable},
                                                         {"Shift+J", ActionId::kTrialTable},
                                                         {"V", ActionId::kCompare},
                                                         {"O", ActionId::kOtherRun},
                                                         {"Ctrl+L", ActionId::kLinkCursors},
                                                         {"F5", ActionId::kFollow},
                                                         {"X", ActionId::kNextDivergence},
                                                         {"Shift+X", ActionId::kPreviousDivergence},
                                                         {"Ctrl+E", ActionId::kExportPng},
                                                         {"Ctrl+Shift+E", ActionId::kExportSvg},
                                                         {"Ctrl+O", ActionId::kOpenFile},
                                                         {"Ctrl+Shift+O", ActionId::kOpenSecond},
                                                         {"Ctrl+R", ActionId::kReload},
                                                         {"Ctrl++", ActionId::kScaleUp},
                                                         {"Ctrl+-", ActionId::kScaleDown},
                                                         {"Ctrl+0", ActionId::kScaleReset},
                                                         {"F6", ActionId::kNextPane},
                                                         {"Shift+F6", ActionId::kPreviousPane},
                                                         {"Esc", ActionId::kClearSelection},
                                                         {"?", ActionId::kKeySheet}};

TEST(ActionKeys, AreTheKeyboardMap) {
  QWidget owner;
  const ActionSet& actions = *new ActionSet(&owner);
  for (const auto& [text, id] : kMap) {
    EXPECT_TRUE(actions.action(id)->shortcuts().contains(key(text))) << text;
  }
}

}  // namespace
}  // namespace aftershock::gui
