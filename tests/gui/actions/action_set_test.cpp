#include "gui/actions/action_set.h"

#include <QAction>
#include <QApplication>
#include <QKeyEvent>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QTest>
#include <QWidget>
#include <algorithm>

#include <gtest/gtest.h>

#include "gui/actions/physical_keys.h"

namespace aftershock::gui {
namespace {

QStringList shown_texts(const QMenu& menu) {
  QStringList texts;
  for (const QAction* action : menu.actions()) {
    // Qt does not draw separators without something on either side.
    if (action->isVisible() && !action->isSeparator()) {
      texts << action->text().remove(u'&');
    }
  }
  return texts;
}

QMenu* menu_named(const QMenuBar& bar, const QString& title) {
  for (QAction* action : bar.actions()) {
    if (action->text() == title) {
      return action->menu();
    }
  }
  return nullptr;
}

TEST(ActionSet, ShowsWhatIsHandledAndNothingElse) {
  QWidget window;
  QMenuBar bar;
  auto& actions = *new ActionSet(&window);
  actions.fill_menus(bar);
  const QMenu* file = menu_named(bar, QStringLiteral("&File"));
  const QMenu* view = menu_named(bar, QStringLiteral("&View"));
  ASSERT_NE(file, nullptr);
  ASSERT_NE(view, nullptr);
  EXPECT_FALSE(file->menuAction()->isVisible());
  EXPECT_EQ(shown_texts(*file), QStringList());
  EXPECT_FALSE(actions.action(ActionId::kOpenFile)->isEnabled());

  actions.handle(ActionId::kOpenFile, [] {});
  EXPECT_TRUE(file->menuAction()->isVisible());
  EXPECT_EQ(shown_texts(*file), QStringList({QStringLiteral("Open…")}));
  actions.handle(ActionId::kQuit, [] {});
  EXPECT_EQ(shown_texts(*file), QStringList({QStringLiteral("Open…"), QStringLiteral("Quit")}));

  EXPECT_FALSE(view->menuAction()->isVisible());
  actions.handle_check(ActionId::kDark, [](bool) {});
  EXPECT_TRUE(view->menuAction()->isVisible());
  EXPECT_EQ(shown_texts(*view), QStringList({QStringLiteral("Theme")}));
}

TEST(ActionSet, EveryActionIsInTheMenuThatTheTableNames) {
  QWidget window;
  QMenuBar bar;
  auto& actions = *new ActionSet(&window);
  actions.fill_menus(bar);
  for (const ActionSpec& spec : action_table()) {
    const QStringList path = QString::fromStdString(spec.menu).split(u'/');
    const QMenu* menu = menu_named(bar, u'&' + path.first());
    for (qsizetype i = 1; i < path.size() && menu != nullptr; ++i) {
      const QMenu* next = nullptr;
      for (const QAction* entry : menu->actions()) {
        next = QString(entry->text()).remove(u'&') == path[i] && entry->menu() != nullptr
                   ? entry->menu()
                   : next;
      }
      menu = next;
    }
    ASSERT_NE(menu, nullptr) << spec.menu;
    EXPECT_TRUE(menu->actions().contains(actions.action(spec.id))) << spec.name;
  }
}

TEST(ActionSet, ATwiceHandledActionDoesTheLater) {
  QWidget window;
  auto& actions = *new ActionSet(&window);
  int first = 0;
  int second = 0;
  actions.handle(ActionId::kReload, [&] { ++first; });
  actions.handle(ActionId::kReload, [&] { ++second; });
  actions.action(ActionId::kReload)->trigger();
  EXPECT_EQ(first, 0);
  EXPECT_EQ(second, 1);
}

TEST(ActionSet, TogglesAndChoicesTellWhatAUserChangesOnly) {
  QWidget window;
  auto& actions = *new ActionSet(&window);
  std::vector<bool> told;
  actions.handle_check(ActionId::kFollow, [&](bool on) { told.push_back(on); });
  actions.show_checked(ActionId::kFollow, true);
  EXPECT_TRUE(told.empty());
  actions.action(ActionId::kFollow)->trigger();
  EXPECT_EQ(told, std::vector<bool>{false});

  actions.show_checked(ActionId::kDark, true);
  actions.show_checked(ActionId::kLight, true);
  EXPECT_FALSE(actions.action(ActionId::kDark)->isChecked()) << "one of a group";
}

TEST(ActionSet, AnOpenMenuKeepsItsLetters) {
  QMainWindow window;
  ActionSet actions(&window);
  QWidget timeline(&window);
  actions.add_timeline(&timeline);
  int jumps = 0;
  actions.handle(ActionId::kNextFault, [&jumps] { ++jumps; });
  for (const ActionId id : {ActionId::kZoomIn, ActionId::kZoomOut, ActionId::kFitAll}) {
    actions.handle(id, [] {});
  }
  actions.fill_menus(*window.menuBar());
  for (QMenu* menu : window.findChildren<QMenu*>()) {
    QString letters;
    for (const QAction* entry : menu->actions()) {
      const qsizetype at = entry->text().indexOf(u'&');
      if (!entry->isSeparator() && entry->isVisible()) {
        ASSERT_GE(at, 0) << entry->text().toStdString();
        const QChar letter = entry->text()[at + 1].toLower();
        EXPECT_FALSE(letters.contains(letter)) << entry->text().toStdString();
        letters += letter;
      }
    }
    QKeyEvent key(QEvent::ShortcutOverride, Qt::Key_N, Qt::NoModifier, QStringLiteral("n"));
    key.ignore();
    QApplication::sendEvent(menu, &key);
    EXPECT_TRUE(key.isAccepted()) << "no shortcut has it";
  }
  EXPECT_EQ(jumps, 0);
}

TEST(KeyOverrides, ReplaceKeysOrAreAnsweredWithAWord) {
  struct Case {
    const char* name;
    const char* keys;
    const char* problem;  // a part of it; empty where there is none
  };
  for (const Case& c :
       {Case{"view.zoom_in", "Z Ctrl+Alt+Z", ""}, Case{"view.zoom_in", "", ""},
        Case{"view.zoom_in", "W", ""}, Case{"view.zoom_in", "S", "belongs to view.zoom_out"},
        Case{"view.zoomin", "Z", "no action \"view.zoomin\""},
        Case{"view.zoom_in", "Ctrl+Bogus", "\"Ctrl+Bogus\" is not a key"}}) {
    std::vector<ActionSpec> table = action_table();
    const QStringList problems = apply_key_overrides(table, {{c.name, c.keys}});
    const auto& changed = *std::ranges::find(table, "view.zoom_in", &ActionSpec::name);
    if (*c.problem == '\0') {
      EXPECT_EQ(problems, QStringList());
      EXPECT_EQ(changed.keys, c.keys);
    } else {
      ASSERT_EQ(problems.size(), 1) << c.keys;
      EXPECT_TRUE(problems[0].contains(QString::fromUtf8(c.problem))) << problems[0].toStdString();
      EXPECT_EQ(changed.keys, "W");
    }
  }
}

QKeyEvent press(int key, Qt::KeyboardModifiers modifiers, quint32 scan,
                QEvent::Type type = QEvent::KeyPress) {
  return {type, key, modifiers, scan, 0, 0, QStringLiteral("x")};
}

TEST(PhysicalKeys, AreWhereTheyStandWhateverTheyWrite) {
  struct Case {
    int key;
    Qt::KeyboardModifiers modifiers;
    quint32 scan;
    std::optional<ActionId> action;
  };
  for (const Case& c : {Case{Qt::Key_W, Qt::NoModifier, 25, ActionId::kZoomIn},
                        Case{Qt::Key_Z, Qt::NoModifier, 25, ActionId::kZoomIn},
                        Case{Qt::Key_Q, Qt::NoModifier, 38, ActionId::kPanLeft},
                        Case{Qt::Key_Q, Qt::ShiftModifier, 38, ActionId::kPanLeftPage},
                        Case{Qt::Key_O, Qt::NoModifier, 39, ActionId::kZoomOut},
                        Case{Qt::Key_E, Qt::NoModifier, 40, ActionId::kPanRight},
                        Case{Qt::Key_W, Qt::ControlModifier, 25, std::nullopt},
                        Case{Qt::Key_W, Qt::NoModifier, 0, std::nullopt},
                        Case{Qt::Key_A, Qt::NoModifier, 24, std::nullopt}}) {
    EXPECT_EQ(physical_action(press(c.key, c.modifiers, c.scan)), c.action) << c.key << c.scan;
  }
}

TEST(PhysicalKeys, TakeTheLettersShortcut) {
  QWidget window;
  QWidget timeline(&window);
  auto& actions = *new ActionSet(&window);
  int panned = 0;
  actions.handle(ActionId::kPanLeft, [&] { ++panned; });
  new PhysicalKeys(&timeline, actions);
  // On a French keyboard Q stands where A does.
  QKeyEvent asked = press(Qt::Key_Q, Qt::NoModifier, 38, QEvent::ShortcutOverride);
  asked.ignore();
  QCoreApplication::sendEvent(&timeline, &asked);
  EXPECT_TRUE(asked.isAccepted());
  EXPECT_EQ(panned, 0);
  QKeyEvent pressed = press(Qt::Key_Q, Qt::NoModifier, 38);
  QCoreApplication::sendEvent(&timeline, &pressed);
  EXPECT_EQ(panned, 1);
  // Nobody handles this one: the letter is left alone.
  QKeyEvent other = press(Qt::Key_W, Qt::NoModifier, 25, QEvent::ShortcutOverride);
  other.ignore();
  QCoreApplication::sendEvent(&timeline, &other);
  EXPECT_FALSE(other.isAccepted());
}

}  // namespace
}  // namespace aftershock::gui
