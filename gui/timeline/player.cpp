#include "gui/timeline/player.h"

#include <functional>
#include <utility>

#include "gui/timeline/timeline.h"

namespace aftershock::gui {

namespace {

constexpr int kFrame_ms = 16;

}  // namespace

Player::Player(Timeline& timeline, QObject* parent) : QObject(parent), timeline_(&timeline) {
  timer_.setInterval(kFrame_ms);
  timer_.setTimerType(Qt::PreciseTimer);
  connect(&timer_, &QTimer::timeout, this, &Player::tick);
}

ReplayRun Player::run() const {
  const TimeRange run = timeline_->run();
  return {run.begin_us, run.end_us, timeline_->event_times(), timeline_->fault_times()};
}

void Player::follow(Timeline& timeline) {
  timer_.stop();
  clock_.playing = false;
  timeline_ = &timeline;
  Q_EMIT changed();
}

void Player::handle_actions(ActionSet& actions) {
  using enum ActionId;
  const auto with_clock = [this](std::function<ReplayClock(ReplayClock)> change) {
    return [this, change = std::move(change)] {
      if (timeline_->session() != nullptr) {
        clock_.t_us = timeline_->state().cursor_us;
        set(change(clock_));
      }
    };
  };
  actions.handle(kPlay, with_clock([this](ReplayClock clock) { return toggled(clock, run()); }));
  actions.handle(kReverse, with_clock(played_backwards));
  actions.handle(kStop, with_clock(paused));
  actions.handle(kForward, with_clock(played_forwards));
  actions.handle(kSlower, with_clock(slower));
  actions.handle(kFaster, with_clock(faster));
}

void Player::set(ReplayClock clock) {
  clock_ = clock;
  was_used_ = true;
  if (clock_.playing && !timer_.isActive()) {
    since_.start();
    timer_.start();
  } else if (!clock_.playing) {
    timer_.stop();
  }
  timeline_->play_to(clock_.t_us);
  Q_EMIT changed();
}

void Player::tick() {
  if (timeline_->session() == nullptr) {
    timer_.stop();
    return;
  }
  // The cursor may have been put elsewhere meanwhile.
  clock_.t_us = timeline_->state().cursor_us;
  set(advance(clock_, run(), since_.nsecsElapsed() / 1000));
  since_.restart();
}

QString Player::text() const {
  if (!was_used_) {
    return {};
  }
  const QString speed = QStringLiteral("%1×").arg(clock_.speed);
  if (!clock_.playing) {
    return tr("paused, %1").arg(speed);
  }
  return clock_.backwards ? tr("backwards, %1").arg(speed) : tr("playing, %1").arg(speed);
}

}  // namespace aftershock::gui
