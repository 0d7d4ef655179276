#include <QAbstractItemModelTester>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <string>

#include <gtest/gtest.h>

#include "gui/panels/event_model.h"
#include "gui/panels/event_table.h"
#include "gui/panels/ledger_bars.h"
#include "tests/gui/timeline/sample_run.h"

namespace aftershock::gui {
namespace {

/// The lines that are added to the sample: at 64 s a fault, which stands before the others there,
/// and then more of all kinds, until the job has its account.
const std::string kPieces[] = {
    R"({"t":64000000,"r":"instant","on":"job:llm","what":"said"}
)",
    R"({"t":64000000,"r":"fault","on":"node:gpu-0","number":2,"id":"c","target":"node:gpu-0",)"
    R"("kind":"node_crash","what":"fan","outcome":"fired"}
{"t":64000000,"r":"begin","on":"job:llm","id":9,"what":"restoring"}
)",
    R"({"t":70000000,"r":"decision","on":"job:llm","batch":3,"fault":"c","rules":[{"rule":"x.go"}]}
{"t":80000000,"r":"end","id":9}
{"t":80000000,"r":"begin","on":"job:llm","id":10,"what":"training"}
)",
    R"({"t":90000000,"r":"end","id":3}
{"t":90000000,"r":"begin","on":"node:gpu-3","id":11,"what":"down"}
)"};

/// A recording that is written while it is read.
struct GrowingFile {
  testing::SampleFile file{testing::sample_lines()};
  RunSession session{file.path, true};

  GrowingFile() {
    EXPECT_TRUE(QTest::qWaitFor([this] { return session.trace().last_us == 64'000'000; }, 20000));
  }
  void add(const std::string& piece) {
    const std::int64_t before = session.trace().end.line;
    file.add(piece);
    EXPECT_TRUE(QTest::qWaitFor(
        [&] { return session.trace().end.line > before && !session.trace().reading; }, 20000));
  }
};

QStringList rows_of(const EventModel& model) {
  QStringList rows;
  for (int row = 0; row < model.rowCount(); ++row) {
    QStringList cells;
    for (int column = 0; column < EventModel::kColumns; ++column) {
      cells << model.index(row, column).data().toString();
    }
    rows << cells.join(u'|');
  }
  return rows;
}

TEST(GrowingEvents, AreThoseOfARunThatIsReadAtOnce) {
  for (const int by : {EventModel::kTime, EventModel::kLane, EventModel::kDetail}) {
    for (const auto order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
      for (const char* words : {"", "gpu", "x.go", "down"}) {
        SCOPED_TRACE(std::to_string(by) + words + (order == Qt::AscendingOrder ? " up" : " down"));
        GrowingFile growing;
        EventModel model;
        const QAbstractItemModelTester tester(&model);
        model.sort(by, order);
        model.set_filter(QString::fromUtf8(words), std::nullopt);
        model.set_trace(&growing.session.trace(), growing.file.path.toStdString());
        for (const std::string& piece : kPieces) {
          growing.add(piece);
          model.grow();
          EventModel fresh;
          fresh.sort(by, order);
          fresh.set_filter(QString::fromUtf8(words), std::nullopt);
          fresh.set_trace(&growing.session.trace(), growing.file.path.toStdString());
          EXPECT_EQ(model.total(), fresh.total());
          if (by != EventModel::kTime) {
            // A new row may stand behind the rest.
            model.sort(by, order);
          }
          EXPECT_EQ(rows_of(model).join(u'\n').toStdString(),
                    rows_of(fresh).join(u'\n').toStdString());
        }
      }
    }
  }
}

TEST(GrowingEvents, LeaveTheCurrentRowWhereItIs) {
  for (const auto order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
    GrowingFile growing;
    EventTable table;
    table.resize(900, 300);
    table.show();
    table.table().sortByColumn(EventModel::kTime, order);
    table.set_run(&growing.session.trace(), growing.file.path.toStdString());
    table.select_nearest(48'000'000);
    const auto now = [&] { return table.model().place_at(table.table().currentIndex().row()); };
    const Place before = now();
    ASSERT_EQ(before.t_us, 48'000'000);
    for (const std::string& piece : kPieces) {
      growing.add(piece);
      table.grow();
      EXPECT_EQ(now(), before);
    }
    EXPECT_EQ(table.model().total(), static_cast<std::size_t>(growing.session.trace().spans));
    // It ends: all is read once more.
    table.set_run(&growing.session.trace(), growing.file.path.toStdString());
    EXPECT_EQ(now(), before);
  }
}

TEST(GrowingEvents, AreThereWhenTheTableIsSeen) {
  GrowingFile growing;
  EventTable table;
  table.resize(900, 300);
  table.set_run(&growing.session.trace(), growing.file.path.toStdString());
  table.show();
  const std::size_t before = table.model().total();
  table.hide();
  growing.add(kPieces[0]);
  table.grow();
  EXPECT_EQ(table.model().total(), before);
  table.show();
  EXPECT_EQ(table.model().total(), before + 1);
}

TEST(GrowingLedger, IsThatUpToTheLastRecord) {
  GrowingFile growing;
  LedgerBars bars;
  const auto shown = [&] {
    QStringList rows;
    for (int row = 0; row < bars.model().rowCount(); ++row) {
      rows << bars.model().index(row, LedgerModel::kBucket).data().toString() + u' ' +
                  bars.model().index(row, LedgerModel::kTime).data().toString();
    }
    return rows.join(u',').toStdString();
  };
  bars.set_run(&growing.session.trace());
  EXPECT_EQ(shown(), "productive 48 s,restoring 16 s");
  for (const std::string& piece : kPieces) {
    growing.add(piece);
    bars.set_run(&growing.session.trace());
  }
  EXPECT_EQ(shown(), "productive 58 s,restoring 32 s");
  // A stretch of time that was chosen stays.
  bars.set_range(std::pair(std::int64_t{0}, std::int64_t{40'000'000}));
  EXPECT_EQ(shown(), "productive 32 s,restoring 8 s");
  bars.set_run(&growing.session.trace());
  EXPECT_EQ(shown(), "productive 32 s,restoring 8 s");
}

}  // namespace
}  // namespace aftershock::gui
