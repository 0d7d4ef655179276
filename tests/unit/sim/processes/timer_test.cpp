#include "sim/processes/timer.h"

#include <gtest/gtest.h>
#include <poll.h>

namespace aftershock::sim::processes {
namespace {

bool goes_off(const Timer& timer, int ms) {
  pollfd waiting{timer.file().number(), POLLIN, 0};
  return ::poll(&waiting, 1, ms) == 1;
}

TEST(Timer, GoesOffWhenItIsTime) {
  constexpr int kMostMs = 20'000;
  constexpr std::int64_t kHourMs = 3'600'000;
  Timer timer;
  EXPECT_FALSE(goes_off(timer, 0));
  for (const std::int64_t ms : {0, 1, 1'001}) {
    timer.set(ms);
    EXPECT_TRUE(goes_off(timer, kMostMs)) << ms;
    timer.set(kHourMs);
    EXPECT_FALSE(goes_off(timer, 0)) << ms;
  }
}

}  // namespace
}  // namespace aftershock::sim::processes
