#include "policies/ray_tune/snapshot_clock.h"

#include <algorithm>

namespace aftershock::policies::ray_tune {

DurationUs SnapshotTiming::wait_us() const {
  constexpr DurationUs kShortest = 10 * kSecondUs;
  constexpr DurationUs kShare = 19;
  if (period_us) {
    return *period_us;
  }
  return std::max(kShortest, kShare * save_us);
}

void SnapshotClock::force(TimeUs at_us) {
  if (ends_us_) {
    forced_ = true;
  } else {
    next_us_ = at_us;
  }
}

void SnapshotClock::stop() {
  next_us_.reset();
  forced_ = false;
  stopped_ = true;
}

void SnapshotClock::ended(TimeUs at_us) {
  ends_us_.reset();
  ended_us_ = at_us;
  if (stopped_) {
    return;
  }
  next_us_ = forced_ ? at_us : at_us + timing_.wait_us();
  forced_ = false;
}

SnapshotClock::Turn SnapshotClock::next(TimeUs until_us, bool changed) {
  if (ends_us_) {
    if (*ends_us_ > until_us) {
      return Turn::kNone;
    }
    ended(*ends_us_);
    return Turn::kEnd;
  }
  if (!next_us_ || *next_us_ > until_us) {
    return Turn::kNone;
  }
  if (!changed) {
    // All that begin by then find nothing new; the last of them may be being stored still.
    const DurationUs cycle = std::max<DurationUs>(timing_.save_us + timing_.wait_us(), 1);
    const TimeUs last = *next_us_ + (until_us - *next_us_) / cycle * cycle;
    if (last + timing_.save_us > until_us) {
      if (last > *next_us_) {
        ended_us_ = last - cycle + timing_.save_us;
      }
      next_us_.reset();
      ends_us_ = last + timing_.save_us;
    } else {
      ended_us_ = last + timing_.save_us;
      next_us_ = last + cycle;
    }
    return Turn::kNone;
  }
  ends_us_ = *next_us_ + timing_.save_us;
  next_us_.reset();
  return Turn::kBegin;
}

std::optional<TimeUs> SnapshotClock::last_end_us(TimeUs until_us) const {
  SnapshotClock clock = *this;
  while (clock.next(until_us, false) != Turn::kNone) {
  }
  return clock.ended_us_;
}

}  // namespace aftershock::policies::ray_tune
