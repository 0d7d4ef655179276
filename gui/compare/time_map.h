#pragma once

#include <cstdint>
#include <vector>

#include "gui/trace/trace.h"

namespace aftershock::gui {

/// A moment of one run and the one of another that it is held against.
struct TimePair {
  std::int64_t a_us = 0;
  std::int64_t b_us = 0;

  friend bool operator==(const TimePair&, const TimePair&) = default;
};

/// Which moment of run B stands beside one of run A: through the pairs, straight between them, and
/// beyond them as fast as time goes. It never runs backwards.
class TimeMap {
 public:
  /// Without pairs every time stands beside itself. Of pairs that would have to be crossed the
  /// earlier one, by the time in A, is kept; equal times make a leap.
  explicit TimeMap(std::vector<TimePair> pairs = {});

  /// The time in B beside one in A, and the other way round, in microseconds.
  [[nodiscard]] std::int64_t to_b(std::int64_t a_us) const;
  [[nodiscard]] std::int64_t to_a(std::int64_t b_us) const;
  /// The first time in A beside which B is at `b_us` or later.
  [[nodiscard]] std::int64_t a_reaching(std::int64_t b_us) const;
  /// The pairs that were kept, in order.
  [[nodiscard]] const std::vector<TimePair>& pairs() const { return pairs_; }

 private:
  std::vector<TimePair> pairs_;
};

/// The time by which two runs are compared.
enum class Alignment : std::uint8_t {
  kTime,      ///< simulated time
  kFault,     ///< the same fault stands beside itself
  kProgress,  ///< how far the first job of that name in both has come, for the first time
};

/// The map for two runs; by time where they have nothing of the other kind in common.
TimeMap time_map(const Trace& a, const Trace& b, Alignment alignment);

}  // namespace aftershock::gui
