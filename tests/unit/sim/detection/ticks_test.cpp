#include "sim/detection/ticks.h"

#include <gtest/gtest.h>

namespace aftershock::sim::detection {
namespace {

struct TickRow {
  std::int64_t since_us;
  std::int64_t after_us;
  std::int64_t wanted_us;
};

// A clock that ticks at 210, 270, 330, ...
TEST(Ticks, SureWhenItHasLastedSinceTheFirstTickThatShowedIt) {
  const TickRow rows[] = {
      {1500, 1800, 3330},  // 1530
      {1530, 1800, 3330}, {1531, 1800, 3390},
      {210, 1800, 2010},  {0, 1800, 2010},  // nobody looked before 210
      {1500, 1799, 3330},                   // never before it has lasted so long
      {1500, 1801, 3390}, {1500, 0, 1530},
  };
  for (const TickRow& row : rows) {
    EXPECT_EQ(tick_when_sure(row.since_us, row.after_us, 210, 60), row.wanted_us)
        << row.since_us << " " << row.after_us;
  }
}

}  // namespace
}  // namespace aftershock::sim::detection
