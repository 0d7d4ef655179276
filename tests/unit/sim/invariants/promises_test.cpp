#include "sim/invariants/promises.h"

#include <gtest/gtest.h>

namespace aftershock::sim {
namespace {

TEST(Promises, AreTakenOnceAndAnew) {
  Promises promises;
  EXPECT_FALSE(promises.any());
  EXPECT_FALSE(promises.take(Due::kStops).has_value());
  promises.make(Due::kStops, {.since_us = 3, .by_us = 8});
  promises.make(Due::kGrows, {.since_us = 4, .by_us = 9});
  EXPECT_TRUE(promises.made(Due::kStops));
  EXPECT_FALSE(promises.made(Due::kDecides));
  promises.extend(Due::kStops, 5);
  promises.extend(Due::kDecides, 5);
  const auto taken = promises.take(Due::kStops);
  ASSERT_TRUE(taken.has_value());
  EXPECT_EQ(taken->since_us, 3);
  EXPECT_EQ(taken->by_us, 13);
  EXPECT_FALSE(promises.take(Due::kStops).has_value());
  EXPECT_TRUE(promises.any());
  EXPECT_TRUE(promises.take(Due::kGrows).has_value());
  EXPECT_FALSE(promises.any());
}

}  // namespace
}  // namespace aftershock::sim
