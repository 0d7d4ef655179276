#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "gui/app/open_run.h"
#include "gui/app/run_again_dialog.h"
#include "tests/gui/app/simulator.h"

namespace aftershock::gui {
namespace {

using testing::kSimulator;

RunAgain quickstart() {
  return made_with(QStringLiteral("ray_train@2026-05"),
                   QStringLiteral(R"({"jobs":[{"policy":{"config":{"max_failures":3}}}]})"), 1);
}

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

TEST(RunAgain, TheDialogBeginsWithTheRunAndTellsWhatIsChanged) {
  RunAgainDialog dialog(list_policies(kSimulator), quickstart(), nullptr);
  auto* policy = dialog.findChild<QComboBox*>();
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
  // Its configuration goes with the policy, not with another one.
  policy->setEditText(QStringLiteral("modelarts@2026-08"));
  EXPECT_TRUE(config->toPlainText().isEmpty());
  EXPECT_EQ(dialog.wish().policy, QStringLiteral("modelarts@2026-08"));
  policy->setEditText(QStringLiteral("ray_train@2.43"));
  EXPECT_TRUE(config->toPlainText().contains(QStringLiteral("max_failures")));
  EXPECT_TRUE(dialog.wish().config.contains(QStringLiteral("max_failures")));
  policy->setEditText(QStringLiteral("ray_trian"));
  EXPECT_FALSE(run->isEnabled());
  EXPECT_TRUE(policy->lineEdit()->accessibleDescription().contains(QStringLiteral("no policy")));
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
    RunAgainDialog dialog(list_policies(kSimulator), quickstart(), nullptr);
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
