#include "gui/app/replay_controls.h"

#include <QToolBar>

#include "gui/app/main_window.h"
#include "gui/app/tool_icons.h"
#include "gui/app/workspace.h"

namespace aftershock::gui {

namespace {

/// An item of the field: a speed, or below 0 so many events a second.
QVariant item_of(const ReplayClock& clock) {
  return QVariant::fromValue<qlonglong>(clock.events_per_s > 0 ? -clock.events_per_s : clock.speed);
}

/// All that < and > reach, and the speed that a replay begins with.
void fill(QComboBox& field) {
  const auto add = [&field](const ReplayClock& clock) {
    field.addItem(speed_text(clock), item_of(clock));
  };
  ReplayClock clock;
  const std::int64_t first = clock.speed;
  for (clock.speed = 1;; clock = faster(clock)) {
    add(clock);
    const ReplayClock next = faster(clock);
    if (clock.speed < first && next.speed > first) {
      ReplayClock between;
      add(between);
    }
    if (next.speed == clock.speed) {
      break;
    }
  }
  field.insertSeparator(field.count());
  clock = by_events(clock, true);
  for (clock.events_per_s = 1;; clock = faster(clock)) {
    add(clock);
    if (faster(clock).events_per_s == clock.events_per_s) {
      break;
    }
  }
}

}  // namespace

ReplayControls::ReplayControls(MainWindow& window, Workspace& workspace)
    : QObject(&window), window_(window), workspace_(workspace), speeds_(new QComboBox) {
  using enum ActionId;
  fill(*speeds_);
  speeds_->setAccessibleName(tr("Replay speed"));
  speeds_->setToolTip(tr("Replay speed: times as fast as the run was, or events a second"));
  speeds_->setMaxVisibleItems(speeds_->count());
  // Behind the buttons that make it faster and slower.
  const QList<QAction*> tools = window.tools().actions();
  const qsizetype behind = tools.indexOf(window.actions().action(kFaster)) + 1;
  window.tools().insertWidget(tools.value(behind), speeds_);
  connect(speeds_, &QComboBox::activated, this, &ReplayControls::choose);
  ActionSet& actions = window.actions();
  Player& player = workspace.player();
  actions.handle_check(kLoop, [this](bool on) { loop(on); });
  actions.handle_check(kPlayEvents, [&player](bool on) {
    player.change([on](ReplayClock clock) { return by_events(clock, on); });
  });
  actions.handle_check(kSlowAtFaults, [&player](bool on) {
    player.change([on](ReplayClock clock) {
      clock.slow_at_faults = on;
      return clock;
    });
  });
  connect(&player, &Player::changed, this, &ReplayControls::show_clock);
  connect(&workspace, &Workspace::session_opened, this, [this] {
    // The loop belonged to another run.
    if (workspace_.player().clock().loop_begin_us) {
      loop(false);
    }
  });
  connect(&window, &MainWindow::theme_changed, this, &ReplayControls::show_clock);
  show_clock();
}

void ReplayControls::choose(int item) {
  const qlonglong chosen = speeds_->itemData(item).toLongLong();
  workspace_.player().choose_speed();
  workspace_.player().change([chosen](ReplayClock clock) {
    if (chosen < 0) {
      clock = by_events(clock, true);
      clock.events_per_s = -chosen;
    } else if (chosen > 0) {
      clock = by_events(clock, false);
      clock.speed = chosen;
    }
    return clock;
  });
  // Letters are keys of the timeline, not of the field.
  workspace_.timeline().setFocus();
}

void ReplayControls::loop(bool on) {
  const ViewState& state = workspace_.timeline().state();
  TimeRange range;
  if (on) {
    const bool has_range =
        state.selection && state.selection->time.end_us > state.selection->time.begin_us;
    range = has_range ? state.selection->time : state.shown;
  } else {
    range = {0, 0};
  }
  workspace_.player().change(
      [range](ReplayClock clock) { return looped(clock, range.begin_us, range.end_us); });
}

void ReplayControls::show_clock() {
  using enum ActionId;
  const ReplayClock& clock = workspace_.player().clock();
  if (speeds_ != nullptr) {
    // A speed that crosses the view in good time need not be one of the list.
    speeds_->setPlaceholderText(speed_text(clock));
    speeds_->setCurrentIndex(speeds_->findData(item_of(clock)));
  }
  // The button does what its picture says.
  QAction* play = window_.actions().action(kPlay);
  const Theme theme = window_.theme();
  play->setIcon(clock.playing ? pause_icon(theme) : tool_icon(kPlay, theme));
  play->setToolTip(clock.playing ? tr("Pause") : tr("Play"));
  window_.actions().show_checked(kLoop, clock.loop_begin_us.has_value());
  window_.actions().show_checked(kPlayEvents, clock.events_per_s > 0);
  window_.actions().show_checked(kSlowAtFaults, clock.slow_at_faults);
}

}  // namespace aftershock::gui
