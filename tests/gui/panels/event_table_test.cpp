#include "gui/panels/event_table.h"

#include <QAbstractItemModelTester>
#include <QLineEdit>
#include <QTableView>
#include <QTest>
#include <random>

#include <gtest/gtest.h>

#include "gui/panels/event_model.h"
#include "tests/gui/panels/panel_lines.h"
#include "tests/unit/gui/why/sample_run.h"

namespace aftershock::gui {
namespace {

QStringList column(const EventModel& model, int column) {
  QStringList texts;
  for (int row = 0; row < model.rowCount(); ++row) {
    texts << model.index(row, column).data().toString();
  }
  return texts;
}

TEST(EventModel, ShowsAllThatATimelineShows) {
  const SampleRun run(panel_lines());
  EventModel model;
  const QAbstractItemModelTester tester(&model);
  EXPECT_EQ(model.rowCount(), 0);
  model.set_trace(&run.trace(), run.path());
  EXPECT_EQ(column(model, EventModel::kWhat).join(u','),
            QStringLiteral("attempt 1,productive,node_crash,undetected,decision,ended"));
  EXPECT_EQ(model.index(4, EventModel::kTime).data().toString(), QStringLiteral("00:01:30"));
  EXPECT_EQ(model.index(4, EventModel::kWallTime).data().toString(),
            QStringLiteral("2026-11-20 10:01:30"));
  EXPECT_EQ(model.index(4, EventModel::kDetail).data().toString(),
            QStringLiteral("p.retry, answers f<img src=x>"));
  const Place place = model.place_at(4);
  EXPECT_EQ(place.t_us, 90'000'000);
  EXPECT_EQ(place.decision, 0U);
  EXPECT_EQ(place, place_of_decision(run.trace(), 0));
  EXPECT_EQ(model.place_at(-1), Place());
  EXPECT_EQ(model.place_at(6), Place());
  model.set_trace(nullptr, {});
  EXPECT_EQ(model.rowCount(), 0);
}

TEST(EventModel, FiltersByWordsAndKind) {
  const SampleRun run(panel_lines());
  EventModel model;
  const QAbstractItemModelTester tester(&model);
  model.set_trace(&run.trace(), run.path());
  struct Row {
    const char* text;
    std::optional<SubLane> sub;
    int count;
  };
  for (const Row& row : {Row{"", std::nullopt, 6},
                         {"", SubLane::kFaults, 1},
                         {"LLM", std::nullopt, 5},
                         {"node", std::nullopt, 1},
                         {"crash node:<b>A", std::nullopt, 1},
                         {"p.retry", std::nullopt, 1},
                         {"src=x", std::nullopt, 2},
                         {"attempt 1", SubLane::kAttempts, 1},
                         {"productive llm", std::nullopt, 1},
                         {"productive", SubLane::kFaults, 0},
                         {"nowhere", std::nullopt, 0}}) {
    model.set_filter(QString::fromUtf8(row.text), row.sub);
    EXPECT_EQ(model.rowCount(), row.count) << row.text;
  }
  EXPECT_EQ(model.nearest(5), -1);
  EXPECT_EQ(model.total(), 6U);
}

TEST(EventModel, SortsByEveryColumn) {
  const SampleRun run(panel_lines());
  EventModel model;
  const QAbstractItemModelTester tester(&model);
  model.set_trace(&run.trace(), run.path());
  for (const int by : {EventModel::kLane, EventModel::kWhat}) {
    model.sort(by, Qt::AscendingOrder);
    QStringList expected = column(model, by);
    expected.sort();
    EXPECT_EQ(column(model, by), expected);
    model.sort(by, Qt::DescendingOrder);
    std::ranges::reverse(expected);
    EXPECT_EQ(column(model, by), expected);
  }
  // Lengths are in order of length, behind texts.
  model.sort(EventModel::kDetail, Qt::AscendingOrder);
  EXPECT_EQ(column(model, EventModel::kDetail).mid(3).join(u','),
            QStringLiteral("for 30 s,for 00:01:00,not ended"));
  model.sort(EventModel::kTime, Qt::DescendingOrder);
  EXPECT_EQ(model.place_at(0).t_us, 90'000'000);
  EXPECT_EQ(model.place_at(5).t_us, 0);
}

TEST(EventModel, KeepsTheCurrentRowThroughASort) {
  const SampleRun run(panel_lines());
  EventModel model;
  model.set_trace(&run.trace(), run.path());
  const QPersistentModelIndex held(model.index(4, 0));
  const Place before = model.place_at(held.row());
  model.sort(EventModel::kTime, Qt::DescendingOrder);
  EXPECT_EQ(model.place_at(held.row()), before);
}

TEST(EventModel, FiltersAndSortsAMillionEvents) {
  Trace trace;
  constexpr std::uint32_t kLanes = 1000;
  constexpr std::uint32_t kOfEach = 1000;
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    const std::uint32_t node = trace.entities.add("node:n" + std::to_string(i));
    trace.lane_of.emplace_back().fill(kNone);
    trace.lanes.push_back({node, SubLane::kStates, LaneColumns(false)});
    for (std::uint32_t k = 0; k < kOfEach; ++k) {
      trace.lanes.back().columns.add({k * 1000 + i, k * 1000 + i + 5, Kind::kDown, 0, 0});
    }
    trace.lanes.back().columns.seal();
  }
  trace.spans = std::int64_t{kLanes} * kOfEach;
  EventModel model;
  model.set_trace(&trace, {});
  model.set_filter(QStringLiteral("n7 down"), std::nullopt);
  model.sort(EventModel::kLane, Qt::AscendingOrder);
  // n7, n70 to n79, n700 to n799.
  EXPECT_EQ(model.rowCount(), 111'000);
}

TEST(EventTable, GoesWhereTheUserWants) {
  const SampleRun run(panel_lines());
  EventTable events;
  events.set_run(&run.trace(), run.path());
  EXPECT_EQ(events.model().total(), 0U) << "nobody has seen it yet";
  events.resize(900, 400);
  events.show();
  EXPECT_EQ(events.model().rowCount(), 6);
  std::vector<Place> chosen;
  std::vector<Place> gone;
  QObject::connect(&events, &EventTable::place_chosen, &events,
                   [&](const Place& place) { chosen.push_back(place); });
  QObject::connect(&events, &EventTable::go_to, &events,
                   [&](const Place& place) { gone.push_back(place); });
  events.select_nearest(80'000'000);
  EXPECT_EQ(events.table().currentIndex().row(), 4) << "the first at 90 s";
  EXPECT_TRUE(chosen.empty());
  QTest::keyClick(&events.table(), Qt::Key_Down);
  ASSERT_EQ(chosen.size(), 1U);
  EXPECT_EQ(chosen[0].t_us, 90'000'000);
  QTest::keyClick(&events.table(), Qt::Key_Return);
  ASSERT_EQ(gone.size(), 1U);
  EXPECT_EQ(gone[0], chosen[0]);
  QTest::keyClicks(&events.field(), QStringLiteral("node_crash"));
  EXPECT_EQ(events.model().rowCount(), 1);
  events.set_run(nullptr, {});
  EXPECT_EQ(events.model().rowCount(), 0);
}

}  // namespace
}  // namespace aftershock::gui
