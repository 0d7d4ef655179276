#include "gui/app/main_window.h"

#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QDir>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMenuBar>
#include <QMimeData>
#include <QStackedWidget>
#include <QStatusBar>
#include <QToolBar>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "gui/actions/command_palette.h"
#include "gui/actions/key_sheet.h"
#include "gui/app/icon.h"
#include "gui/app/message_bar.h"
#include "gui/app/recognise.h"
#include "gui/app/run_again_dialog.h"
#include "gui/app/settings.h"
#include "gui/app/welcome_page.h"

namespace aftershock::gui {

namespace {

/// The table of actions, with the user's keys; what is wrong with those goes to `problems`.
std::vector<ActionSpec> table_with_keys(const Settings& settings, QStringList& problems) {
  std::vector<ActionSpec> table = action_table();
  problems = apply_key_overrides(table, settings.keys());
  return table;
}

}  // namespace

MainWindow::MainWindow(Settings& settings, QString simulator)
    : settings_(settings),
      simulator_(std::move(simulator)),
      tools_(addToolBar(tr("Tools"))),
      pages_(new QStackedWidget),
      message_(new MessageBar),
      font_points_(QApplication::font().pointSizeF()) {
  setWindowIcon(application_icon());
  setAcceptDrops(true);
  setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
  resize(1280, 800);
  QStringList key_problems;
  actions_ = new ActionSet(this, table_with_keys(settings, key_problems));
  actions_->fill_menus(*menuBar());
  palette_ = new CommandPalette(*actions_, this);
  keys_ = new KeySheet(*actions_, this);
  welcome_ = new WelcomePage(actions_->action(ActionId::kOpenFile));
  welcome_->set_recent(settings_.recent());
  connect(welcome_, &WelcomePage::chosen, this,
          [this](const QString& path) { open_file(path, 0); });
  pages_->addWidget(welcome_);
  auto* centre = new QWidget(this);
  auto* layout = new QVBoxLayout(centre);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(message_);
  layout->addWidget(pages_, 1);
  setCentralWidget(centre);
  for (OpenRun& run : runs_) {
    run.bar = new RunBar(this);
    // Not hidden by what the status bar says of menus.
    statusBar()->addPermanentWidget(run.bar);
    connect(run.bar, &RunBar::stop_asked, this, [bar = run.bar, this] {
      for (const OpenRun& one : runs_) {
        if (one.bar == bar && one.runner != nullptr) {
          one.runner->cancel();
        }
      }
    });
  }
  // A run that begins or ends must not move the document.
  statusBar()->setMinimumHeight(
      std::max(statusBar()->sizeHint().height(), runs_[0].bar->sizeHint().height() + 4));
  handle_file_actions();
  handle_window_actions();
  fill_tools();
  set_theme(settings_.theme());
  set_scale(settings_.scale_percent());
  update_shown();
  if (!key_problems.isEmpty()) {
    say(key_problems.join(u'\n'));
  }
}

MainWindow::~MainWindow() {
  // Their signals must not find a window that is half gone.
  for (OpenRun& run : runs_) {
    run.runner.reset();
  }
  for (const QDockWidget* panel : panels_) {
    disconnect(panel, nullptr, this, nullptr);
  }
}

void MainWindow::handle_file_actions() {
  using enum ActionId;
  actions_->handle(kOpenFile, [this] { ask_and_open(0); });
  actions_->handle(kOpenSecond, [this] { ask_and_open(1); });
  actions_->handle(kReload, [this] {
    for (int i = 0; i < 2; ++i) {
      reload(i);
    }
  });
  actions_->handle(kRunAgain, [this] { ask_and_run_again(); });
  actions_->handle(kStopRun, [this] {
    for (const OpenRun& run : runs_) {
      if (run.runner != nullptr) {
        run.runner->cancel();
      }
    }
  });
  actions_->handle(kCopyCommand, [this] { copy_command(); });
  actions_->handle(kClose, [this] { close_run(run(1).path.isEmpty() ? 0 : 1); });
  actions_->handle(kQuit, [this] { close(); });
}

void MainWindow::reload(int run) {
  OpenRun& open = runs_.at(static_cast<std::size_t>(run));
  if (open.path.isEmpty()) {
    return;
  }
  // A part that has been read is better than nothing.
  if (const Recognised found = recognise_file(open.path.toStdString());
      found.use != FileUse::kRecording) {
    say(tr("%1\nWhat was read of it before is shown.").arg(QString::fromStdString(found.problem)));
    return;
  }
  message_->hide();
  adopt(open, open.path);
}

void MainWindow::set_document(QWidget* document) {
  document_ = document;
  pages_->addWidget(document);
  update_shown();
}

void MainWindow::add_bar(QWidget* bar) {
  static_cast<QVBoxLayout*>(centralWidget()->layout())->insertWidget(1, bar);
}

void MainWindow::ask_and_open(int run) {
  const QString title = run == 0 ? tr("Open") : tr("Open second run");
  const QString path = QFileDialog::getOpenFileName(
      this, title, QFileInfo(this->run(0).path).path(),
      tr("Recordings and scenarios (*.aftershock *.aftershock.zst *.json);;All files (*)"));
  if (!path.isEmpty()) {
    open_file(path, run);
  }
}

void MainWindow::open_file(const QString& given, int run, const QStringList& run_options,
                           const QString& record) {
  AFTERSHOCK_ASSERT(run == 0 || run == 1);
  // A command that is copied works from any folder.
  const QString path = QFileInfo(given).absoluteFilePath();
  const Recognised found = recognise_file(QDir::toNativeSeparators(given).toStdString());
  if (found.use == FileUse::kNeither) {
    say(QString::fromStdString(found.problem));
    return;
  }
  message_->hide();
  settings_.add_recent(path);
  welcome_->set_recent(settings_.recent());
  OpenRun& open = runs_.at(static_cast<std::size_t>(run));
  if (found.use == FileUse::kScenario) {
    start_run(run, {.scenario = path, .options = run_options, .record = record},
              QFileInfo(path).completeBaseName());
    open.reopen = record.isEmpty() ? run_options + QStringList{path} : QStringList{record};
    return;
  }
  open.runner.reset();
  open.bar->hide();
  open.temporary = false;
  open.growing = false;
  open.reopen = QStringList{path};
  adopt(open, path);
}

void MainWindow::start_run(int run, const RunRequest& request, const QString& name) {
  OpenRun& open = runs_.at(static_cast<std::size_t>(run));
  open.runner = std::make_unique<ProcessRunner>(simulator_);
  ProcessRunner* runner = open.runner.get();
  // Runs may be swapped meanwhile: the owner of this runner is the one meant.
  const auto owner = [this, runner]() -> OpenRun& {
    return runs_[0].runner.get() == runner ? runs_[0] : runs_[1];
  };
  connect(runner, &ProcessRunner::recording_started, this, [this, owner](const QString& path) {
    owner().temporary = owner().runner->is_temporary();
    owner().growing = true;
    adopt(owner(), path);
  });
  connect(runner, &ProcessRunner::progressed, this, [owner](qint64 t_us, qint64 horizon_us) {
    owner().bar->show_progress(t_us, horizon_us);
  });
  connect(runner, &ProcessRunner::ended, this,
          [this, owner](const RunEnd& end) { end_run(owner(), end); });
  open.bar->begin(name);
  runner->start(request);
  update_shown();
}

int MainWindow::number_of(const OpenRun& run) const { return &run == runs_.data() ? 0 : 1; }

void MainWindow::adopt(OpenRun& run, const QString& path) {
  run.path = path;
  run.title = read_run_title(path.toStdString());
  update_shown();
  Q_EMIT run_opened(number_of(run), path, run.growing, run.temporary);
}

void MainWindow::end_run(OpenRun& run, const RunEnd& end) {
  run.bar->hide();
  // The scenario's requirements are about the run that it was written for; another policy may end
  // before its faults.
  constexpr int kInvalid = 4;
  const bool is_note = run.inputs != nullptr && end.exit_code == kInvalid;
  set_status(QStringLiteral("note"),
             is_note ? tr("A fault that the scenario requires did not bite in run B.") : QString());
  if (!end.message.isEmpty() && !is_note) {
    say(named_words(run, end.message));
  }
  const bool grew = std::exchange(run.growing, false);
  update_shown();
  if (grew) {
    Q_EMIT run_finished(number_of(run));
  }
}

void MainWindow::ask_and_run_again() {
  if (!run(0).title) {
    return;
  }
  const RunTitle& title = *run(0).title;
  auto* dialog =
      new RunAgainDialog(simulator_, list_policies(simulator_),
                         made_with(title.policy, title.scenario, title.seed), title.scenario, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [this, dialog] { run_again(dialog->wish()); });
  dialog->open();
}

void MainWindow::run_again(const RunAgain& wish) {
  if (!run(0).title) {
    return;
  }
  auto folder = std::make_unique<QTemporaryDir>();
  const auto request = request_again(*run(0).title, wish, folder->path());
  if (!request) {
    say(tr("%1: cannot be written to").arg(folder->path()));
    return;
  }
  start_run(1, *request, run(0).title->name);
  runs_[1].inputs = std::move(folder);
  // A command can say it where the first run is a scenario as it is, and nothing was typed that is
  // in no file.
  const bool plain = run(0).temporary && run(0).reopen.size() == 1 && wish.config.isEmpty();
  runs_[1].reopen = plain ? request->options + run(0).reopen : QStringList();
}

void MainWindow::copy_command() {
  const QStringList view = view_words_ ? view_words_() : QStringList();
  QApplication::clipboard()->setText(shell_command(reproducing_command(run(0), run(1), view)));
  const bool without = !run(1).path.isEmpty() && !opens_both(run(0), run(1));
  statusBar()->showMessage(
      (without ? tr("Copied without run B, which no command opens: %1") : tr("Copied: %1"))
          .arg(QApplication::clipboard()->text()),
      8000);
}

void MainWindow::close_run(int run) {
  OpenRun& open = runs_.at(static_cast<std::size_t>(run));
  const bool was_open = !open.path.isEmpty();
  open = OpenRun{.bar = open.bar};
  open.bar->hide();
  if (was_open) {
    Q_EMIT run_closed(run);
  }
  update_shown();
}

void MainWindow::swap_runs() {
  std::swap(runs_[0], runs_[1]);
  update_shown();
}

void MainWindow::say(const QString& message) { message_->say(message); }

void MainWindow::set_status(const QString& part, const QString& text) {
  QLabel*& label = status_[part];
  if (label == nullptr) {
    label = new QLabel(this);
    label->setTextFormat(Qt::PlainText);
    statusBar()->addPermanentWidget(label);
  }
  label->setText(text);
  label->setVisible(!text.isEmpty());
}

void MainWindow::update_shown() {
  const bool open = !run(0).path.isEmpty();
  const bool second = !run(1).path.isEmpty();
  const auto running = [](const OpenRun& run) {
    return run.runner != nullptr && run.runner->is_running();
  };
  pages_->setCurrentWidget(open && document_ != nullptr ? document_.data() : welcome_);
  const auto enable = [&](ActionId id, bool on) { actions_->action(id)->setEnabled(on); };
  enable(ActionId::kOpenSecond, open);
  enable(ActionId::kReload, open);
  enable(ActionId::kClose, open);
  enable(ActionId::kCopyCommand, open && !run(0).reopen.isEmpty());
  enable(ActionId::kRunAgain, open && run(0).title && !simulator_.isEmpty());
  enable(ActionId::kStopRun, running(run(0)) || running(run(1)));
  const auto name = [](const OpenRun& run) {
    return run.title ? one_line(*run.title) : QFileInfo(run.path).fileName();
  };
  setWindowTitle(!open     ? tr("Aftershock")
                 : !second ? tr("%1 - Aftershock").arg(name(run(0)))
                           : tr("A: %1 | B: %2 - Aftershock").arg(name(run(0)), name(run(1))));
}

void MainWindow::closeEvent(QCloseEvent* event) {
  Q_EMIT closing();
  settings_.set_window(saveGeometry(), saveState());
  for (OpenRun& run : runs_) {
    run.runner.reset();
  }
  event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) {
    event->acceptProposedAction();
  }
}

void MainWindow::dropEvent(QDropEvent* event) {
  int next = 0;
  for (const QUrl& url : event->mimeData()->urls()) {
    if (url.isLocalFile() && next < 2) {
      open_file(url.toLocalFile(), next++);
    }
  }
  event->acceptProposedAction();
}

}  // namespace aftershock::gui
