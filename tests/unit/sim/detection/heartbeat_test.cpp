#include "sim/detection/heartbeat.h"

#include <gtest/gtest.h>

#include "tests/unit/times.h"

namespace aftershock::sim::detection {
namespace {

struct HeartbeatRow {
  std::int64_t silent_us;
  std::int64_t every_us;
  std::uint32_t misses;
  std::int64_t wanted_us;
  std::int64_t timeout_us = 0;
};

// Heartbeats at multiples of the period; one that is due in the very microsecond still came.
TEST(Heartbeat, DeclaredAtTheTickOfTheLastMissedOne) {
  const HeartbeatRow rows[] = {
      {100 * kSecond, 5 * kSecond, 3, 115 * kSecond},  // 105, 110, 115 stay away
      {100 * kSecond + 1, 5 * kSecond, 3, 115 * kSecond},
      {104'999'999, 5 * kSecond, 3, 115 * kSecond},
      {105 * kSecond, 5 * kSecond, 3, 120 * kSecond},
      {99'999'999, 5 * kSecond, 3, 110 * kSecond},  // 100 stays away too
      {0, 5 * kSecond, 3, 15 * kSecond},
      {7 * kSecond, 5 * kSecond, 1, 10 * kSecond},
      {7 * kSecond, 3 * kSecond, 5, 21 * kSecond},  // 9 12 15 18 21
      {4'665'600'000'001, 1, 2, 4'665'600'000'003},
      // Asked at 8.5 s, without an answer until 9.5 s; asked again at 10 s and 11.5 s.
      {8 * kSecond, kSecond / 2, 3, 12'500'000, kSecond},
  };
  for (const HeartbeatRow& row : rows) {
    EXPECT_EQ(heartbeat_deadline_us(row.silent_us, row.every_us, row.misses, row.timeout_us),
              row.wanted_us)
        << row.silent_us;
  }
}

// O12: latency in [(m - 1) h, m h], mean (m - 1/2) h; h = 5 s, m = 3: 10, 12.5, 15 s.
TEST(Heartbeat, LatencyIsUniform) {
  constexpr std::int64_t kPeriod = 5 * kSecond;
  std::int64_t sum_us = 0;
  std::int64_t least_us = kPeriod * 100;
  std::int64_t most_us = 0;
  constexpr std::int64_t kStep = 1'000;
  for (std::int64_t phase_us = 0; phase_us < kPeriod; phase_us += kStep) {
    const std::int64_t silent_us = 1'000 * kPeriod + phase_us;
    const std::int64_t latency_us = heartbeat_deadline_us(silent_us, kPeriod, 3) - silent_us;
    sum_us += latency_us;
    least_us = std::min(least_us, latency_us);
    most_us = std::max(most_us, latency_us);
  }
  EXPECT_EQ(most_us, 15 * kSecond);
  EXPECT_EQ(least_us, 10 * kSecond + kStep);
  // The phases sampled are those at the left of each step: half a step above the mean.
  EXPECT_EQ(sum_us / (kPeriod / kStep), 12'500'000 + kStep / 2);
}

}  // namespace
}  // namespace aftershock::sim::detection
