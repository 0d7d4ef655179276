#include "gui/timeline/player.h"

#include <QLocale>
#include <algorithm>
#include <functional>
#include <span>
#include <utility>

#include "gui/timeline/timeline.h"

namespace aftershock::gui {

namespace {

constexpr int kFrame_ms = 16;
/// So long a replay takes to cross the view, where nobody has chosen a speed.
constexpr std::int64_t kCross_s = 30;
constexpr std::int64_t kFastest = 1'000'000;

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
  actions.handle(kPlay, with_clock([this](const ReplayClock& clock) {
                   return toggled(with_first_speed(clock), run());
                 }));
  actions.handle(kReverse, with_clock([this](const ReplayClock& clock) {
                   return played_backwards(with_first_speed(clock));
                 }));
  actions.handle(kStop, with_clock(paused));
  actions.handle(kForward, with_clock([this](const ReplayClock& clock) {
                   return played_forwards(with_first_speed(clock));
                 }));
  const auto chosen = [this, with_clock](ReplayClock (*change_by)(ReplayClock)) {
    return with_clock([this, change_by](ReplayClock clock) {
      choose_speed();
      return change_by(clock);
    });
  };
  actions.handle(kSlower, chosen(slower));
  actions.handle(kFaster, chosen(faster));
}

ReplayClock Player::with_first_speed(ReplayClock clock) const {
  const TimeRange all = timeline_->run();
  const TimeRange& shown = timeline_->state().shown;
  const std::int64_t length_us =
      std::min(shown.end_us, all.end_us) - std::max(shown.begin_us, all.begin_us);
  if (!has_chosen_speed_ && !clock.playing) {
    clock.speed = std::clamp<std::int64_t>(length_us / (kCross_s * 1'000'000), 1, kFastest);
  }
  return clock;
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
