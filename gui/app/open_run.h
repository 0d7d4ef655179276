#pragma once

#include <QString>
#include <QStringList>
#include <QTemporaryDir>
#include <memory>
#include <optional>

#include "gui/app/process_runner.h"
#include "gui/app/run_bar.h"
#include "gui/app/run_title.h"

namespace aftershock::gui {

struct RunAgain;

/// One of the two runs that a window has open.
struct OpenRun {
  QString path = {};       ///< of its recording; empty while nothing is open
  bool temporary = false;  ///< the recording goes with the window
  bool growing = false;    ///< it is being written
  std::optional<RunTitle> title = {};
  QStringList reopen = {};  ///< options and file that open it again; empty where nothing does
  std::unique_ptr<ProcessRunner> runner = {};
  std::unique_ptr<QTemporaryDir> inputs = {};  ///< files that a run again is made from
  RunBar* bar = nullptr;
};

/// The files and arguments to run the scenario of `title` again as `wish` says, written to
/// `folder`. Without a value where they cannot be written.
std::optional<RunRequest> request_again(const RunTitle& title, const RunAgain& wish,
                                        const QString& folder);

/// The words of a command that opens `first`, and `second` where that can be said beside it, again:
/// options hold for both. `view` are further options, such as a place to go to. Empty where nothing
/// opens `first` again.
QStringList reproducing_command(const OpenRun& first, const OpenRun& second,
                                const QStringList& view);

/// Whether that command opens the second run, too.
bool opens_both(const OpenRun& first, const OpenRun& second);

/// The words of a run's program, with the run's name where it tells of a file that is made for it
/// and nobody has seen.
QString named_words(const OpenRun& run, const QString& words);

/// "aftershock-viewer 'my run.aftershock'": each word as a POSIX shell reads it back.
QString shell_command(const QStringList& words);

}  // namespace aftershock::gui
