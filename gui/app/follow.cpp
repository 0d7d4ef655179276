#include "gui/app/follow.h"

#include <utility>

#include "gui/app/main_window.h"
#include "gui/app/workspace.h"

namespace aftershock::gui {

TimeRange following(const TimeRange& shown, const TimeRange& run) {
  const std::int64_t length_us = shown.end_us - shown.begin_us;
  const std::int64_t end_us = run.end_us + length_us / 16;
  return clamped({end_us - length_us, end_us}, run);
}

Follow::Follow(MainWindow& window, Workspace& workspace)
    : QObject(&window), window_(window), workspace_(workspace) {
  window.actions().handle_check(ActionId::kFollow, [this](bool on) { set_on(on); });
  connect(&workspace, &Workspace::state_changed, this, &Follow::look);
  connect(&workspace, &Workspace::session_opened, this, [this] {
    settling_ = false;
    set_on(false);
  });
  connect(&workspace, &Workspace::session_finished, this, [this] { set_on(false); });
}

void Follow::set_on(bool on) {
  const RunSession* session = workspace_.session();
  // A run's writer may add to it elsewhere.
  const bool may_grow = session != nullptr && !session->is_reading() && session->may_grow();
  if (on && may_grow) {
    workspace_.read_as_it_grows();
    session = workspace_.session();
    settling_ = true;
    connect(session, &RunSession::caught_up, this, &Follow::settle, Qt::SingleShotConnection);
    connect(session, &RunSession::finished, this, &Follow::settle, Qt::SingleShotConnection);
  }
  if (on && (session == nullptr || !session->is_reading())) {
    // Nothing follows, but the end is where one wanted to be.
    if (session != nullptr) {
      show_end();
      window_.set_status(QStringLiteral("word"), tr("this recording does not grow"));
    }
    on = false;
  } else if (on && !settling_) {
    show_end();
  }
  on_ = on;
  window_.actions().show_checked(ActionId::kFollow, on);
  window_.set_status(QStringLiteral("follow"), on ? tr("following the end") : QString());
}

void Follow::settle() {
  if (std::exchange(settling_, false) && on_) {
    show_end();
  }
}

void Follow::look() {
  if (!on_ || moving_ || settling_) {
    return;
  }
  const Timeline& timeline = workspace_.timeline();
  if (timeline.run() != run_) {
    show_end();
  } else if (timeline.state().shown != shown_ || timeline.state().cursor_us != cursor_us_) {
    set_on(false);
  }
}

void Follow::show_end() {
  Timeline& timeline = workspace_.timeline();
  run_ = timeline.run();
  moving_ = true;
  ViewState next = timeline.state();
  next.shown = following(next.shown, run_);
  timeline.change(next, Joining::kJoined);
  moving_ = false;
  shown_ = timeline.state().shown;
  cursor_us_ = timeline.state().cursor_us;
}

}  // namespace aftershock::gui
