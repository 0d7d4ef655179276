#pragma once

#include <cstdint>
#include <optional>

#include "policies/api/ids.h"

namespace aftershock::policies::ray_tune {

/// How often an experiment stores its state, and how long that takes.
struct SnapshotTiming {
  std::optional<DurationUs> period_us{};  ///< from the end of one to the next; none: "auto"
  DurationUs save_us = 0;                 ///< from its begin until storage has it

  /// "auto" is 19 times what the last one took, so that one twentieth of the time is spent on it,
  /// and at least 10 s: execution/experiment_state.py.
  [[nodiscard]] DurationUs wait_us() const;
};

/// When the snapshots of an experiment begin and end: execution/experiment_state.py. The first
/// begins with the experiment; while one is being stored no other begins. Snapshots are not played:
/// whoever wants to know asks what has happened by a time, and pays for changes only.
class SnapshotClock {
 public:
  explicit SnapshotClock(SnapshotTiming timing) : timing_(timing) {}

  /// The experiment begins, and with it its first snapshot.
  void start(TimeUs at_us) { next_us_ = at_us; }

  /// A snapshot begins now, or as soon as the one that is being stored has ended.
  void force(TimeUs at_us);

  /// No snapshot begins any more; one that is being stored still ends.
  void stop();

  /// The turn of a snapshot: it takes the state to store, or storage has it.
  enum class Turn : std::uint8_t { kNone, kBegin, kEnd };

  /// The next turn that comes by `until_us`, and past it. `changed`: there is something to be
  /// stored that none has taken yet; without that, snapshots that begin are passed in silence.
  Turn next(TimeUs until_us, bool changed);

  /// When the last snapshot ended that had by `until_us`, one without anything new included; none
  /// when none has.
  [[nodiscard]] std::optional<TimeUs> last_end_us(TimeUs until_us) const;

 private:
  void ended(TimeUs at_us);

  SnapshotTiming timing_;
  std::optional<TimeUs> next_us_;   // begin of the next; none: not started
  std::optional<TimeUs> ends_us_;   // of the one that is being stored
  std::optional<TimeUs> ended_us_;  // of the last that was
  bool forced_ = false;             // another one waits for its end
  bool stopped_ = false;
};

}  // namespace aftershock::policies::ray_tune
