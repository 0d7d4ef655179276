#include "sim/detection/poll_clock.h"

#include "base/assert.h"
#include "sim/detection/ticks.h"

namespace aftershock::sim::detection {

PollClock::PollClock(std::int64_t anchor_us, std::int64_t period_us, std::int64_t answer_wait_us)
    : anchor_us_(anchor_us), period_us_(period_us), answer_wait_us_(answer_wait_us) {
  AFTERSHOCK_ASSERT(period_us > 0 && answer_wait_us >= 0);
}

std::int64_t PollClock::tick_at_or_after(std::int64_t at_us) const {
  return sim::detection::tick_at_or_after(at_us, anchor_us_, period_us_);
}

void PollClock::fall_silent(std::int64_t at_us) {
  // The first to fall silent holds up the rounds; others add nothing to that.
  if (!silent_since_us_) {
    silent_since_us_ = at_us;
  }
}

std::int64_t PollClock::first_unanswered() const {
  AFTERSHOCK_ASSERT(silent_since_us_.has_value());
  return tick_at_or_after(*silent_since_us_);
}

std::int64_t PollClock::end_silence(std::int64_t at_us) {
  AFTERSHOCK_ASSERT(silent_since_us_.has_value() && at_us >= *silent_since_us_);
  const std::int64_t first = first_unanswered();
  silent_since_us_.reset();
  if (at_us < first) {
    return first;  // no poll fell into the silence
  }
  const std::int64_t round_us = answer_wait_us_ + period_us_;
  const std::int64_t begin = first + (at_us - first) / round_us * round_us;
  // The last missing answer ends the round that waits for it; in the pause between two rounds
  // nobody listens, and the next one begins on time (ray.md 1.5).
  anchor_us_ = at_us <= begin + answer_wait_us_ ? at_us : begin + round_us;
  return anchor_us_;
}

std::int64_t PollClock::observes(std::int64_t visible_us) const {
  const std::int64_t tick = tick_at_or_after(visible_us);
  if (!silent_since_us_ || tick < first_unanswered()) {
    return tick;
  }
  // All ranks are asked when a round begins, and its answers are read together when the silent one
  // has used up its time (ray.md 1.5): the first round that begins late enough shows it.
  const std::int64_t first = first_unanswered();
  const std::int64_t round_us = answer_wait_us_ + period_us_;
  const std::int64_t rounds =
      visible_us <= first ? 0 : (visible_us - first + round_us - 1) / round_us;
  return first + rounds * round_us + answer_wait_us_;
}

std::int64_t PollClock::observes_while_others_silent(std::int64_t at_us) const {
  const std::int64_t first = first_unanswered();
  if (at_us <= first) {
    return observes(at_us);
  }
  // An answer within a round is read with that round; one in the pause waits for the next.
  const std::int64_t round_us = answer_wait_us_ + period_us_;
  const std::int64_t end = first + (at_us - first) / round_us * round_us + answer_wait_us_;
  return at_us <= end ? end : end + round_us;
}

std::int64_t PollClock::limit_exceeded(std::int64_t limit_us) const {
  AFTERSHOCK_ASSERT(limit_us >= 0);
  const std::int64_t round_us = answer_wait_us_ + period_us_;
  // The limit is looked at when a round ends, and must be exceeded: a silence of exactly the limit
  // lasts one round more (ray.md 1.5).
  const std::int64_t over = limit_us - answer_wait_us_;
  const std::int64_t rounds = over < 0 ? 0 : over / round_us + 1;
  return first_unanswered() + answer_wait_us_ + rounds * round_us;
}

}  // namespace aftershock::sim::detection
