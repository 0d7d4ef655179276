#include "gui/panels/compare_panel.h"

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QTextBrowser>
#include <limits>

#include <gtest/gtest.h>

#include "gui/panels/compare_banner.h"
#include "gui/panels/compare_cards.h"
#include "gui/panels/compare_headline.h"
#include "gui/panels/cost_model.h"
#include "gui/panels/cost_words.h"
#include "gui/panels/divergence_model.h"
#include "tests/gui/panels/compare_run.h"
#include "tests/unit/times.h"

namespace aftershock::gui {
namespace {

void show(ComparePanel& panel, const SampleRun& a, const SampleRun& b) {
  panel.set_runs(&a.trace(), a.path(), QStringLiteral("first"), &b.trace(), b.path(),
                 QStringLiteral("second"));
  EXPECT_TRUE(QTest::qWaitFor([&] { return panel.is_ready(); }));
}

QString cell(const QAbstractItemModel& model, int row, int column) {
  return model.index(row, column).data().toString();
}

int row_of(const CostModel& model, const char* what) {
  for (int row = 0; row < model.rowCount(); ++row) {
    if (model.line(row).what == what) {
      return row;
    }
  }
  return -1;
}

TEST(ComparePanel, ShowsWhereTwoRunsPart) {
  const SampleRun a = compare_run("p.<b>same", "p.retry");
  const SampleRun b = compare_run("p.<b>same", "p.other", 220);
  ComparePanel panel;
  const QAbstractItemModelTester tester(&panel.model());
  QSignalSpy found(&panel, &ComparePanel::divergences_found);
  panel.resize(420, 700);
  panel.show();
  show(panel, a, b);
  EXPECT_EQ(found.count(), 1);
  ASSERT_EQ(panel.divergences().size(), 1U);
  EXPECT_EQ(panel.current(), 0) << "the first is selected at once";
  EXPECT_EQ(cell(panel.model(), 0, DivergenceModel::kTime), QStringLiteral("00:03:10"));
  EXPECT_EQ(cell(panel.model(), 0, DivergenceModel::kFault), QStringLiteral("f<1>"));
  EXPECT_EQ(cell(panel.model(), 0, DivergenceModel::kA), QStringLiteral("retry\nstop workers"));
  EXPECT_EQ(cell(panel.model(), 0, DivergenceModel::kB), QStringLiteral("other\nstop workers"));
  EXPECT_TRUE(panel.cards().text(0).contains(QStringLiteral("p.retry")));
  EXPECT_TRUE(panel.cards().text(1).contains(QStringLiteral("p.other")));
  EXPECT_TRUE(panel.banner().text().contains(QStringLiteral("Same 2 faults")))
      << panel.banner().text().toStdString();

  std::vector<std::int64_t> gone;
  QObject::connect(&panel, &ComparePanel::go_to, &panel,
                   [&](const reports::Divergence& to) { gone.push_back(to.a_us); });
  panel.show_divergences();
  auto* table = panel.findChildren<QTableView*>().back();
  ASSERT_EQ(table->accessibleName(), QStringLiteral("Where the policies part"));
  table->setFocus();
  QTest::keyClick(table, Qt::Key_Return);
  EXPECT_EQ(gone, std::vector<std::int64_t>{190'000'000});
  QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                    table->visualRect(panel.model().index(0, 0)).center());
  EXPECT_EQ(gone.size(), 2U);
  panel.show_divergence(-1);
  EXPECT_EQ(panel.current(), -1);
  EXPECT_TRUE(panel.cards().text(0).isEmpty());
}

TEST(ComparePanel, FollowsLinksOfItsCards) {
  const SampleRun a = compare_run("p.x", "p.retry");
  const SampleRun b = compare_run("p.x", "p.other");
  ComparePanel panel;
  show(panel, a, b);
  std::vector<std::pair<int, Place>> gone;
  QObject::connect(&panel, &ComparePanel::go_to_place, &panel,
                   [&](int run, const Place& place) { gone.emplace_back(run, place); });
  QTextBrowser* of_b = nullptr;
  for (QTextBrowser* each : panel.cards().findChildren<QTextBrowser*>()) {
    of_b = each->accessibleName() == QStringLiteral("Decision of B") ? each : of_b;
  }
  ASSERT_NE(of_b, nullptr);
  for (const char* link : {"fault:1", "fault:99", "decision:x", "rule:p.x", "span:0:0"}) {
    Q_EMIT of_b->anchorClicked(QUrl(QString::fromUtf8(link)));
  }
  ASSERT_EQ(gone.size(), 1U);
  EXPECT_EQ(gone[0].first, 1);
  EXPECT_EQ(gone[0].second, place_of_fault(*&b.trace(), 1));
}

TEST(ComparePanel, SaysWhenTheFaultsAreNotTheSame) {
  const SampleRun a = compare_run("p.x", "p.y");
  const SampleRun b = compare_run("p.x", "p.y", 200, "<i>g");
  ComparePanel panel;
  show(panel, a, b);
  const QString text = panel.banner().text();
  for (const char* part :
       {"NOT the same faults", "1 only in A", "1 only in B", "not paired",
        "The first is f<1> (node_crash) at 00:02:40, only in A.", "first", "second"}) {
    EXPECT_TRUE(text.contains(QString::fromUtf8(part))) << part << "\n" << text.toStdString();
  }
}

/// A recording that ends after an hour, with the job's part of the summary.
SampleRun ended(const std::string& job, std::int64_t wall_us) {
  return SampleRun(
      R"({"t":0,"r":"begin","on":"job:llm","id":1,"what":"training","epoch":1})"
      "\n"
      R"({"t":3600000000,"r":"summary","summary":{"verdict":"passed","jobs":[{"name":"llm",)" +
      job + R"(,"wall_us":)" + std::to_string(wall_us) + "}]}}\n");
}

TEST(ComparePanel, BeginsWithHowTheRunsEnd) {
  const SampleRun died = ended(R"("outcome":"failed","steps":100,"steps_done":7)", 1'800'000'000);
  const SampleRun done =
      ended(R"("outcome":"completed","steps":100,"steps_done":100)", 3'000'000'000);
  const SampleRun works = ended(R"("outcome":"running","useful_share":0.914)", 3'600'000'000);
  const SampleRun open(R"({"t":0,"r":"begin","on":"job:llm","id":1,"what":"training","epoch":1})"
                       "\n");
  const struct {
    const SampleRun& a;
    const SampleRun& b;
    const char* words;
  } table[] = {
      {done, died, "B failed at 00:30:00 with 7.0 % of the steps; A completed at 00:50:00."},
      {died, done, "A failed at 00:30:00 with 7.0 % of the steps; B completed at 00:50:00."},
      {works, done,
       "A had not ended at 01:00:00 with 91.4 % useful work; B completed at 00:50:00."},
      {works, open, ""},
  };
  for (const auto& each : table) {
    EXPECT_EQ(compare_headline(each.a.trace(), each.b.trace()).toStdString(), each.words);
  }
  ComparePanel panel;
  show(panel, done, died);
  EXPECT_TRUE(panel.banner().text().startsWith(QStringLiteral("B failed at")))
      << panel.banner().text().toStdString();
}

TEST(ComparePanel, EqualRunsPartNowhere) {
  const SampleRun a = compare_run("p.x", "p.y");
  ComparePanel panel;
  show(panel, a, a);
  EXPECT_TRUE(panel.divergences().empty());
  EXPECT_EQ(panel.current(), -1);
  for (int row = 0; row < panel.costs().rowCount(); ++row) {
    EXPECT_EQ(cell(panel.costs(), row, CostModel::kPercent), QStringLiteral("= same")) << row;
  }
}

TEST(ComparePanel, MayBeSetAnewWhileItReads) {
  const SampleRun a = compare_run("p.x", "p.y");
  ComparePanel panel;
  panel.set_runs(&a.trace(), a.path(), {}, &a.trace(), a.path(), {});
  EXPECT_FALSE(panel.is_ready());
  panel.set_runs(nullptr, {}, {}, nullptr, {}, {});
  EXPECT_TRUE(panel.is_ready());
  EXPECT_EQ(panel.costs().rowCount(), 0);
  panel.set_runs(&a.trace(), a.path(), {}, nullptr, {}, {});
  EXPECT_TRUE(panel.is_ready());
  QTest::qWait(1);
  // A recording that is gone has no answers.
  panel.set_runs(&a.trace(), "/nowhere", {}, &a.trace(), a.path(), {});
  EXPECT_TRUE(QTest::qWaitFor([&] { return panel.is_ready(); }));
  EXPECT_TRUE(panel.divergences().empty());
  for (const Theme theme : {Theme::kDark, Theme::kLight}) {
    panel.set_theme(theme);
    panel.resize(1, 1);
    panel.resize(1200, 300);
  }
}

TEST(ComparePanel, EveryControlHasAName) {
  const ComparePanel panel;
  for (const auto* each : panel.findChildren<QTableView*>()) {
    EXPECT_FALSE(each->accessibleName().isEmpty());
  }
  for (const auto* each : panel.findChildren<QTextBrowser*>()) {
    EXPECT_FALSE(each->accessibleName().isEmpty());
  }
  EXPECT_FALSE(panel.findChild<QTabWidget*>()->accessibleName().isEmpty());
}

TEST(CostModel, SortsBucketsBelowHeadlines) {
  const SampleRun a = compare_run("p.x", "p.y");
  const SampleRun b = compare_run("p.x", "p.y", 230);
  CostModel model;
  const QAbstractItemModelTester tester(&model);
  model.set_lines(cost_lines(*&a.trace(), *&b.trace()));
  const int count = model.rowCount();
  ASSERT_GE(count, 5);
  EXPECT_FALSE(model.has_entities());
  const int restoring = row_of(model, "restoring");
  EXPECT_EQ(cell(model, restoring, CostModel::kA), QStringLiteral("40 s"));
  EXPECT_EQ(cell(model, restoring, CostModel::kB), QStringLiteral("00:01:10"));
  EXPECT_EQ(cell(model, restoring, CostModel::kDifference), QStringLiteral("+30 s"));
  EXPECT_EQ(cell(model, restoring, CostModel::kPercent), QString::fromUtf8("+75 % ▼ worse"));
  const QPersistentModelIndex kept(model.index(restoring, 0));
  for (int column = -1; column <= CostModel::kColumns; ++column) {
    for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
      model.sort(column, order);
      EXPECT_EQ(model.line(0).what, "verdict") << column;
      EXPECT_EQ(model.line(kept.row()).what, "restoring") << column;
    }
  }
  model.sort(CostModel::kDifference, Qt::DescendingOrder);
  EXPECT_EQ(model.line(count - 1).what, "productive");
  model.set_narrow(true);
  EXPECT_EQ(cell(model, row_of(model, "restoring"), CostModel::kDifference),
            QString::fromUtf8("+30 s\n+75 % ▼ worse"));
}

TEST(CostWords, AreShort) {
  for (const auto& [us, told] : {std::pair<std::int64_t, const char*>{0, "0 s"},
                                 {187'200 * kSecond + 5, "2d 04:00:00"},
                                 {725 * kSecond, "00:12:05"},
                                 {-3'661 * kSecond, "-01:01:01"},
                                 {1'290'000, "1.2 s"},
                                 {-905'234, "-905 ms"},
                                 {-7, "-7 us"}}) {
    EXPECT_EQ(brief_time(us), QString::fromUtf8(told));
  }
  CostLine line;
  line.what = "lost work";
  line.better = Better::kLess;
  line.a = 0;
  line.b = kSecond;
  EXPECT_EQ(judgement_words(line), QString::fromUtf8("new ▼ worse"));
  line.a = 1;
  EXPECT_EQ(judgement_words(line), QString::fromUtf8("×1000000 ▼ worse"));
  line.a = std::numeric_limits<std::int64_t>::min();
  line.b = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(difference_words(line), QString());
  EXPECT_FALSE(line_words(line).isEmpty());
}

}  // namespace
}  // namespace aftershock::gui
