#include "gui/app/first_failure.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <optional>
#include <utility>

#include "gui/app/open_run.h"
#include "gui/app/run_title.h"

namespace aftershock::gui {

namespace {

constexpr int kRunPatience_ms = 5000;

QString key(const char* name) { return QString::fromLatin1(name); }

/// The first job alone, to which this happens a step after it has begun to train. Two days are
/// longer than restarts take.
QString with_one_failure(QJsonObject scenario, const QJsonObject& job, const char* kind) {
  const QString name = job[key("name")].toString();
  scenario[key("jobs")] = QJsonArray{job};
  for (const char* other : {"experiments", "expect", "goals", "vary"}) {
    scenario.remove(key(other));
  }
  scenario[key("until")] = key("2d");
  const QString target = QStringLiteral("job:%1/rank:0").arg(name);
  scenario[key("faults")] = QJsonArray{QJsonObject{{key("id"), key("first")},
                                                   {key("kind"), key(kind)},
                                                   {key("target"), target},
                                                   {key("at_step"), 1}}};
  return QString::fromUtf8(QJsonDocument(scenario).toJson(QJsonDocument::Compact));
}

/// The job's reason, where the failure ends it, or keeps it from training for good.
std::optional<QString> end_of(const QString& simulator, const QString& scenario,
                              const RunAgain& wish) {
  const QTemporaryDir folder;
  RunTitle title;
  title.scenario = scenario;
  const auto request = request_again(title, wish, folder.path());
  if (!request) {
    return std::nullopt;
  }
  QProcess run;
  run.start(simulator, QStringList{key("run"), request->scenario} + request->options +
                           QStringList{key("--json"), key("--quiet")});
  if (!run.waitForFinished(kRunPatience_ms)) {
    run.kill();
    run.waitForFinished(kRunPatience_ms);
    return std::nullopt;
  }
  const QJsonObject job =
      QJsonDocument::fromJson(run.readAllStandardOutput()).object()[key("jobs")][0].toObject();
  const QString outcome = job[key("outcome")].toString();
  if (outcome != key("failed") && outcome != key("stuck")) {
    return std::nullopt;
  }
  const QString reason = job[key("reason")].toString();
  return reason.isEmpty() ? outcome : reason;
}

}  // namespace

QStringList unrecovered(const QString& simulator, const QString& scenario, const RunAgain& wish) {
  const QJsonObject all = QJsonDocument::fromJson(scenario.toUtf8()).object();
  const QJsonObject job = all[key("jobs")][0].toObject();
  QStringList warnings;
  if (simulator.isEmpty() || job.isEmpty()) {
    return warnings;
  }
  const std::pair<const char*, QString> failures[] = {
      {"worker_crash", QCoreApplication::translate("RunAgain", "A worker that crashes")},
      {"node_crash", QCoreApplication::translate("RunAgain", "A node that is lost")}};
  for (const auto& [kind, words] : failures) {
    if (const auto reason = end_of(simulator, with_one_failure(all, job, kind), wish)) {
      warnings << QCoreApplication::translate("RunAgain", "%1 ends job %2 under it: %3.")
                      .arg(words, job[key("name")].toString(), *reason);
    }
  }
  return warnings;
}

}  // namespace aftershock::gui
