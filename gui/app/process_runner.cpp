#include "gui/app/process_runner.h"

#include <QDir>
#include <QFileInfo>
#include <QProcessEnvironment>
#include <QStandardPaths>
#include <utility>

#include "base/assert.h"

namespace aftershock::gui {

namespace {

constexpr int kLookEveryMs = 100;
constexpr int kPatienceMs = 2000;
constexpr int kPatienceLiveMs = 8000;
// The output of a child is shown to a person.
constexpr qsizetype kSaidMax = 16384;

// Exit codes of `aftershock run` and `aftershock live`.
QString word_of_exit(int code) {
  switch (code) {
    case 0:
      return {};
    case 1:
      return ProcessRunner::tr("An expectation or an invariant failed.");
    case 3:
      return ProcessRunner::tr("A job is stuck.");
    case 4:
      return ProcessRunner::tr("The run is invalid: a required fault did not bite.");
    case 5:
      return ProcessRunner::tr("The policy's process failed.");
    case 8:
      return ProcessRunner::tr("The run was ended before it came to a result.");
    case 2:
      return ProcessRunner::tr("The scenario or the arguments cannot be used.");
    case 9:
      return ProcessRunner::tr("Memory ran out.");
    default:
      return ProcessRunner::tr("aftershock ended with an internal error (exit code %1).").arg(code);
  }
}

}  // namespace

bool is_live(const QStringList& options) { return options.contains(QStringLiteral("--backend")); }

QString find_simulator(const QString& own_folder) {
  const QString name = QStringLiteral("aftershock");
  QString beside = QStandardPaths::findExecutable(name, {own_folder});
  if (!beside.isEmpty()) {
    return beside;
  }
  QString in_path = QStandardPaths::findExecutable(name);
  if (!in_path.isEmpty()) {
    return in_path;
  }
  const QFileInfo named(qEnvironmentVariable("AFTERSHOCK_EXECUTABLE"));
  return named.isFile() && named.isExecutable() ? named.absoluteFilePath() : QString();
}

ProcessRunner::ProcessRunner(QString simulator, QObject* parent)
    : QObject(parent), simulator_(std::move(simulator)) {
  clock_.setInterval(kLookEveryMs);
  patience_.setSingleShot(true);
  process_.setStandardInputFile(QProcess::nullDevice());
  process_.setStandardOutputFile(QProcess::nullDevice());
  connect(&clock_, &QTimer::timeout, this, &ProcessRunner::look);
  connect(&patience_, &QTimer::timeout, &process_, &QProcess::kill);
  connect(&process_, &QProcess::finished, this, &ProcessRunner::finish);
  connect(&process_, &QProcess::readyReadStandardError, this, &ProcessRunner::words_of_child);
  connect(&process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) {
      fail_to_start();
    }
  });
}

ProcessRunner::~ProcessRunner() {
  process_.disconnect(this);
  if (is_running()) {
    process_.kill();
    process_.waitForFinished();
  }
}

bool ProcessRunner::is_running() const { return running_; }

void ProcessRunner::start(const RunRequest& request) {
  AFTERSHOCK_ASSERT(!running_);
  running_ = true;
  progress_ = {};
  said_.clear();
  cancelled_ = false;
  temporary_ = request.record.isEmpty();
  recording_ = request.record;
  if (temporary_) {
    if (folder_ == nullptr) {
      folder_ = std::make_unique<QTemporaryDir>();
    }
    if (!folder_->isValid()) {
      const QString message =
          tr("There is no place for a recording: %1").arg(folder_->errorString());
      QTimer::singleShot(0, this, [this, message] { end_with({.message = message}); });
      return;
    }
    // The name shows in titles; the folder keeps runs of one scenario apart.
    const QString folder = folder_->filePath(QString::number(++runs_));
    QDir().mkpath(folder);
    recording_ = QStringLiteral("%1/%2.aftershock")
                     .arg(folder, QFileInfo(request.scenario).completeBaseName());
  }
  if (simulator_.isEmpty()) {
    const QString message =
        tr("A scenario is run by the program aftershock, which is neither beside the viewer nor in "
           "PATH; AFTERSHOCK_EXECUTABLE may name it.");
    QTimer::singleShot(0, this, [this, message] { end_with({.message = message}); });
    return;
  }
  // A recording of an earlier run must not be taken for this one's.
  QFile::remove(recording_);
  const bool live = is_live(request.options);
  patience_.setInterval(live ? kPatienceLiveMs : kPatienceMs);
  process_.start(simulator_, QStringList{live ? QStringLiteral("live") : QStringLiteral("run"),
                                         request.scenario, QStringLiteral("--quiet"),
                                         QStringLiteral("--record"), recording_} +
                                 request.options);
  clock_.start();
}

void ProcessRunner::cancel() {
  if (process_.state() == QProcess::NotRunning) {
    return;
  }
  cancelled_ = true;
  process_.terminate();
  patience_.start();
}

void ProcessRunner::look() {
  const bool had_header = progress_.has_header;
  progress_ = look_at_recording(recording_.toStdString(), progress_);
  if (progress_.has_header && !had_header) {
    Q_EMIT recording_started(recording_);
  }
  if (progress_.has_header) {
    Q_EMIT progressed(progress_.t_us, progress_.horizon_us.value_or(0));
  }
}

QString ProcessRunner::words_of_child() {
  said_ += process_.readAllStandardError();
  said_.truncate(kSaidMax);
  return QString::fromUtf8(said_).trimmed();
}

void ProcessRunner::finish(int exit_code, QProcess::ExitStatus status) {
  look();
  RunEnd end;
  end.usable = progress_.has_header;
  end.cancelled = cancelled_;
  if (cancelled_) {
    end.message = tr("The run was stopped.");
  } else if (status == QProcess::CrashExit) {
    end.message = tr("aftershock ended by a signal.");
  } else {
    end.message = word_of_exit(exit_code);
    end.exit_code = exit_code;
  }
  const QString words = words_of_child();
  if (!cancelled_ && !words.isEmpty()) {
    end.message += (end.message.isEmpty() ? QString() : QStringLiteral("\n")) + words;
  }
  end_with(end);
}

void ProcessRunner::fail_to_start() {
  end_with({.message = tr("%1 cannot be started: %2").arg(simulator_, process_.errorString())});
}

void ProcessRunner::end_with(const RunEnd& end) {
  clock_.stop();
  patience_.stop();
  running_ = false;
  Q_EMIT ended(end);
}

}  // namespace aftershock::gui
