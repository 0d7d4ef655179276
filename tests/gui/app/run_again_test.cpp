#include <QComboBox>
#include <QJsonValue>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "gui/app/first_failure.h"
#include "gui/app/open_run.h"
#include "gui/app/policy_settings.h"
#include "gui/app/run_again_dialog.h"
#include "gui/app/settings_table.h"
#include "tests/gui/app/simulator.h"

namespace aftershock::gui {
namespace {

using testing::kSimulator;

RunAgain quickstart() {
  return made_with(QStringLiteral("ray_train@2026-05"),
                   QStringLiteral(R"({"jobs":[{"policy":{"config":{"max_failures":3}}}]})"), 1);
}

constexpr const char* kOneJob = R"({"schema":1,"name":"s","jobs":[
  {"name":"llm","workers":2,"steps":100,"step":"10s","policy":{"name":"ray_train"}}],
  "faults":[{"kind":"node_crash","target":"node:p-1","at":"1h"}],
  "expect":[{"at":"/jobs/0/outcome","is":"failed"}],
  "cluster":{"pools":[{"name":"p","nodes":2,"spares":1,"accelerators":{"per_node":1}}]}})";

TEST(RunAgain, WantsSomethingThatCanBeTried) {
  const std::vector<PolicyChoice> known{
      {QStringLiteral("ray_train"), {}, {QStringLiteral("2026-05"), QStringLiteral("2.43")}}};
  const QString policy = QStringLiteral("ray_train@2026-05");
  const QString one = QStringLiteral("1");
  const RunAgain now{policy, QStringLiteral("{}"), one};
  struct Case {
    RunAgain wish;
    RunField field;
    const char* problem;  // a part of it; empty where there is none
  };
  using enum RunField;
  for (const Case& c : {
           Case{{QStringLiteral("ray_train"), {}, one}, kWhole, ""},
           Case{{policy, QStringLiteral("{}"), QStringLiteral("7")}, kWhole, ""},
           Case{{policy, QStringLiteral("{\"max_failures\": 3}"), one}, kWhole, ""},
           Case{now, kWhole, "change something"},
           Case{{QStringLiteral("ray"), {}, one}, kPolicy, "there are ray_train"},
           Case{{QStringLiteral("ray_train@9"), {}, one}, kPolicy, "it has 2026-05, 2.43"},
           Case{{{}, {}, one}, kPolicy, "Choose a policy"},
           Case{{policy, QStringLiteral("{\n{"), {}}, kConfig, "in line 2"},
           Case{{policy, QStringLiteral("[]"), one}, kConfig, "No JSON object"},
           Case{{policy, {}, QStringLiteral("-1")}, kSeed, "whole number"},
           Case{{policy, {}, {}}, kSeed, "whole number"},
           Case{{policy, {}, QStringLiteral("18446744073709551616")}, kSeed, "whole number"},
       }) {
    const RunProblem got = problem_of(c.wish, now, known);
    EXPECT_EQ(got.field, c.field) << got.text.toStdString();
    EXPECT_EQ(got.text.isEmpty(), *c.problem == '\0') << got.text.toStdString();
    EXPECT_TRUE(got.text.contains(QLatin1StringView(c.problem))) << got.text.toStdString();
  }
  // The policies are unknown here, so any may be right.
  EXPECT_TRUE(problem_of({QStringLiteral("x"), {}, one}, now, {}).text.isEmpty());
}

TEST(RunAgain, KnowsThePoliciesAndWhatTheRunWasMadeWith) {
  const std::vector<PolicyChoice> policies = list_policies(kSimulator);
  const PolicyChoice* ray = policy_named(policies, QStringLiteral("ray_train@2026-05"));
  ASSERT_NE(ray, nullptr);
  EXPECT_TRUE(ray->profiles.contains(QStringLiteral("2026-05")));
  EXPECT_FALSE(ray->summary.isEmpty());
  EXPECT_NE(policy_named(policies, QStringLiteral("modelarts")), nullptr);
  EXPECT_EQ(policy_named(policies, QString()), nullptr);
  EXPECT_TRUE(list_policies(QString()).empty());
  EXPECT_TRUE(quickstart().config.contains(QStringLiteral("\"max_failures\": 3")));
  EXPECT_EQ(made_with({}, QStringLiteral("nonsense"), 7), (RunAgain{{}, {}, QStringLiteral("7")}));
}

QComboBox* list_named(const RunAgainDialog& dialog, const char* name) {
  const auto lists = dialog.findChildren<QComboBox*>();
  const auto found = std::ranges::find(lists, QString::fromUtf8(name), &QComboBox::accessibleName);
  return found == lists.end() ? nullptr : *found;
}

bool told(const RunAgainDialog& dialog, const char* words) {
  const auto labels = dialog.findChildren<QLabel*>();
  return std::ranges::any_of(labels, [&](const QLabel* label) {
    return label->text().contains(QString::fromUtf8(words));
  });
}

TEST(RunAgain, SettingsAreCarriedOverToTheirNamesakes) {
  const PolicySettings ray = settings_of_policy(kSimulator, QStringLiteral("ray_train@2026-11"));
  ASSERT_FALSE(ray.presets.empty());
  QStringList left;
  const QJsonObject carried = carried_over(
      {{QStringLiteral("num_to_keep"), 2}, {QStringLiteral("backoffLimit"), 6}}, ray, left);
  EXPECT_EQ(left, QStringList{QStringLiteral("backoffLimit")});
  EXPECT_EQ(carried[QStringLiteral("num_to_keep")], 2);
  EXPECT_EQ(carried[QStringLiteral("max_failures")],
            ray.presets.front().config[QStringLiteral("max_failures")]);
  EXPECT_TRUE(settings_of_policy(kSimulator, QStringLiteral("--help")).settings.empty());
  EXPECT_TRUE(settings_of_policy(QString(), QStringLiteral("ray_train")).settings.empty());
}

TEST(RunAgain, AWishThatRecoversNothingIsTold) {
  const QString scenario = QString::fromUtf8(kOneJob);
  struct Case {
    const char* policy;
    const char* config;
    const char* warnings;
  };
  for (
      const Case& c : {
          Case{"ray_train", R"({"max_failures": 3})", ""},
          Case{"ray_train:defaults", "",
               "A worker that crashes ends job llm under it: exhausted(max_failures).\n"
               "A node that is lost ends job llm under it: exhausted(max_failures)."},
          // Its budget lies within a setting, or is missing.
          Case{
              "job",
              R"({"spec": {"completionMode": "Indexed", "completions": 2, "parallelism": 2, "backoffLimit": 0}})",
              "A worker that crashes ends job llm under it: exhausted(backoffLimit).\n"
              "A node that is lost ends job llm under it: exhausted(backoffLimit)."},
          Case{
              "jobset",
              R"({"spec": {"replicatedJobs": [{"name": "w", "template": {"spec": {"completionMode": "Indexed", "completions": 2, "parallelism": 2, "backoffLimit": 0}}}]}})",
              "A worker that crashes ends job llm under it: gave_up(jobset.failure.no_policy).\n"
              "A node that is lost ends job llm under it: gave_up(jobset.failure.no_policy)."},
          Case{"ray_train", R"({"no such": 1})",
               "/jobs/0/policy/config/no such: no such setting; expected a setting of ray_train"},
      }) {
    const QString got =
        unrecovered(kSimulator, scenario,
                    {.policy = QString::fromUtf8(c.policy), .config = QString::fromUtf8(c.config)})
            .join(u'\n');
    EXPECT_EQ(got.toStdString(), c.warnings) << c.policy << " " << c.config;
  }
  EXPECT_TRUE(unrecovered(QString(), scenario, {}).isEmpty());
  EXPECT_TRUE(unrecovered(kSimulator, QStringLiteral("{}"), {}).isEmpty());
}

TEST(RunAgain, ValuesAreTypedAsJsonOrAsWords) {
  for (const char* text : {"3", "true", "[1,2]", "{\"a\":1}", "max", "\"3\"", "60s", "a,b", ""}) {
    const QString typed = QString::fromUtf8(text);
    EXPECT_EQ(value_text(typed_value(typed)), typed);
  }
  EXPECT_EQ(typed_value(QStringLiteral(" 3 ")), QJsonValue(3));
  EXPECT_EQ(typed_value(QStringLiteral("\"3\"")), QJsonValue(QStringLiteral("3")));
  EXPECT_EQ(typed_value(QStringLiteral("1,2")), QJsonValue(QStringLiteral("1,2")));
}

TEST(RunAgain, TheTableOfSettingsWritesTheConfiguration) {
  RunAgainDialog dialog(kSimulator, list_policies(kSimulator), quickstart(), QString(), nullptr);
  auto* table = dialog.findChild<SettingsTable*>();
  auto* config = dialog.findChild<QPlainTextEdit*>();
  const auto value_of = [&](const char* name) -> QTableWidgetItem* {
    for (int row = 0; row < table->rowCount(); ++row) {
      if (table->item(row, SettingsTable::kSetting)->text() == QString::fromUtf8(name)) {
        return table->item(row, SettingsTable::kValue);
      }
    }
    return nullptr;
  };
  ASSERT_NE(value_of("max_failures"), nullptr);
  EXPECT_EQ(value_of("max_failures")->text(), QStringLiteral("3"));
  value_of("max_failures")->setText(QStringLiteral("0"));
  value_of("num_to_keep")->setText(QStringLiteral("2"));
  value_of("max_failures")->setText(QString());
  EXPECT_EQ(dialog.wish().config.simplified(), QStringLiteral("{ \"num_to_keep\": 2 }"));
  config->setPlainText(QStringLiteral("{\"max_failures\": 7}"));
  EXPECT_EQ(value_of("max_failures")->text(), QStringLiteral("7"));
  EXPECT_EQ(value_of("num_to_keep")->text(), QString());
  config->setPlainText(QStringLiteral("{"));
  EXPECT_EQ(value_of("max_failures")->text(), QStringLiteral("7"));
  EXPECT_FALSE(table->isEnabled()) << "a value would take the place of the text";
  // A preset takes the place of all.
  auto* preset = list_named(dialog, "Preset");
  ASSERT_GT(preset->count(), 1);
  Q_EMIT preset->activated(0);
  EXPECT_EQ(value_of("max_failures")->text(), QStringLiteral("3"));
  // Without a setting it runs with the defaults that the table tells.
  config->setPlainText(QStringLiteral("{}"));
  EXPECT_EQ(dialog.wish().policy, QStringLiteral("ray_train@2026-05:defaults"));
  EXPECT_EQ(dialog.wish().config, QString());
  // Values that were typed go along to another policy, too.
  config->setPlainText(QStringLiteral("{\"max_failures\": 7, \"num_to_keep\": 2}"));
  list_named(dialog, "Policy")->setEditText(QStringLiteral("torchrun@2026-08"));
  EXPECT_TRUE(told(dialog, "Not carried over, as torchrun has no such settings: max_failures"));
  EXPECT_FALSE(dialog.wish().config.contains(QStringLiteral("num_to_keep")));
}

TEST(RunAgain, TheDialogBeginsWithTheRunAndTellsWhatIsChanged) {
  RunAgainDialog dialog(kSimulator, list_policies(kSimulator), quickstart(), QString(), nullptr);
  auto* policy = list_named(dialog, "Policy");
  ASSERT_NE(policy, nullptr);
  auto* config = dialog.findChild<QPlainTextEdit*>();
  auto* seed = dialog.findChildren<QLineEdit*>().back();
  QPushButton* run = nullptr;
  for (auto* button : dialog.findChildren<QPushButton*>()) {
    run = button->text().remove(u'&') == QStringLiteral("Run") ? button : run;
  }
  ASSERT_NE(run, nullptr);
  EXPECT_FALSE(run->isEnabled()) << "nothing is another";
  EXPECT_EQ(dialog.wish(), RunAgain());
  seed->setText(QStringLiteral("7"));
  EXPECT_TRUE(run->isEnabled());
  EXPECT_EQ(dialog.wish(), (RunAgain{{}, {}, QStringLiteral("7")}));
  // Its configuration goes with the policy; to another one goes what that has, too.
  policy->setEditText(QStringLiteral("modelarts@2026-08"));
  EXPECT_FALSE(config->toPlainText().contains(QStringLiteral("max_failures")));
  EXPECT_TRUE(told(dialog, "Not carried over, as modelarts has no such settings: max_failures."));
  EXPECT_EQ(dialog.wish().policy, QStringLiteral("modelarts@2026-08"));
  policy->setEditText(QStringLiteral("ray_train@2.43"));
  EXPECT_TRUE(config->toPlainText().contains(QStringLiteral("max_failures")));
  EXPECT_TRUE(dialog.wish().config.contains(QStringLiteral("max_failures")));
  policy->setEditText(QStringLiteral("ray_trian"));
  EXPECT_FALSE(run->isEnabled());
  EXPECT_TRUE(policy->lineEdit()->accessibleDescription().contains(QStringLiteral("no policy")));
}

TEST(RunAgain, TheDialogTellsOfAWishThatRecoversNothing) {
  const RunAgain now =
      made_with(QStringLiteral("ray_train@2026-11"), QString::fromUtf8(kOneJob), 1);
  RunAgainDialog dialog(kSimulator, list_policies(kSimulator), now, QString::fromUtf8(kOneJob),
                        nullptr);
  dialog.show();
  auto* config = dialog.findChild<QPlainTextEdit*>();
  config->setPlainText(QStringLiteral("{\"max_failures\": 0}"));
  const char* words = "A worker that crashes ends job llm under it: exhausted(max_failures).";
  EXPECT_TRUE(QTest::qWaitFor([&] { return told(dialog, words); }, testing::kLong));
  config->setPlainText(QStringLiteral("{\"max_failures\": 2}"));
  EXPECT_TRUE(QTest::qWaitFor([&] { return !told(dialog, words); }, testing::kLong));
}

/// The first label that is cut off or lies over the field; empty where all have room.
std::string without_room(const RunAgainDialog& dialog, const QWidget& field) {
  const QRect place(field.mapTo(&dialog, QPoint()), field.size());
  for (const QLabel* label : dialog.findChildren<QLabel*>()) {
    const QRect own(label->mapTo(&dialog, QPoint()), label->size());
    if (label->isVisible() && !label->text().isEmpty() &&
        (own.intersects(place) || own.height() < label->heightForWidth(own.width()))) {
      return label->text().toStdString();
    }
  }
  return {};
}

// Texts of any length, at any size of text.
TEST(RunAgain, TheDialogHasRoomForItsWords) {
  for (const double points : {9.0, 13.5}) {
    RunAgainDialog dialog(kSimulator, list_policies(kSimulator), quickstart(), QString(), nullptr);
    QFont font = dialog.font();
    font.setPointSizeF(points);
    dialog.setFont(font);
    dialog.show();
    auto* config = dialog.findChild<QPlainTextEdit*>();
    const int height = config->height();
    for (const char* text : {"{", "[]", "{}"}) {
      config->setPlainText(QString::fromUtf8(text));
      EXPECT_TRUE(QTest::qWaitFor([&] { return without_room(dialog, *config).empty(); }, 2000))
          << points << " " << text << ": " << without_room(dialog, *config);
      EXPECT_EQ(config->height(), height);
    }
  }
}

TEST(RunAgain, WordsOfARunThatWasMadeHereAreAboutTheRun) {
  OpenRun run;
  const QString words = QStringLiteral("failed");
  EXPECT_EQ(named_words(run, words), words);
  run.inputs = std::make_unique<QTemporaryDir>();
  run.title = RunTitle{.name = QStringLiteral("mine")};
  const QString file = run.inputs->path() + QStringLiteral("/again.json");
  EXPECT_EQ(named_words(run, file + QStringLiteral(":12: /jobs\n") + file + QStringLiteral(": x")),
            QStringLiteral("mine: /jobs\nmine: x"));
}

}  // namespace
}  // namespace aftershock::gui
