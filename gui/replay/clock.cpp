#include "gui/replay/clock.h"

#include <algorithm>
#include <limits>

#include "base/assert.h"

namespace aftershock::gui {
namespace {

__extension__ using Wide = __int128;

constexpr std::int64_t kSecond_us = 1'000'000;
constexpr std::int64_t kMostSpeed = 1'000'000;
constexpr std::int64_t kMostEvents_per_s = 1'000;

// 1, 2, 5, 10, 20, ...
std::int64_t stepped_up(std::int64_t value, std::int64_t most) {
  std::int64_t ten = 1;
  while (ten <= value / 10) {
    ten *= 10;
  }
  const std::int64_t next = value < 2 * ten ? 2 * ten : value < 5 * ten ? 5 * ten : 10 * ten;
  return std::min(next, most);
}

std::int64_t stepped_down(std::int64_t value) {
  std::int64_t ten = 1;
  while (ten <= value / 10) {
    ten *= 10;
  }
  const std::int64_t next = value > 5 * ten   ? 5 * ten
                            : value > 2 * ten ? 2 * ten
                            : value > ten     ? ten
                                              : ten / 2;
  return std::max<std::int64_t>(next, 1);
}

std::int64_t plus(std::int64_t t_us, Wide by_us) {
  return static_cast<std::int64_t>(std::clamp<Wide>(Wide{t_us} + by_us,
                                                    std::numeric_limits<std::int64_t>::min(),
                                                    std::numeric_limits<std::int64_t>::max()));
}

// Where the way ends, in the direction of the replay.
struct Way {
  std::int64_t from_us = 0;  ///< to begin again in a loop
  std::int64_t to_us = 0;
  bool is_loop = false;
};

Way way_of(const ReplayClock& clock, const ReplayRun& run) {
  Way way{.from_us = run.begin_us, .to_us = run.end_us};
  if (clock.loop_begin_us && clock.loop_end_us) {
    const std::int64_t begin = std::clamp(*clock.loop_begin_us, run.begin_us, run.end_us);
    const std::int64_t end = std::clamp(*clock.loop_end_us, run.begin_us, run.end_us);
    // From elsewhere it plays to the loop first, if that is ahead.
    const bool is_past = clock.backwards ? clock.t_us < begin : clock.t_us > end;
    if (begin < end && !is_past) {
      way = {.from_us = begin, .to_us = end, .is_loop = true};
    }
  }
  if (clock.backwards) {
    std::swap(way.from_us, way.to_us);
  }
  return way;
}

struct Stretch {
  std::int64_t speed = 1;
  std::int64_t until_us = 0;  ///< it is the same as far as here
};

bool is_slow_at(std::int64_t fault_us, const ReplayClock& clock, std::int64_t near_us) {
  const Wide away = Wide{clock.t_us} - fault_us;
  return clock.backwards ? away > -near_us && away <= near_us : away >= -near_us && away < near_us;
}

Stretch stretch_at(const ReplayClock& clock, const ReplayRun& run, std::int64_t to_us) {
  if (!clock.slow_at_faults || clock.speed <= 1 || run.faults_us.empty()) {
    return {clock.speed, to_us};
  }
  const std::int64_t slow = std::max<std::int64_t>(clock.speed / kSlowness, 1);
  const std::int64_t near_us = clock.speed * kSlowHost_us;
  const std::span<const std::int64_t> faults = run.faults_us;
  // The fault that the slow part around is left or entered of.
  if (!clock.backwards) {
    const auto next = std::lower_bound(faults.begin(), faults.end(), plus(clock.t_us, 1 - near_us));
    if (next == faults.end()) {
      return {clock.speed, to_us};
    }
    return is_slow_at(*next, clock, near_us)
               ? Stretch{slow, std::min(to_us, plus(*next, near_us))}
               : Stretch{clock.speed, std::min(to_us, plus(*next, -near_us))};
  }
  const auto above = std::lower_bound(faults.begin(), faults.end(), plus(clock.t_us, near_us));
  if (above == faults.begin()) {
    return {clock.speed, to_us};
  }
  const std::int64_t before = *(above - 1);
  return is_slow_at(before, clock, near_us)
             ? Stretch{slow, std::max(to_us, plus(before, -near_us))}
             : Stretch{clock.speed, std::max(to_us, plus(before, near_us))};
}

Wide distance(std::int64_t a, std::int64_t b) { return a < b ? Wide{b} - a : Wide{a} - b; }

// Ends the way, or begins it again; false where it is over.
bool turn(ReplayClock& clock, const Way& way) {
  clock.t_us = way.to_us;
  clock.on_the_way_us = 0;
  if (!way.is_loop || way.from_us == way.to_us) {
    clock.playing = false;
    return false;
  }
  clock.t_us = way.from_us;
  return true;
}

void play_time(ReplayClock& clock, const ReplayRun& run, std::int64_t host_us) {
  while (host_us > 0) {
    const Way way = way_of(clock, run);
    if (clock.t_us == way.to_us) {
      if (!turn(clock, way)) {
        return;
      }
      continue;
    }
    const Stretch stretch = stretch_at(clock, run, way.to_us);
    const Wide left = distance(clock.t_us, stretch.until_us);
    const Wide all = Wide{host_us} * stretch.speed;
    if (all < left) {
      clock.t_us = plus(clock.t_us, clock.backwards ? -all : all);
      return;
    }
    clock.t_us = stretch.until_us;
    // The time that it took, rounded up: a part of a microsecond of the host does not matter.
    host_us -= static_cast<std::int64_t>((left + stretch.speed - 1) / stretch.speed);
  }
  // It has just arrived.
  const Way way = way_of(clock, run);
  if (clock.t_us == way.to_us && !way.is_loop) {
    clock.playing = false;
  }
}

// The next event on the way, or none before its end.
std::optional<std::int64_t> next_event(std::span<const std::int64_t> events, std::int64_t t_us,
                                       bool backwards) {
  if (backwards) {
    const auto at = std::lower_bound(events.begin(), events.end(), t_us);
    return at == events.begin() ? std::nullopt : std::optional(*(at - 1));
  }
  const auto at = std::upper_bound(events.begin(), events.end(), t_us);
  return at == events.end() ? std::nullopt : std::optional(*at);
}

void play_events(ReplayClock& clock, const ReplayRun& run, std::int64_t host_us) {
  const std::int64_t period_us = std::max<std::int64_t>(
      kSecond_us / std::clamp(clock.events_per_s, std::int64_t{1}, kMostEvents_per_s), 1);
  clock.on_the_way_us += host_us;
  while (clock.on_the_way_us >= period_us) {
    const Way way = way_of(clock, run);
    const auto next = next_event(run.events_us, clock.t_us, clock.backwards);
    const bool is_ahead =
        next && (clock.backwards ? *next >= way.to_us : *next <= way.to_us) && *next != clock.t_us;
    const std::int64_t left = clock.on_the_way_us - period_us;
    if (is_ahead) {
      clock.t_us = *next;
    } else if (!turn(clock, way)) {
      return;
    }
    clock.on_the_way_us = left;
  }
}

}  // namespace

ReplayClock advance(ReplayClock clock, const ReplayRun& run, std::int64_t host_us) {
  if (!clock.playing || host_us <= 0) {
    return clock;
  }
  clock.t_us = std::clamp(clock.t_us, run.begin_us, std::max(run.begin_us, run.end_us));
  clock.speed = std::clamp<std::int64_t>(clock.speed, 1, kMostSpeed);
  // A host that slept for an hour does not play an hour: nobody looked.
  host_us = std::min(host_us, kSecond_us);
  if (clock.events_per_s > 0) {
    play_events(clock, run, host_us);
  } else {
    play_time(clock, run, host_us);
  }
  return clock;
}

std::int64_t speed_now(const ReplayClock& clock, const ReplayRun& run) {
  AFTERSHOCK_ASSERT(run.begin_us <= run.end_us);
  return stretch_at(clock, run, clock.backwards ? run.begin_us : run.end_us).speed;
}

ReplayClock toggled(ReplayClock clock, const ReplayRun& run) {
  clock.playing = !clock.playing;
  const bool is_over = clock.backwards ? clock.t_us <= run.begin_us : clock.t_us >= run.end_us;
  if (clock.playing && is_over) {
    clock = moved(clock, run, clock.backwards ? run.end_us : run.begin_us);
  }
  return clock;
}

ReplayClock played_forwards(ReplayClock clock) {
  if (clock.playing && !clock.backwards) {
    return faster(clock);
  }
  clock.playing = true;
  clock.backwards = false;
  clock.on_the_way_us = 0;
  return clock;
}

ReplayClock played_backwards(ReplayClock clock) {
  if (clock.playing && clock.backwards) {
    return faster(clock);
  }
  clock.playing = true;
  clock.backwards = true;
  clock.on_the_way_us = 0;
  return clock;
}

ReplayClock paused(ReplayClock clock) {
  clock.playing = false;
  clock.on_the_way_us = 0;
  return clock;
}

ReplayClock faster(ReplayClock clock) {
  if (clock.events_per_s > 0) {
    clock.events_per_s = stepped_up(clock.events_per_s, kMostEvents_per_s);
  } else {
    clock.speed = stepped_up(clock.speed, kMostSpeed);
  }
  return clock;
}

ReplayClock slower(ReplayClock clock) {
  if (clock.events_per_s > 0) {
    clock.events_per_s = stepped_down(clock.events_per_s);
  } else {
    clock.speed = stepped_down(clock.speed);
  }
  return clock;
}

ReplayClock by_events(ReplayClock clock, bool on) {
  clock.events_per_s = on ? 2 : 0;
  clock.on_the_way_us = 0;
  return clock;
}

ReplayClock looped(ReplayClock clock, std::int64_t begin_us, std::int64_t end_us) {
  clock.loop_begin_us.reset();
  clock.loop_end_us.reset();
  if (begin_us < end_us) {
    clock.loop_begin_us = begin_us;
    clock.loop_end_us = end_us;
    if (clock.t_us < begin_us || clock.t_us >= end_us) {
      clock.t_us = begin_us;
    }
  }
  return clock;
}

ReplayClock moved(ReplayClock clock, const ReplayRun& run, std::int64_t t_us) {
  clock.t_us = std::clamp(t_us, run.begin_us, std::max(run.begin_us, run.end_us));
  clock.on_the_way_us = 0;
  return clock;
}

ReplayClock stepped(ReplayClock clock, const ReplayRun& run, bool backwards) {
  clock = paused(clock);
  if (const auto next = next_event(run.events_us, clock.t_us, backwards)) {
    clock.t_us = *next;
  }
  return clock;
}

}  // namespace aftershock::gui
