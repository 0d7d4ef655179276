#include <QAbstractButton>
#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QTest>
#include <QTextBrowser>
#include <limits>

#include <gtest/gtest.h>

#include "gui/panels/budget_panel.h"
#include "gui/panels/budget_plot.h"
#include "gui/panels/card_html.h"
#include "gui/panels/chain.h"
#include "gui/panels/event_model.h"
#include "gui/panels/event_table.h"
#include "gui/panels/inspector.h"
#include "gui/panels/ledger_bars.h"
#include "tests/gui/panels/panel_lines.h"
#include "tests/unit/gui/why/sample_run.h"

namespace aftershock::gui {
namespace {

TEST(Inspector, ShowsADecisionAndLeadsToItsFault) {
  const SampleRun run(panel_lines());
  Inspector inspector;
  inspector.set_run(&run.trace(), run.path());
  EXPECT_TRUE(inspector.json().isEmpty());
  inspector.show_place(place_of_decision(run.trace(), 0));
  for (const char* part :
       {"workers failed: error <script>", "p.retry", "Tries <again>", "Source: its handbook",
        "retries: 1 → 2 used, limit 1", "cause node counts", "Exhausted",
        "Rejected: wait, because no time", "f<img src=x> (node_crash)"}) {
    EXPECT_TRUE(inspector.text().contains(QString::fromUtf8(part)))
        << part << "\n"
        << inspector.text().toStdString();
  }
  EXPECT_TRUE(inspector.json().startsWith(QStringLiteral("{\"t\":90000000,")));
  inspector.findChild<QPushButton*>()->click();
  EXPECT_EQ(QGuiApplication::clipboard()->text(), inspector.json());
  std::vector<Place> gone;
  QString rule;
  QObject::connect(&inspector, &Inspector::go_to, &inspector,
                   [&](const Place& place) { gone.push_back(place); });
  QObject::connect(&inspector, &Inspector::rule_asked, &inspector,
                   [&](const QString& asked) { rule = asked; });
  auto* page = inspector.findChild<QTextBrowser*>();
  const auto follow = [page](const char* link) {
    Q_EMIT page->anchorClicked(QUrl(QString::fromUtf8(link)));
  };
  follow("rule:p.retry");
  EXPECT_EQ(rule, QStringLiteral("p.retry"));
  follow("fault:0");
  ASSERT_EQ(gone.size(), 1U);
  EXPECT_EQ(gone[0], place_of_fault(run.trace(), 0));
  for (const char* part :
       {"node_crash", "a&b", "Detected at 00:01:30", "decision at 00:01:30",
        "Costs of the fault for job:llm", "p.retry", "undetected: 30 s", "job:llm: undetected"}) {
    EXPECT_TRUE(inspector.text().contains(QString::fromUtf8(part)))
        << part << "\n"
        << inspector.text().toStdString();
  }
  for (const char* link : {"fault:99", "span:0", "span:9:9", "decision:-1", "nonsense", ""}) {
    follow(link);
  }
  EXPECT_EQ(gone.size(), 1U);
}

TEST(Inspector, ShowsSpansAndWhatAJobDiedOf) {
  const SampleRun run(panel_lines());
  Inspector inspector;
  inspector.set_run(&run.trace(), run.path());
  const auto job = run.trace().entities.find("job:llm");
  ASSERT_TRUE(job);
  Place place;
  place.entity = *job;
  inspector.show_place(place);
  // Without a summary the ledger does not say that it failed; the budget that ran out does.
  EXPECT_TRUE(inspector.text().contains(QStringLiteral("every charge of retries")))
      << inspector.text().toStdString();
  EXPECT_TRUE(inspector.text().contains(QStringLiteral("Fatal")));
  const std::uint32_t lane = run.trace().lane_of[*job][static_cast<std::size_t>(SubLane::kPhases)];
  inspector.show_place(place_of_span(run.trace(), lane, 1));
  for (const char* part :
       {"f<img src=x> (node_crash)", "attempt", "00:01:30", "30 s", "job:llm", "Show the record"}) {
    EXPECT_TRUE(inspector.text().contains(QString::fromUtf8(part)))
        << part << "\n"
        << inspector.text().toStdString();
  }
  EXPECT_FALSE(inspector.text().contains(QStringLiteral("epoch")));
  inspector.set_run(nullptr, {});
  EXPECT_EQ(inspector.text(), QStringLiteral("Nothing is open."));
}

TEST(Inspector, KeepsTheRecordBehindALink) {
  const SampleRun run(panel_lines());
  Inspector inspector;
  inspector.set_run(&run.trace(), run.path());
  inspector.show_place(place_of_span(run.trace(), 0, 0));
  auto* page = inspector.findChild<QTextBrowser*>();
  const auto toggle = [page] { Q_EMIT page->anchorClicked(QUrl(QStringLiteral("record:"))); };
  EXPECT_FALSE(inspector.text().contains(QStringLiteral("\"epoch\":1")));
  toggle();
  EXPECT_TRUE(inspector.text().contains(QStringLiteral("\"epoch\":1")));
  // It stays open for the next one, and its text is not read as markup.
  inspector.show_place(place_of_fault(run.trace(), 0));
  EXPECT_TRUE(inspector.text().contains(QStringLiteral("\"id\":\"f<img src=x>\"")));
  toggle();
  EXPECT_FALSE(inspector.text().contains(QStringLiteral("\"outcome\"")));
}

TEST(Chain, LeadsFromAFaultThroughAllItLedToAndBack) {
  const SampleRun run(panel_lines());
  const Trace& trace = run.trace();
  const Place fault = place_of_fault(trace, 0);
  const Place undetected = to_effect(trace, fault);
  EXPECT_EQ(undetected.t_us, 60'000'000);
  EXPECT_NE(undetected.lane, kNone);
  const Place decision = to_effect(trace, undetected);
  EXPECT_EQ(decision, place_of_decision(trace, 0));
  EXPECT_EQ(to_effect(trace, decision), Place()) << "that was all";
  EXPECT_EQ(to_cause(trace, decision), fault);
  EXPECT_EQ(to_cause(trace, undetected), fault);
  EXPECT_EQ(to_cause(trace, fault), Place());
  EXPECT_EQ(to_cause(trace, Place()), Place());
  EXPECT_EQ(to_effect(trace, Place()), Place());
  EXPECT_EQ(to_effect(trace, place_of_span(trace, 0, 0)), Place()) << "without a cause";
}

TEST(LedgerBars, OfTheRunAndOfARange) {
  const SampleRun run(panel_lines());
  LedgerBars bars;
  bars.set_run(&run.trace());
  bars.resize(500, 300);
  bars.show();
  const LedgerModel& model = bars.model();
  ASSERT_EQ(model.rowCount(), 2);
  EXPECT_EQ(model.index(0, LedgerModel::kBucket).data().toString(), QStringLiteral("productive"));
  EXPECT_EQ(model.index(0, LedgerModel::kShare).data().toString(), QStringLiteral("66.7 %"));
  EXPECT_EQ(model.index(1, LedgerModel::kTime).data().toString(), QStringLiteral("30 s"));
  // 45 s to 75 s: half of each.
  bars.set_range(std::pair<std::int64_t, std::int64_t>(45'000'000, 75'000'000));
  ASSERT_EQ(model.rowCount(), 2);
  EXPECT_EQ(model.index(0, LedgerModel::kShare).data().toString(), QStringLiteral("50.0 %"));
  bars.set_range(std::nullopt);
  EXPECT_EQ(model.index(0, LedgerModel::kShare).data().toString(), QStringLiteral("66.7 %"));
  for (const Theme theme : {Theme::kLight, Theme::kDark}) {
    bars.set_theme(theme);
    EXPECT_FALSE(bars.grab().isNull());
  }
  bars.set_run(nullptr);
  EXPECT_EQ(model.rowCount(), 0);
}

TEST(LedgerModel, TakesAnyTimes) {
  LedgerModel model;
  const QAbstractItemModelTester tester(&model);
  model.set_times({{"a", kOpen}, {"productive", kOpen}, {"b", -5}, {"c", 0}});
  EXPECT_EQ(model.rowCount(), 2);
}

TEST(BudgetPanel, LeadsToTheDecisionOfACharge) {
  const SampleRun run(panel_lines());
  BudgetPanel panel;
  const QAbstractItemModelTester tester(&panel.model());
  panel.set_moves(&run.trace(), budget_moves(run.trace(), run.path()));
  panel.resize(600, 400);
  panel.show();
  ASSERT_EQ(panel.model().rowCount(), 1);
  EXPECT_EQ(panel.model().index(0, BudgetModel::kCounts).data().toString(),
            QStringLiteral("exhausted"));
  EXPECT_EQ(budget_lines(panel.model().moves()).size(), 1U);
  std::vector<Place> gone;
  QObject::connect(&panel, &BudgetPanel::go_to, &panel,
                   [&](const Place& place) { gone.push_back(place); });
  // The charge is at the end of the run, at the right margin.
  BudgetPlot& plot = panel.plot();
  ASSERT_GT(plot.height(), 40);
  QTest::mouseClick(&plot, Qt::LeftButton, {}, QPoint(plot.width() - 8, 40));
  ASSERT_EQ(gone.size(), 1U);
  EXPECT_EQ(gone[0], place_of_decision(run.trace(), 0));
  QTest::mouseClick(&plot, Qt::LeftButton, {}, QPoint(plot.width() / 2, 40));
  EXPECT_EQ(gone.size(), 1U);
  panel.set_theme(Theme::kLight);
  EXPECT_FALSE(panel.grab().isNull());
  panel.set_moves(nullptr, {});
  EXPECT_EQ(panel.model().rowCount(), 0);
}

TEST(Panels, TakeWhatNoRunWrites) {
  const SampleRun run(R"lines({"t":0,"r":"begin","on":"job:llm","id":1,"what":"training","cause":7}
{"t":1,"r":"decision","on":"job:llm","batch":1,"fault":"gone","saw":{"a":1},"steps":[{"rule":7,"budgets":[{"budget":"b","used":9223372036854775807,"limit":-9223372036854775808,"charged":true},{"budget":"b","used":-9223372036854775808,"limit":null,"charged":true},{"budget":5,"used":18446744073709551615,"limit":1e300}],"commands":[{"type":"start_attempt","epoch":[]},3],"rejected":"no"},[],null]}
{"t":4611686018427387904,"r":"begin","on":"job:llm","id":2,"what":"training"}
{"t":4611686018427387904,"r":"decision","on":"","batch":2,"steps":7}
{"t":4611686018427387904,"r":"ledger","on":"job:llm","wall_us":"x","us":{"productive":9223372036854775807,"undetected":9223372036854775807,"paused":-5,"new <word>":3},"faults":[5,{"fault":"gone","us":[]}]}
)lines");
  EventTable events;
  LedgerBars bars;
  BudgetPanel budgets;
  Inspector inspector;
  events.set_run(&run.trace(), run.path());
  bars.set_run(&run.trace());
  budgets.set_moves(&run.trace(), budget_moves(run.trace(), run.path()));
  inspector.set_run(&run.trace(), run.path());
  for (QWidget* panel : std::initializer_list<QWidget*>{&events, &inspector, &bars, &budgets}) {
    panel->resize(500, 400);
    panel->show();
    EXPECT_FALSE(panel->grab().isNull());
  }
  EXPECT_EQ(events.model().rowCount(), 4);
  EXPECT_EQ(budgets.model().rowCount(), 3);
  for (std::uint32_t i = 0; i < run.trace().decisions.size(); ++i) {
    inspector.show_place(place_of_decision(run.trace(), i));
    EXPECT_FALSE(inspector.text().isEmpty());
  }
  for (int row = 0; row < events.model().rowCount(); ++row) {
    inspector.show_place(events.model().place_at(row));
    EXPECT_FALSE(inspector.text().isEmpty());
  }
  constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
  bars.set_range(std::pair(std::numeric_limits<std::int64_t>::min(), kMax));
  EXPECT_FALSE(bars.grab().isNull());
}

TEST(Panels, HaveANameForEveryControl) {
  EventTable events;
  Inspector inspector;
  LedgerBars bars;
  BudgetPanel budgets;
  for (QWidget* panel : std::initializer_list<QWidget*>{&events, &inspector, &bars, &budgets}) {
    for (const QWidget* widget : panel->findChildren<QWidget*>()) {
      const bool control = qobject_cast<const QAbstractButton*>(widget) != nullptr ||
                           qobject_cast<const QLineEdit*>(widget) != nullptr ||
                           qobject_cast<const QComboBox*>(widget) != nullptr ||
                           qobject_cast<const QTableView*>(widget) != nullptr ||
                           qobject_cast<const QTextBrowser*>(widget) != nullptr;
      EXPECT_TRUE(!control || !widget->accessibleName().isEmpty())
          << widget->metaObject()->className() << " in " << panel->metaObject()->className();
    }
  }
}

}  // namespace
}  // namespace aftershock::gui
