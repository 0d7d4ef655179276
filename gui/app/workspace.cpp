#include "gui/app/workspace.h"

#include <QInputDialog>
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "gui/app/main_window.h"
#include "gui/app/typed_time.h"
#include "gui/view/ruler.h"
#include "gui/view/wall_time.h"

namespace aftershock::gui {

namespace {

QString time_text(std::int64_t t_us, std::int64_t step_us) {
  return QString::fromStdString(format_simulated(t_us, step_us));
}

/// The largest power of ten that is not above it: what a pixel cannot show is not told.
std::int64_t step_of(double us) {
  return us < 1 ? 1 : static_cast<std::int64_t>(std::pow(10, std::floor(std::log10(us))));
}

}  // namespace

Workspace::Workspace(MainWindow& window)
    : window_(window), timeline_(new Timeline), player_(new Player(*timeline_, this)) {
  window.set_document(timeline_);
  timeline_->set_theme(window.theme());
  timeline_->handle_actions(window.actions());
  player_->handle_actions(window.actions());
  connect(&window, &MainWindow::run_opened, this,
          [this](int run, const QString& path, bool growing, bool) {
            if (run == 0) {
              open(path, growing);
            } else {
              window_.say(
                  tr("%1 is open, too; two runs are not shown beside each other yet").arg(path));
            }
          });
  connect(&window, &MainWindow::run_finished, this, [this](int run) {
    if (run == 0 && session_ != nullptr) {
      session_->stop_growing();
    }
  });
  connect(&window, &MainWindow::run_closed, this, [this](int run) {
    if (run == 0) {
      timeline_->set_session(nullptr);
      session_.reset();
      Q_EMIT session_opened(nullptr);
      show_status();
    }
  });
  connect(&window, &MainWindow::theme_changed, timeline_, &Timeline::set_theme);
  connect(timeline_, &Timeline::state_changed, this, &Workspace::show_status);
  connect(timeline_, &Timeline::cursor_moved, this, &Workspace::show_status);
  connect(player_, &Player::changed, this, &Workspace::show_status);
  window.actions().handle(ActionId::kGoToTime, [this] {
    bool ok = false;
    const QString typed =
        QInputDialog::getText(&window_, tr("Go to time"), tr("Time of the run, such as 2d4h:"),
                              QLineEdit::Normal, QString(), &ok);
    if (!ok) {
      return;
    }
    if (const auto t_us = typed_time_us(typed.toStdString())) {
      timeline_->go_to(*t_us, std::nullopt);
    } else {
      window_.say(tr("%1: not a time; write it as 2d4h or 90s").arg(typed));
    }
  });
}

Workspace::~Workspace() { timeline_->set_session(nullptr); }

void Workspace::open(const QString& path, bool growing) {
  // Read again, a file is shown where it was.
  std::optional<ViewState> kept;
  if (session_ != nullptr && session_->path() == path) {
    kept = timeline_->state();
  }
  auto next = std::make_unique<RunSession>(path, growing);
  connect(next.get(), &RunSession::failed, &window_, &MainWindow::say);
  timeline_->set_session(next.get());
  session_ = std::move(next);
  connect(session_.get(), &RunSession::finished, this, [this, kept] {
    if (kept) {
      timeline_->change(*kept);
    }
    show_status();
    Q_EMIT session_finished();
  });
  timeline_->setFocus();
  Q_EMIT session_opened(session_.get());
  show_status();
}

void Workspace::show_status() {
  if (session_ == nullptr) {
    for (const char* part : {"cursor", "scale", "replay"}) {
      window_.set_status(QLatin1StringView(part), QString());
    }
    return;
  }
  const double a_pixel_us = timeline_->us_a_pixel();
  const std::int64_t cursor_us = timeline_->state().cursor_us;
  QString cursor = time_text(cursor_us, step_of(a_pixel_us));
  if (const auto start_us = parse_start(session_->trace().header.start)) {
    cursor += QStringLiteral("  (%1)").arg(
        QString::fromStdString(format_wall(*start_us + cursor_us, 1'000'000)));
  }
  window_.set_status(QStringLiteral("cursor"), cursor);
  const auto whole_us = static_cast<std::int64_t>(std::max(1.0, std::round(a_pixel_us)));
  window_.set_status(QStringLiteral("scale"),
                     tr("%1/px").arg(time_text(whole_us, step_of(a_pixel_us / 10))));
  window_.set_status(QStringLiteral("replay"), player_->text());
}

}  // namespace aftershock::gui
