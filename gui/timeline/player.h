#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <functional>

#include "gui/actions/action_set.h"
#include "gui/replay/clock.h"

namespace aftershock::gui {

class Timeline;

/// How fast a replay goes: "60×", "5 events/s".
QString speed_text(const ReplayClock& clock);

/// Lets the cursor of a timeline run through it.
class Player : public QObject {
  Q_OBJECT

 public:
  /// `timeline` outlives it.
  explicit Player(Timeline& timeline, QObject* parent = nullptr);

  /// Plays another one from now on; it stands still at first.
  void follow(Timeline& timeline);
  /// Does the actions that play.
  /// From now on the speed is the user's: until then a replay crosses the view in half a minute.
  void choose_speed() { has_chosen_speed_ = true; }
  void handle_actions(ActionSet& actions);
  [[nodiscard]] const ReplayClock& clock() const { return clock_; }
  /// Goes on as `change` makes of the clock, which has the time of the cursor; that stays where it
  /// is without a run.
  void change(const std::function<ReplayClock(ReplayClock)>& change);
  /// As the status bar has it: "playing, 60×", "paused, 5 events/s, loop"; empty before anything
  /// was played or chosen.
  [[nodiscard]] QString text() const;

 Q_SIGNALS:
  void changed();

 private:
  [[nodiscard]] ReplayClock with_first_speed(ReplayClock clock) const;
  [[nodiscard]] ReplayRun run() const;
  void set(ReplayClock clock);
  void tick();

  Timeline* timeline_;
  ReplayClock clock_;
  bool was_used_ = false;
  bool has_chosen_speed_ = false;
  QTimer timer_;
  QElapsedTimer since_;
};

}  // namespace aftershock::gui
