#include "gui/actions/picker.h"

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QTreeView>

#include <gtest/gtest.h>

#include "gui/actions/action_set.h"
#include "gui/actions/command_palette.h"
#include "gui/actions/fuzzy.h"
#include "gui/actions/key_sheet.h"

namespace aftershock::gui {
namespace {

TEST(Fuzzy, WantsAllLettersInOrder) {
  EXPECT_TRUE(fuzzy_score("nf", "Next fault"));
  EXPECT_TRUE(fuzzy_score("NEXT f", "next fault"));
  EXPECT_TRUE(fuzzy_score("", "anything"));
  EXPECT_FALSE(fuzzy_score("fn", "Next fault"));
  EXPECT_FALSE(fuzzy_score("nexxt", "Next fault"));
  EXPECT_FALSE(fuzzy_score("x", ""));
}

TEST(Fuzzy, PrefersWhatAPersonMeans) {
  struct Case {
    const char* typed;
    const char* better;
    const char* worse;
  };
  for (const Case& c :
       {Case{"nf", "Next fault", "Zoom in far"}, Case{"zoom", "Zoom in", "Zig on om"},
        Case{"gpu-1", "gpu-1", "gpu-10"}, Case{"gpu-1", "gpu-1", "gpu-spare-1"},
        Case{"open", "Open…", "Stop the open run"}, Case{"at", "a a attempt", "a a a t"}}) {
    const auto better = fuzzy_score(c.typed, c.better);
    const auto worse = fuzzy_score(c.typed, c.worse);
    ASSERT_TRUE(better) << c.typed;
    EXPECT_GT(*better, worse.value_or(-1000000)) << c.typed << ": " << c.better;
  }
}

std::vector<PickItem> lanes(int count) {
  std::vector<PickItem> items;
  for (int i = 0; i < count; ++i) {
    items.push_back({.text = QStringLiteral("gpu-%1").arg(i)});
  }
  return items;
}

TEST(PickModel, IsAModelAndShowsTheBestOnly) {
  PickModel model;
  const QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::Warning);
  model.set_items(lanes(100000));
  EXPECT_EQ(model.rowCount({}), kPicksMax);
  EXPECT_EQ(model.found(), 100000);
  EXPECT_EQ(model.item_at(0), 0);
  model.set_typed(QStringLiteral("gpu-77"));
  EXPECT_EQ(model.item_at(0), 77);
  model.set_typed(QStringLiteral("nobody"));
  EXPECT_EQ(model.rowCount({}), 0);
}

TEST(Picker, IsWorkedByKeys) {
  QWidget window;
  window.show();
  Picker picker(QStringLiteral("Find lane"), QStringLiteral("Parts of its name"), &window);
  const QSignalSpy picked(&picker, &Picker::picked);
  picker.pick_from(lanes(30));
  auto* field = picker.findChild<QLineEdit*>();
  auto* list = picker.findChild<QTreeView*>();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&picker));
  EXPECT_EQ(list->currentIndex().row(), 0);
  QTest::keyClick(field, Qt::Key_Up);
  EXPECT_EQ(list->currentIndex().row(), 0) << "it stops at the top";
  QTest::keyClick(field, Qt::Key_Down);
  QTest::keyClick(field, Qt::Key_Down);
  EXPECT_EQ(list->currentIndex().row(), 2);
  QTest::keyClick(field, Qt::Key_PageDown);
  EXPECT_GT(list->currentIndex().row(), 3);
  QTest::keyClicks(field, QStringLiteral("gpu-17"));
  QTest::keyClick(field, Qt::Key_Return);
  ASSERT_EQ(picked.size(), 1);
  EXPECT_EQ(picked[0][0].toInt(), 17);
  EXPECT_FALSE(picker.isVisible());

  picker.pick_from(lanes(3));
  EXPECT_TRUE(field->text().isEmpty());
  QTest::keyClicks(field, QStringLiteral("zzz"));
  EXPECT_TRUE(picker.findChild<QLabel*>()->isVisible());
  QTest::keyClick(field, Qt::Key_Return);
  EXPECT_EQ(picked.size(), 1) << "nothing to pick";
  QTest::keyClick(field, Qt::Key_Escape);
  EXPECT_FALSE(picker.isVisible());
}

TEST(CommandPalette, DoesWhatIsPickedAndOffersWhatCanBeDone) {
  QWidget window;
  auto& actions = *new ActionSet(&window);
  CommandPalette palette(actions, &window);
  int faults = 0;
  actions.handle(ActionId::kNextFault, [&] { ++faults; });
  actions.handle(ActionId::kPreviousFault, [] {});
  actions.action(ActionId::kPreviousFault)->setEnabled(false);
  palette.show_actions();
  EXPECT_EQ(palette.findChild<PickModel*>()->rowCount({}), 1);
  auto* field = palette.findChild<QLineEdit*>();
  QTest::keyClicks(field, QStringLiteral("nxf"));
  QTest::keyClick(field, Qt::Key_Return);
  EXPECT_EQ(faults, 1);
}

TEST(KeySheet, ListsWhatIsHandledAndIsSearched) {
  QWidget window;
  auto& actions = *new ActionSet(&window);
  KeyModel model(actions);
  const QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::Warning);
  EXPECT_EQ(model.rowCount({}), 0);
  for (const ActionSpec& spec : action_table()) {
    actions.handle(spec.id, [] {});
  }
  model.refresh();
  EXPECT_EQ(model.rowCount({}), static_cast<int>(action_table().size()));

  KeySheet sheet(actions, &window);
  sheet.show_keys();
  auto* table = sheet.findChild<QTableView*>();
  QTest::keyClicks(sheet.findChild<QLineEdit*>(), QStringLiteral("next fault"));
  ASSERT_EQ(table->model()->rowCount(), 1);
  EXPECT_EQ(table->model()->index(0, 0).data().toString(), QStringLiteral("N"));
  EXPECT_EQ(table->model()->index(0, 3).data().toString(), QStringLiteral("in the timeline"));
  EXPECT_FALSE(table->accessibleName().isEmpty());
}

}  // namespace
}  // namespace aftershock::gui
