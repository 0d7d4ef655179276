#include "sim/workload/progress.h"

#include <gtest/gtest.h>

namespace aftershock::sim::workload {
namespace {

TEST(Progress, OfAFullGroupIsTime) {
  EXPECT_EQ(advance({4, 4}, 17, 0).work_us, 17);
  EXPECT_EQ(time_for({4, 4}, 17, 0), 17);
}

TEST(Progress, OfAPartIsInProportionAndCarriesTheRest) {
  const Pace pace{2, 3};
  const Advance first = advance(pace, 4, 0);  // 8/3
  EXPECT_EQ(first.work_us, 2);
  EXPECT_EQ(first.remainder, 2);
  const Advance second = advance(pace, 2, first.remainder);  // 4/3 + 2/3
  EXPECT_EQ(second.work_us, 2);
  EXPECT_EQ(second.remainder, 0);
}

// The time for some work is the shortest in which it is done, wherever the pieces are cut.
TEST(Progress, TimeIsTheInverseOfWork) {
  for (std::int64_t workers = 1; workers <= 7; ++workers) {
    const Pace pace{workers, 7};
    for (std::int64_t work_us = 1; work_us < 40; ++work_us) {
      for (std::int64_t remainder = 0; remainder < (workers == 7 ? 1 : 7); ++remainder) {
        const std::int64_t time_us = time_for(pace, work_us, remainder);
        EXPECT_GE(advance(pace, time_us, remainder).work_us, work_us);
        EXPECT_LT(advance(pace, time_us - 1, remainder).work_us, work_us);
      }
    }
  }
}

}  // namespace
}  // namespace aftershock::sim::workload
