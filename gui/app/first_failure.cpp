#include "gui/app/first_failure.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <algorithm>
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
  // The last rank: what the first one's node has beside it, such as a store, is another matter.
  const qint64 last = std::max<qint64>(1, job[key("workers")].toInteger(1)) - 1;
  const QString target = QStringLiteral("job:%1/rank:%2").arg(name).arg(last);
  scenario[key("faults")] = QJsonArray{QJsonObject{{key("id"), key("first")},
                                                   {key("kind"), key(kind)},
                                                   {key("target"), target},
                                                   {key("at_step"), 1}}};
  return QString::fromUtf8(QJsonDocument(scenario).toJson(QJsonDocument::Compact));
}

/// The outcome of a job with one failure.
struct Tried {
  std::optional<QString> ended_by;  ///< where it ends the job, or keeps it from training for good
  QString refusal;                  ///< why it could not be tried
};

Tried try_once(const QString& simulator, const QString& scenario, const RunAgain& wish) {
  const QTemporaryDir folder;
  RunTitle title;
  title.scenario = scenario;
  const auto request = request_again(title, wish, folder.path());
  if (!request) {
    return {};
  }
  QProcess run;
  run.start(simulator, QStringList{key("run"), request->scenario} + request->options +
                           QStringList{key("--json"), key("--quiet")});
  if (!run.waitForFinished(kRunPatience_ms)) {
    run.kill();
    run.waitForFinished(kRunPatience_ms);
    return {};
  }
  constexpr int kUnusable = 2;
  if (run.exitStatus() == QProcess::NormalExit && run.exitCode() == kUnusable) {
    // The user has not seen the file that it names.
    const QString told = QString::fromUtf8(run.readAllStandardError()).section(u'\n', 0, 0);
    return {.ended_by = {}, .refusal = told.section(QStringLiteral(": "), 1)};
  }
  const QJsonObject job =
      QJsonDocument::fromJson(run.readAllStandardOutput()).object()[key("jobs")][0].toObject();
  const QString outcome = job[key("outcome")].toString();
  if (outcome != key("failed") && outcome != key("stuck")) {
    return {};
  }
  const QString reason = job[key("reason")].toString();
  return {.ended_by = reason.isEmpty() ? outcome : reason, .refusal = {}};
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
    const Tried tried = try_once(simulator, with_one_failure(all, job, kind), wish);
    if (!tried.refusal.isEmpty()) {
      return {tried.refusal};
    }
    if (tried.ended_by) {
      warnings << QCoreApplication::translate("RunAgain", "%1 ends job %2 under it: %3.")
                      .arg(words, job[key("name")].toString(), *tried.ended_by);
    }
  }
  return warnings;
}

}  // namespace aftershock::gui
