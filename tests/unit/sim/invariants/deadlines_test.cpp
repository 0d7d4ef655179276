#include "sim/invariants/deadlines.h"

#include <gtest/gtest.h>

namespace aftershock::sim::invariants {
namespace {

TEST(Deadlines, AreTakenOnceAndAnew) {
  Deadlines deadlines;
  EXPECT_FALSE(deadlines.any());
  EXPECT_FALSE(deadlines.take(DeadlineKind::kStops).has_value());
  deadlines.make(DeadlineKind::kStops, {.since_us = 3, .by_us = 8});
  deadlines.make(DeadlineKind::kGrows, {.since_us = 4, .by_us = 9});
  EXPECT_TRUE(deadlines.made(DeadlineKind::kStops));
  EXPECT_FALSE(deadlines.made(DeadlineKind::kDecides));
  deadlines.extend(DeadlineKind::kStops, 5);
  deadlines.extend(DeadlineKind::kDecides, 5);
  const auto taken = deadlines.take(DeadlineKind::kStops);
  ASSERT_TRUE(taken.has_value());
  EXPECT_EQ(taken->since_us, 3);
  EXPECT_EQ(taken->by_us, 13);
  EXPECT_FALSE(deadlines.take(DeadlineKind::kStops).has_value());
  EXPECT_TRUE(deadlines.any());
  EXPECT_TRUE(deadlines.take(DeadlineKind::kGrows).has_value());
  EXPECT_FALSE(deadlines.any());
}

}  // namespace
}  // namespace aftershock::sim::invariants
