#include <QAccessible>
#include <QApplication>
#include <QLayout>
#include <QSettings>
#include <QTemporaryDir>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "gui/app/arguments.h"
#include "gui/app/change_watch.h"
#include "gui/app/comparison.h"
#include "gui/app/context_menu.h"
#include "gui/app/exports.h"
#include "gui/app/follow.h"
#include "gui/app/keeper.h"
#include "gui/app/main_window.h"
#include "gui/app/map_panel.h"
#include "gui/app/recognise.h"
#include "gui/app/replay_controls.h"
#include "gui/app/screenshot.h"
#include "gui/app/settings.h"
#include "gui/app/side_panels.h"
#include "gui/app/verdict_header.h"
#include "gui/app/workspace.h"
#include "gui/timeline/accessible_timeline.h"

namespace {

using namespace aftershock::gui;

/// As `aftershock run` where it was ended before it came to a result.
constexpr int kNoResult = 8;

void complain(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fputc('\n', stderr);
}

/// Whether there is a screen; Qt would abort where there is none.
bool has_screen() {
  return qEnvironmentVariableIsSet("QT_QPA_PLATFORM") || !qEnvironmentVariableIsEmpty("DISPLAY") ||
         !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY");
}

/// Without a screen there is nobody to tell of sizes, and no folder of a session.
void pass_over_platform(QtMsgType /*type*/, const QMessageLogContext& /*where*/,
                        const QString& message) {
  if (!message.startsWith(QStringLiteral("This plugin does not support ")) &&
      !message.startsWith(QStringLiteral("QStandardPaths: "))) {
    complain(message.toStdString());
  }
}

/// How the run of a scenario ended, for whoever started the viewer.
class Verdict {
 public:
  /// Of the run that `window` has begun; without one there is nothing to fail.
  explicit Verdict(const MainWindow& window) {
    if (window.run(0).runner == nullptr) {
      return;
    }
    code_ = kNoResult;
    QObject::connect(window.run(0).runner.get(), &ProcessRunner::ended, &window,
                     [this](const RunEnd& end) {
                       code_ = end.exit_code.value_or(kNoResult);
                       words_ = code_ == 0 ? QString() : end.message;
                     });
  }
  [[nodiscard]] int code() const { return code_; }
  /// The exit code, and said what is wrong.
  [[nodiscard]] int say() const {
    if (!words_.isEmpty()) {
      complain(words_.toStdString());
    }
    return code_;
  }

 private:
  int code_ = 0;
  QString words_;
};

/// A line about each file that cannot be shown; nothing where all can.
std::string problems_of(const std::vector<std::string>& files) {
  std::string problems;
  for (const std::string& file : files) {
    if (const Recognised found = recognise_file(file); found.use == FileUse::kNeither) {
      problems += (problems.empty() ? "" : "\n") + found.problem;
    }
  }
  return problems;
}

/// Opens them, unless there is something wrong with one.
void open_files(MainWindow& window, const Arguments& arguments, const std::string& problems) {
  if (!problems.empty()) {
    return;
  }
  QStringList options;
  for (const std::string& word : arguments.run_options) {
    options << QString::fromStdString(word);
  }
  for (std::size_t i = 0; i < arguments.files.size(); ++i) {
    window.open_file(QString::fromStdString(arguments.files[i]), static_cast<int>(i), options,
                     QString::fromStdString(i == 0 ? arguments.record : std::string()));
  }
}

/// Shows the window until it is closed; the exit code.
int wait_for_close(MainWindow& window, const std::string& problems) {
  if (!problems.empty()) {
    // A user who opens a file by a click sees no terminal.
    window.say(QString::fromStdString(problems));
  }
  const int code = QApplication::exec();
  return problems.empty() ? code : kUnusable;
}

int show(const Arguments& arguments, const std::string& problems) {
  int count = 1;
  std::string name = "aftershock-viewer";
  char* words[] = {name.data(), nullptr};
  const QApplication application(count, words);
  QApplication::setApplicationName(QStringLiteral("aftershock-viewer"));
  QApplication::setApplicationDisplayName(QString());
  QGuiApplication::setDesktopFileName(QStringLiteral("aftershock-viewer"));
  const bool is_picture = !arguments.screenshot.empty();
  // A picture is the same for everyone, and nothing is remembered of it.
  std::optional<QTemporaryDir> no_settings;
  if (is_picture) {
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, no_settings.emplace().path());
  }
  QAccessible::installFactory(accessible_timeline);
  Settings settings;
  if (arguments.theme) {
    settings.set_theme(*arguments.theme);
  }
  if (arguments.scale_percent) {
    settings.set_scale_percent(*arguments.scale_percent);
  }
  MainWindow window(settings, find_simulator(QApplication::applicationDirPath()));
  Workspace workspace(window);
  const SidePanels panels(window, workspace);
  const Comparison comparison(window, workspace);
  new ContextMenu(window, workspace);
  // A picture is the same for everyone: what a user keeps of a run is not in it.
  Keeper keeper(window, workspace, is_picture ? Keeping::kNothing : Keeping::kAll);
  add_map_panel(window, workspace);
  const Exports exports(window, workspace);
  const Follow follow(window, workspace);
  const ReplayControls replay(window, workspace);
  const ChangeWatch changes(window, workspace);
  const VerdictHeader verdicts(window, workspace);
  if (is_picture) {
    // As large as was asked for, also where all of it has no room.
    window.layout()->setSizeConstraint(QLayout::SetNoConstraint);
    window.setMinimumSize(1, 1);
    window.resize(arguments.width, arguments.height);
  } else {
    window.restore_window();
  }
  window.show();
  open_files(window, arguments, problems);
  Verdict verdict(window);
  if (is_picture) {
    const int code = take_screenshot(window, workspace, arguments);
    // The error was told with the picture.
    return code == 0 && arguments.verdict ? verdict.code() : code;
  }
  if (has_place(arguments)) {
    // Only of what was named with it: files that are opened later have places of their own.
    keeper.leave_next_view();
    QObject::connect(
        &workspace, &Workspace::session_finished, &window,
        [&] {
          if (const std::string problem = go_to_place(workspace, arguments); !problem.empty()) {
            window.say(QString::fromStdString(problem));
          }
        },
        Qt::SingleShotConnection);
  }
  const int code = wait_for_close(window, problems);
  return code == 0 && arguments.verdict ? verdict.say() : code;
}

}  // namespace

int main(int count, char** words) {
  const ParsedArguments parsed = parse_arguments(count, words);
  if (parsed.exit) {
    std::fputs(parsed.exit->text.c_str(), parsed.exit->code == 0 ? stdout : stderr);
    return parsed.exit->code;
  }
  const std::string problems = problems_of(parsed.arguments.files);
  if (!problems.empty()) {
    complain(problems);
    if (!parsed.arguments.screenshot.empty() || !has_screen()) {
      return kUnusable;
    }
  }
  // A picture is the same with a screen and without.
  if (!parsed.arguments.screenshot.empty()) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    qInstallMessageHandler(pass_over_platform);
  }
  if (!has_screen()) {
    complain("there is no screen: neither DISPLAY nor WAYLAND_DISPLAY is set");
    return kUnusable;
  }
  return show(parsed.arguments, problems);
}
