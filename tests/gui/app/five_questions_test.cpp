#include <QAbstractButton>
#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDialog>
#include <QHeaderView>
#include <QImage>
#include <QLabel>
#include <QMenuBar>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QToolBar>
#include <algorithm>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "gui/app/comparison.h"
#include "gui/app/exports.h"
#include "gui/app/main_window.h"
#include "gui/app/run_again_dialog.h"
#include "gui/app/settings.h"
#include "gui/app/side_panels.h"
#include "gui/app/verdict_header.h"
#include "gui/panels/fault_model.h"
#include "gui/panels/fault_table.h"
#include "gui/panels/inspector.h"
#include "gui/panels/verdict_bar.h"
#include "gui/timeline/view_export.h"
#include "policies/api/json_as_text.h"
#include "tests/gui/app/hand.h"
#include "tests/gui/app/simulator.h"
#include "tests/unit/times.h"

// Questions of somebody who opens a run for the first time. Each is answered by keys and by mouse,
// within ten seconds of what her hands and her mind do; the answers are those of the command line.
namespace aftershock::gui {
namespace {

using testing::Hand;
using testing::kLong;
using testing::kSimulator;
using Json = nlohmann::json;

constexpr int kMostMs = 10'000;

enum class By : std::uint8_t { kKeys, kMouse };

/// The window as the program has it, and a run of a scenario open in it.
class FiveQuestions : public ::testing::TestWithParam<By> {
 protected:
  void SetUp() override {
    window_.resize(1600, 900);
    window_.show();
    window_.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window_));
  }
  void TearDown() override {
    EXPECT_LE(hand_.spent_ms(), kMostMs);
    RecordProperty("spent_ms", hand_.spent_ms());
  }

  /// Records a run of the scenario, opens it, and says what the command line says of it.
  Json open(const QString& scenario) {
    const QString path = dir_.filePath(QStringLiteral("a.aftershock"));
    QSignalSpy finished(&workspace_, &Workspace::session_finished);
    const Json summary = run({scenario, QStringLiteral("--record"), path});
    window_.open_file(path, 0);
    EXPECT_TRUE(!finished.isEmpty() || finished.wait(kLong));
    workspace_.timeline().setFocus();
    return summary;
  }
  /// The summary of a run.
  static Json run(const QStringList& words) {
    QProcess process;
    process.start(kSimulator, QStringList{QStringLiteral("run"), QStringLiteral("--json")} + words);
    EXPECT_TRUE(process.waitForFinished(kLong));
    return policies::json_from_text(process.readAllStandardOutput().toStdString());
  }
  [[nodiscard]] bool by_keys() const { return GetParam() == By::kKeys; }
  QString verdict() { return verdicts_.bar().text(); }
  QString inspected() { return window_.findChild<Inspector*>()->text(); }
  QMenuBar& menus() { return *window_.menuBar(); }
  QWidget& tool(ActionId id) {
    return *window_.tools().widgetForAction(window_.actions().action(id));
  }
  TimeRange shown() { return workspace_.timeline().state().shown; }

  QTemporaryDir dir_;
  Settings settings_;
  MainWindow window_{settings_, kSimulator};
  Workspace workspace_{window_};
  SidePanels panels_{window_, workspace_};
  Comparison comparison_{window_, workspace_};
  Exports exports_{window_, workspace_};
  VerdictHeader verdicts_{window_, workspace_};
  Hand hand_;
};

INSTANTIATE_TEST_SUITE_P(By, FiveQuestions, ::testing::Values(By::kKeys, By::kMouse),
                         [](const auto& by) {
                           return by.param == By::kKeys ? std::string("keys")
                                                        : std::string("mouse");
                         });

TEST_P(FiveQuestions, WhyDidItDie) {
  const Json summary = open(QStringLiteral("scenarios/modelarts/pod_without_spare.json"));
  hand_.think();
  const QString reason = QString::fromStdString(summary["jobs"][0]["reason"]);
  EXPECT_TRUE(verdict().contains(reason)) << verdict().toStdString();
  EXPECT_TRUE(verdict().contains(QStringLiteral("worst: node (node_crash)")))
      << verdict().toStdString();
  EXPECT_TRUE(inspected().contains(reason)) << inspected().toStdString();
}

/// Ten jobs as those of the incident, each on a pool of its own, of which two have a retry too few.
QString ten_jobs(const QTemporaryDir& dir) {
  std::ifstream file("scenarios/incidents/three_preemptions.json");
  const Json incident = policies::json_from_text(
      std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()));
  Json all = incident;
  all["cluster"]["pools"] = Json::array();
  all["jobs"] = Json::array();
  all["faults"] = Json::array();
  all.erase("expect");
  for (int i = 0; i < 10; ++i) {
    const std::string pool(1, static_cast<char>('a' + i));
    Json& pools = all["cluster"]["pools"];
    pools.push_back(incident["cluster"]["pools"][0]);
    pools.back()["name"] = pool;
    Json job = incident["jobs"][1];
    job["pool"] = pool;
    job["name"] = job["run"]["name"] = "job-" + std::to_string(i);
    job["policy"]["config"]["max_failures"] = i == 4 || i == 7 ? 2 : 3;
    all["jobs"].push_back(std::move(job));
    for (const char* at : {"2h", "5h", "8h"}) {
      all["faults"].push_back({{"kind", "preemption"},
                               {"target", "node:" + pool + "-2"},
                               {"at", at},
                               {"notice", "30s"}});
    }
  }
  const QString path = dir.filePath(QStringLiteral("ten.json"));
  std::ofstream(path.toStdString()) << policies::text_from_json(all);
  return path;
}

TEST_P(FiveQuestions, WhichOfTenJobsDiedAndWhy) {
  const Json summary = open(ten_jobs(dir_));
  const QString reason = QString::fromStdString(summary["jobs"][4]["reason"]);
  ASSERT_EQ(summary["jobs"][4]["outcome"], "failed");
  const QStringList chips = verdicts_.bar().chips();
  ASSERT_EQ(chips.size(), 10);
  EXPECT_EQ(chips.filter(QStringLiteral("failed")), chips.first(2)) << "failed ones stand first";
  hand_.think();
  EXPECT_TRUE(verdict().contains(QStringLiteral("job-4"))) << verdict().toStdString();
  EXPECT_TRUE(verdict().contains(reason)) << verdict().toStdString();
  hand_.think();
  if (by_keys()) {
    hand_.press(Qt::Key_P, Qt::ControlModifier);
    hand_.type(QStringLiteral("job-7"));
    hand_.press(Qt::Key_Return);
  } else {
    hand_.click(*verdicts_.bar().findChildren<QAbstractButton*>().at(1));
    EXPECT_TRUE(verdict().contains(QStringLiteral("job-7"))) << verdict().toStdString();
  }
  EXPECT_TRUE(inspected().contains(QStringLiteral("job-7"))) << inspected().toStdString();
  EXPECT_TRUE(inspected().contains(reason)) << inspected().toStdString();
}

/// By the command line: the time from its detection until what it cost was caught up.
std::string costliest_fault(const Json& summary) {
  std::string costliest;
  std::int64_t most_us = 0;
  for (const Json& recovery : summary["jobs"][0]["recoveries"]) {
    if (recovery["detected_us"].is_null() || recovery["caught_up_us"].is_null()) {
      continue;
    }
    const std::int64_t cost_us =
        recovery["caught_up_us"].get<std::int64_t>() - recovery["detected_us"].get<std::int64_t>();
    costliest = cost_us > most_us ? recovery["fault"].get<std::string>() : costliest;
    most_us = std::max(most_us, cost_us);
  }
  return costliest;
}

TEST_P(FiveQuestions, WhichFaultCostMost) {
  const Json summary = open(testing::kQuickstart);
  const QString costliest = QString::fromStdString(costliest_fault(summary));
  ASSERT_FALSE(costliest.isEmpty());
  hand_.think();
  if (by_keys()) {
    hand_.press(Qt::Key_Q, Qt::ShiftModifier);
  } else {
    hand_.click(tool(ActionId::kFaultTable));
  }
  auto& faults = *window_.findChild<FaultTable*>();
  ASSERT_TRUE(QTest::qWaitFor([&] { return faults.isVisible(); }));
  hand_.think();
  const QModelIndex first = faults.shown().index(0, FaultModel::kFault);
  EXPECT_TRUE(first.data().toString().contains(costliest)) << first.data().toString().toStdString();
  if (!by_keys()) {
    hand_.click(*faults.table().viewport(), faults.table().visualRect(first).center());
    EXPECT_TRUE(inspected().contains(costliest)) << inspected().toStdString();
  }
}

TEST_P(FiveQuestions, WhatUnderModelArts) {
  open(testing::kQuickstart);
  const Json other =
      run({testing::kQuickstart, QStringLiteral("--policy"), QStringLiteral("modelarts")});
  hand_.think();
  if (by_keys()) {
    hand_.press(Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
  } else {
    hand_.choose(menus(), {QStringLiteral("File"), QStringLiteral("Run again with…")});
  }
  auto* dialog = window_.findChild<RunAgainDialog*>();
  ASSERT_NE(dialog, nullptr);
  ASSERT_TRUE(QTest::qWaitForWindowActive(dialog));
  QSignalSpy ended(&window_, &MainWindow::run_finished);
  const auto lists = dialog->findChildren<QComboBox*>();
  QComboBox& policy =
      **std::ranges::find(lists, QStringLiteral("Policy"), &QComboBox::accessibleName);
  hand_.think();
  if (by_keys()) {
    hand_.type(QStringLiteral("modelarts"));
    hand_.press(Qt::Key_Return);  // takes what was completed
    hand_.press(Qt::Key_Return);
  } else {
    hand_.click(policy, {policy.width() - policy.height() / 2, policy.height() / 2});
    QAbstractItemView& list = *policy.view();
    ASSERT_TRUE(QTest::qWaitFor([&] { return list.isVisible(); }));
    const int row = policy.findText(QStringLiteral("modelarts"), Qt::MatchStartsWith);
    ASSERT_GE(row, 0);
    const QModelIndex entry = list.model()->index(row, 0);
    list.scrollTo(entry);
    // A list takes no release of a button that may be that of the click which opened it.
    QTest::qWait(QApplication::doubleClickInterval());
    QTest::mouseMove(list.viewport(), list.visualRect(entry).center());
    hand_.click(*list.viewport(), list.visualRect(entry).center());
    ASSERT_TRUE(policy.currentText().startsWith(QStringLiteral("modelarts")));
    for (QPushButton* button : dialog->findChildren<QPushButton*>()) {
      if (button->isDefault()) {
        hand_.click(*button);
      }
    }
  }
  ASSERT_TRUE(!ended.isEmpty() || ended.wait(kLong)) << policy.currentText().toStdString();
  const QString outcome = QString::fromStdString(other["jobs"][0]["outcome"]);
  const auto said = [&] {
    const auto labels = window_.findChildren<QLabel*>();
    return std::ranges::any_of(labels, [&](const QLabel* label) {
      return label->isVisible() && label->text().contains(QStringLiteral("B ") + outcome);
    });
  };
  const bool told = QTest::qWaitFor(said, kLong / 4);
  EXPECT_TRUE(told) << outcome.toStdString();
}

TEST_P(FiveQuestions, TheHourAroundTheThirdPreemption) {
  open(QStringLiteral("scenarios/incidents/three_preemptions.json"));
  hand_.think();
  if (by_keys()) {
    for (int i = 0; i < 3; ++i) {
      hand_.press(Qt::Key_N);
    }
    hand_.think();
    hand_.press(Qt::Key_E);
  } else {
    hand_.click(tool(ActionId::kFaultTable));
    auto& faults = *window_.findChild<FaultTable*>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return faults.isVisible(); }));
    QHeaderView& header = *faults.table().horizontalHeader();
    const int time = FaultModel::kTime;
    hand_.click(
        *header.viewport(),
        {header.sectionViewportPosition(time) + header.sectionSize(time) / 2, header.height() / 2});
    const QModelIndex third = faults.shown().index(2, time);
    hand_.double_click(*faults.table().viewport(), faults.table().visualRect(third).center());
    hand_.think();
    hand_.choose(menus(), {QStringLiteral("View"), QStringLiteral("An hour around")});
  }
  // By the scenario the first of each job comes after 2 h, the second after 5 h.
  EXPECT_EQ(shown(), (TimeRange{4 * kHour, 6 * kHour}));
}

TEST_P(FiveQuestions, APictureForASlide) {
  open(testing::kQuickstart);
  QGuiApplication::clipboard()->clear();
  // The dialog has a loop of its own.
  QTimer looks;
  QObject::connect(&looks, &QTimer::timeout, &window_, [&] {
    QWidget* dialog = QApplication::activeModalWidget();
    if (dialog == nullptr || dialog->objectName() != QStringLiteral("slide")) {
      return;
    }
    looks.stop();
    hand_.think();
    if (by_keys()) {
      hand_.press(Qt::Key_O, Qt::AltModifier);
      return;
    }
    const auto buttons = dialog->findChildren<QPushButton*>();
    const auto copy = std::ranges::find_if(buttons, [](const QPushButton* button) {
      return button->text().remove(u'&') == QStringLiteral("Copy");
    });
    hand_.click(**copy);
  });
  looks.start(10);
  hand_.think();
  if (by_keys()) {
    hand_.press(Qt::Key_F1);
    hand_.type(QStringLiteral("slide"));
    hand_.press(Qt::Key_Return);
  } else {
    hand_.choose(menus(), {QStringLiteral("File"), QStringLiteral("Export for slides…")});
  }
  EXPECT_FALSE(looks.isActive());
  const Slide usual;
  EXPECT_EQ(QGuiApplication::clipboard()->image().size(), usual.size * usual.scale);
}

}  // namespace
}  // namespace aftershock::gui
