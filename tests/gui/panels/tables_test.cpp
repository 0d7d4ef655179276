#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QSignalSpy>
#include <QSortFilterProxyModel>
#include <QTableView>

#include <gtest/gtest.h>

#include "gui/panels/fault_model.h"
#include "gui/panels/fault_table.h"
#include "gui/panels/trial_model.h"
#include "gui/panels/trial_table.h"

namespace aftershock::gui {
namespace {

QString cell(const QSortFilterProxyModel& shown, int row, int column) {
  return shown.index(row, column).data().toString();
}

/// Three faults of two kinds, of which the second costs most.
Trace three_faults() {
  Trace trace;
  trace.reading = false;
  trace.ledgers.push_back({trace.entities.add("job:a"),
                           R"({"us":{},"faults":[{"fault":"x","us":{"restoring":5000000}},)"
                           R"({"fault":"y","us":{"launching":7000000,"restoring":2000000}}]})"});
  const TextId crash = trace.texts.add("node_crash");
  const TextId hang = trace.texts.add("hang");
  trace.faults.push_back({.t_us = 40, .id = trace.texts.add("x"), .kind = crash, .fired = true});
  trace.faults.push_back({.t_us = 50, .id = trace.texts.add("y"), .kind = crash, .fired = true});
  trace.faults.push_back({.t_us = 60, .id = trace.texts.add("z"), .kind = hang, .fired = false});
  return trace;
}

TEST(FaultTable, SortsByCostAndChoosesByKind) {
  const Trace trace = three_faults();
  FaultTable faults;
  faults.set_run(&trace);
  faults.show();
  const QAbstractItemModelTester tester(&faults.shown());
  ASSERT_EQ(faults.shown().rowCount(), 3);
  for (const auto& [row, id] : {std::pair(0, "y"), std::pair(1, "x"), std::pair(2, "z")}) {
    EXPECT_EQ(cell(faults.shown(), row, FaultModel::kFault).toStdString(), id) << row;
  }
  EXPECT_EQ(cell(faults.shown(), 0, FaultModel::kCost), QStringLiteral("9 s"));
  EXPECT_EQ(cell(faults.shown(), 0, FaultModel::kMostly), QStringLiteral("launching"));
  EXPECT_EQ(cell(faults.shown(), 2, FaultModel::kCost), QStringLiteral("masked"));
  EXPECT_EQ(faults.count(), QStringLiteral("3 faults, cost 14 s"));
  ASSERT_EQ(faults.kinds().count(), 3);
  EXPECT_EQ(faults.kinds().itemText(1), QStringLiteral("node crash (2)"));
  faults.kinds().setCurrentIndex(2);
  EXPECT_EQ(faults.shown().rowCount(), 1);
  EXPECT_EQ(faults.count(), QStringLiteral("1 fault, cost 0 s"));
  QSignalSpy chosen(&faults, &FaultTable::place_chosen);
  faults.table().setCurrentIndex(faults.shown().index(0, 0));
  ASSERT_EQ(chosen.count(), 1);
  EXPECT_EQ(chosen.first().first().value<Place>().fault, 2U);
  faults.kinds().setCurrentIndex(0);
  faults.shown().sort(FaultModel::kTime, Qt::DescendingOrder);
  EXPECT_EQ(cell(faults.shown(), 0, FaultModel::kFault), QStringLiteral("z"));
  faults.set_run(nullptr);
  EXPECT_EQ(faults.shown().rowCount(), 0);
}

TEST(TrialTable, HasThoseWithTheMostFailuresOnTop) {
  Trace trace;
  trace.header.experiments.resize(1);
  trace.summary_json =
      R"({"experiments":[{"name":"a","trials":[{"id":"p","failures":2,"restores":9},)"
      R"({"id":"q","failures":11,"restores":1},{"id":"r"}]}]})";
  TrialTable trials;
  trials.set_run(&trace);
  const QAbstractItemModelTester tester(&trials.shown());
  ASSERT_EQ(trials.shown().rowCount(), 3);
  // As numbers: 11 is more than 2.
  EXPECT_EQ(cell(trials.shown(), 0, TrialModel::kId), QStringLiteral("q"));
  trials.shown().sort(TrialModel::kRestores, Qt::DescendingOrder);
  EXPECT_EQ(cell(trials.shown(), 0, TrialModel::kId), QStringLiteral("p"));
  QSignalSpy chosen(&trials, &TrialTable::lane_chosen);
  trials.table().setCurrentIndex(trials.shown().index(1, 0));
  EXPECT_EQ(chosen.count(), 0) << "the keyboard only came by";
  Q_EMIT trials.table().activated(trials.shown().index(1, 0));
  ASSERT_EQ(chosen.count(), 1);
  EXPECT_EQ(chosen.first().first().toString(), QStringLiteral("experiment:a/trial:1"));
}

}  // namespace
}  // namespace aftershock::gui
