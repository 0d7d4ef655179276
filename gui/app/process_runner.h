#pragma once

#include <QObject>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>
#include <QTimer>
#include <memory>
#include <optional>

#include "gui/app/run_progress.h"

namespace aftershock::gui {

/// A scenario to be run through `aftershock run`, or through `aftershock live` where the options
/// have a --backend.
struct RunRequest {
  QString scenario;          ///< its file
  QStringList options = {};  ///< of that command, with their values
  QString record = {};       ///< where the recording is kept; empty for a temporary one
};

/// Whether options, as of a RunRequest, have real processes run.
bool is_live(const QStringList& options);

/// How a run ended.
struct RunEnd {
  bool usable = false;     ///< there is a recording, if perhaps not all of it
  bool cancelled = false;  ///< as the user wished
  QString message = {};    ///< the word on it; empty where all went well
  /// Of the command; none where it did not start, was ended or crashed.
  std::optional<int> exit_code = {};
};

/// The program `aftershock`: beside this one, else in PATH, else what AFTERSHOCK_EXECUTABLE names.
/// Empty where there is none.
QString find_simulator(const QString& own_folder);

/// Runs one scenario at a time in a child process, and watches its recording grow.
class ProcessRunner : public QObject {
  Q_OBJECT

 public:
  /// `simulator` is the program to run, as find_simulator gives it.
  explicit ProcessRunner(QString simulator, QObject* parent = nullptr);
  /// A run that goes on is killed; temporary recordings go with it.
  ~ProcessRunner() override;

  /// Starts; what is wrong comes as `ended`, later.
  void start(const RunRequest& request);
  /// Asks the child to end, and kills it where it does not within two seconds, or within eight
  /// where it has processes of its own to end.
  void cancel();
  [[nodiscard]] bool is_running() const;
  /// The recording of the run that was started last.
  [[nodiscard]] const QString& recording() const { return recording_; }
  /// Whether that one goes when this does.
  [[nodiscard]] bool is_temporary() const { return temporary_; }

 Q_SIGNALS:
  /// The recording has its header: it can be opened while it grows. At most once a run.
  void recording_started(const QString& path);
  /// Time of the run so far; `horizon_us` is 0 where nobody knows how long it will be.
  void progressed(qint64 t_us, qint64 horizon_us);
  /// The child is gone. Comes last, and once for every start.
  void ended(const aftershock::gui::RunEnd& end);

 private:
  void look();
  void finish(int exit_code, QProcess::ExitStatus status);
  void fail_to_start();
  void end_with(const RunEnd& end);
  QString words_of_child();

  QString simulator_;
  std::unique_ptr<QTemporaryDir> folder_;
  int runs_ = 0;
  QProcess process_;
  QTimer clock_;
  QTimer patience_;
  QString recording_;
  QByteArray said_;
  RunProgress progress_;
  bool running_ = false;
  bool temporary_ = false;
  bool cancelled_ = false;
};

}  // namespace aftershock::gui
