#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace aftershock::gui {

/// The effect of a replay on the cursor: a value. It has no clock of its own: `advance` is told how
/// much host time has passed.
struct ReplayClock {
  std::int64_t t_us = 0;  ///< of the run
  bool playing = false;
  bool backwards = false;
  /// Simulated time a host time, 1 .. 10^6.
  std::int64_t speed = 60;
  /// Not by time but by events, so many a second: quiet days fly by. 0: by time.
  std::int64_t events_per_s = 0;
  /// How long the replay has been on its way to the next event, by events.
  std::int64_t on_the_way_us = 0;
  /// Slower by kSlowness before and after a fault.
  bool slow_at_faults = true;
  /// Is played again and again, [begin, end); begin < end.
  std::optional<std::int64_t> loop_begin_us;
  std::optional<std::int64_t> loop_end_us;

  friend bool operator==(const ReplayClock&, const ReplayClock&) = default;
};

/// The run that is replayed. Times are in order; equal ones count once.
struct ReplayRun {
  std::int64_t begin_us = 0;
  std::int64_t end_us = 0;
  std::span<const std::int64_t> events_us;
  std::span<const std::int64_t> faults_us;
};

/// How much slower it is around faults, and on each side for how much host time at full speed: at
/// every speed there is a second to see a fault come, and one to see what it does. A run full of
/// faults takes kSlowness as long, and no more.
inline constexpr std::int64_t kSlowness = 4;
inline constexpr std::int64_t kSlowHost_us = 250'000;

/// Plays on for `host_us` of host time. Stops at the end of the run (backwards: its begin), goes
/// round in a loop. Of more than a second only one is played: the host has slept, and nobody
/// looked.
ReplayClock advance(ReplayClock clock, const ReplayRun& run, std::int64_t host_us);

/// How fast it goes right now: slower than `speed` near faults.
std::int64_t speed_now(const ReplayClock& clock, const ReplayRun& run);

/// Plays or pauses; at the end it begins again.
ReplayClock toggled(ReplayClock clock, const ReplayRun& run);
/// L: plays forwards, faster if it does.
ReplayClock played_forwards(ReplayClock clock);
/// J: plays backwards, faster if it does.
ReplayClock played_backwards(ReplayClock clock);
/// K: pauses.
ReplayClock paused(ReplayClock clock);

/// Up or down the speeds 1, 2, 5, 10, 20, ... 10^6, or by events 1, 2, 5, ... 1000 a second.
ReplayClock faster(ReplayClock clock);
ReplayClock slower(ReplayClock clock);

/// By events instead of time, or back.
ReplayClock by_events(ReplayClock clock, bool on);
/// Loops over a time, or over none where it is empty.
ReplayClock looped(ReplayClock clock, std::int64_t begin_us, std::int64_t end_us);
/// Elsewhere, in the run.
ReplayClock moved(ReplayClock clock, const ReplayRun& run, std::int64_t t_us);

/// To the next event of the run, or the one before, and no further; pauses. Stays where there is
/// none.
ReplayClock stepped(ReplayClock clock, const ReplayRun& run, bool backwards);

}  // namespace aftershock::gui
