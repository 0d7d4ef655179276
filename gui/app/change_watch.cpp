#include "gui/app/change_watch.h"

#include <QAction>
#include <QFile>
#include <QFileInfo>
#include <QStringList>
#include <utility>

#include <sys/stat.h>

#include "gui/app/change_bar.h"
#include "gui/app/main_window.h"
#include "gui/app/workspace.h"
#include "gui/theme/shown_text.h"

namespace aftershock::gui {

namespace {

/// A writer changes a file in many small steps.
constexpr int kSettle_ms = 250;

}  // namespace

std::optional<FileVersion> version_of(const QString& path) {
  struct stat status{};
  if (::stat(QFile::encodeName(path).constData(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return std::nullopt;
  }
  constexpr std::int64_t kSecond_ns = 1'000'000'000;
  return FileVersion{.inode = status.st_ino,
                     .bytes = status.st_size,
                     .changed_ns = status.st_mtim.tv_sec * kSecond_ns + status.st_mtim.tv_nsec};
}

ChangeWatch::ChangeWatch(MainWindow& window, Workspace& workspace)
    : QObject(&window), window_(window), workspace_(workspace), bar_(new ChangeBar) {
  window.add_bar(bar_);
  for (int i = 0; i < 2; ++i) {
    Watched& watched = watched_.at(static_cast<std::size_t>(i));
    watched.pane = &workspace.pane(i);
    connect(watched.pane, &Pane::opened, this, [this, &watched] { begin(watched); });
    connect(watched.pane, &Pane::finished, this, [this, &watched] {
      if (std::exchange(watched.grows, false)) {
        watched.read = version_of(watched.path);
      }
      look();
    });
  }
  timer_.setSingleShot(true);
  timer_.setInterval(kSettle_ms);
  connect(&timer_, &QTimer::timeout, this, &ChangeWatch::look);
  // A writer that keeps on must not put it off for ever.
  const auto look_soon = [this] {
    if (!timer_.isActive()) {
      timer_.start();
    }
  };
  connect(&watcher_, &QFileSystemWatcher::fileChanged, this, look_soon);
  connect(&watcher_, &QFileSystemWatcher::directoryChanged, this, look_soon);
  connect(bar_, &ChangeBar::closed, this, &ChangeWatch::pass_over);
  connect(bar_, &ChangeBar::reload_asked, window.actions().action(ActionId::kReload),
          &QAction::trigger);
}

void ChangeWatch::begin(Watched& watched) {
  Pane* pane = watched.pane;
  const int run = &workspace_.pane(0) == pane ? 0 : 1;
  watched = Watched{.pane = pane};
  if (pane->session() != nullptr && !window_.run(run).temporary) {
    watched.path = pane->session()->path();
    watched.grows = pane->session()->grows();
    // Nearly nothing of it can have been read yet.
    watched.read = version_of(watched.path);
  }
  watch_paths();
  look();
}

void ChangeWatch::watch_paths() {
  QStringList paths;
  for (const Watched& watched : watched_) {
    // Its folder, too: a file that is replaced is another one of its name.
    if (watched.read) {
      paths << watched.path << QFileInfo(watched.path).absolutePath();
    }
  }
  paths.removeDuplicates();
  const QStringList before = watcher_.files() + watcher_.directories();
  for (const QString& path : before) {
    if (!paths.contains(path)) {
      watcher_.removePath(path);
    }
  }
  for (const QString& path : std::as_const(paths)) {
    if (!before.contains(path) && QFileInfo::exists(path)) {
      watcher_.addPath(path);
    }
  }
}

void ChangeWatch::look() {
  watch_paths();
  QStringList words;
  for (const Watched& watched : watched_) {
    if (!watched.read || !watched.pane->is_ready()) {
      continue;
    }
    // A file that is gone is not missed: all of it is here.
    const auto now = version_of(watched.path);
    if (!now || now == watched.read || now == watched.passed) {
      continue;
    }
    const bool grew = now->inode == watched.read->inode && now->bytes > watched.read->bytes &&
                      watched.pane->session()->may_grow();
    words << (grew ? tr("%1 has more in it than was read; F5 follows it.")
                   : tr("%1 has changed on disk since it was read."))
                 .arg(shown_text(QFileInfo(watched.path).fileName().toStdString()));
  }
  words.isEmpty() ? bar_->hide() : bar_->say(words.join(u'\n'));
}

void ChangeWatch::pass_over() {
  for (Watched& watched : watched_) {
    watched.passed = version_of(watched.path);
  }
}

}  // namespace aftershock::gui
