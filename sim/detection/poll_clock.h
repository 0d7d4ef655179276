#pragma once

#include <cstdint>
#include <optional>

namespace aftershock::sim::detection {

/// When a controller that polls its workers gets to see things, without playing a single poll
/// (ray.md 1.5). While all answer, polls are at anchor, anchor + period, ... and take no
/// time. While somebody stays silent, a round takes the whole answer wait, and the next begins a
/// period after its end.
class PollClock {
 public:
  PollClock() = default;
  PollClock(std::int64_t anchor_us, std::int64_t period_us, std::int64_t answer_wait_us);

  /// A worker stops answering at `at_us`.
  void fall_silent(std::int64_t at_us);

  /// The last silent worker answers, or its death is known, at `at_us`: when the controller goes on
  /// from there. The polls after are counted from it.
  std::int64_t end_silence(std::int64_t at_us);

  /// When something that answering workers show from `visible_us` on is acted upon.
  [[nodiscard]] std::int64_t observes(std::int64_t visible_us) const;

  /// When the end of one silence among several, at `at_us`, is acted upon: at the end of the round
  /// that it falls into.
  [[nodiscard]] std::int64_t observes_while_others_silent(std::int64_t at_us) const;

  /// The end of the first round at which the open silence has lasted strictly longer than
  /// `limit_us`, counted from the first poll left unanswered.
  [[nodiscard]] std::int64_t limit_exceeded(std::int64_t limit_us) const;

  /// The first poll that the open silence left unanswered.
  [[nodiscard]] std::int64_t first_unanswered() const;
  [[nodiscard]] bool silent() const { return silent_since_us_.has_value(); }
  [[nodiscard]] std::int64_t period_us() const { return period_us_; }

 private:
  [[nodiscard]] std::int64_t tick_at_or_after(std::int64_t at_us) const;

  std::int64_t anchor_us_ = 0;
  std::int64_t period_us_ = 1;
  std::int64_t answer_wait_us_ = 0;
  std::optional<std::int64_t> silent_since_us_;
};

}  // namespace aftershock::sim::detection
