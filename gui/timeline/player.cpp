#include "gui/timeline/player.h"

#include <QLocale>
#include <functional>
#include <span>
#include <utility>

#include "gui/timeline/timeline.h"

namespace aftershock::gui {

namespace {

constexpr int kFrame_ms = 16;

}  // namespace

QString speed_text(const ReplayClock& clock) {
  const QLocale grouped(QLocale::English, QLocale::UnitedStates);
  if (clock.events_per_s > 0) {
    return clock.events_per_s == 1 ? Player::tr("1 event/s")
                                   : Player::tr("%1 events/s").arg(clock.events_per_s);
  }
  return QStringLiteral("%1×").arg(grouped.toString(static_cast<qlonglong>(clock.speed)));
}

Player::Player(Timeline& timeline, QObject* parent) : QObject(parent), timeline_(&timeline) {
  timer_.setInterval(kFrame_ms);
  timer_.setTimerType(Qt::PreciseTimer);
  connect(&timer_, &QTimer::timeout, this, &Player::tick);
}

ReplayRun Player::run() const {
  const TimeRange run = timeline_->run();
  // Of millions of events it takes a while to put them in order: only where they are played.
  return {run.begin_us, run.end_us,
          clock_.events_per_s > 0 ? std::span<const std::int64_t>(timeline_->event_times())
                                  : std::span<const std::int64_t>(),
          timeline_->fault_times()};
}

void Player::follow(Timeline& timeline) {
  timer_.stop();
  clock_.playing = false;
  timeline_ = &timeline;
  Q_EMIT changed();
}

void Player::handle_actions(ActionSet& actions) {
  using enum ActionId;
  const auto with_clock = [this](std::function<ReplayClock(ReplayClock)> change_by) {
    return [this, change_by = std::move(change_by)] {
      if (timeline_->session() != nullptr) {
        change(change_by);
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

void Player::change(const std::function<ReplayClock(ReplayClock)>& change) {
  clock_.t_us = timeline_->state().cursor_us;
  const ReplayClock next = change(clock_);
  if (timeline_->session() != nullptr) {
    set(next);
  } else if (next != clock_) {
    clock_ = paused(next);
    timer_.stop();
    Q_EMIT changed();
  }
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
  QString text = speed_text(clock_);
  if (clock_.playing && clock_.events_per_s == 0 && speed_now(clock_, run()) < clock_.speed) {
    ReplayClock slowed = clock_;
    slowed.speed = speed_now(clock_, run());
    text = tr("%1 near a fault").arg(speed_text(slowed));
  }
  if (clock_.loop_begin_us) {
    text = tr("%1, loop").arg(text);
  }
  if (!clock_.playing) {
    return tr("paused, %1").arg(text);
  }
  return clock_.backwards ? tr("backwards, %1").arg(text) : tr("playing, %1").arg(text);
}

}  // namespace aftershock::gui
