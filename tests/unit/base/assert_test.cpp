#include "base/assert.h"

#include <gtest/gtest.h>

namespace aftershock {
namespace {

TEST(AssertDeathTest, SaysWhereAndWhatBeforeItAborts) {
  const int two = 2;
  EXPECT_DEATH(AFTERSHOCK_ASSERT(two == 3),
               "tests/unit/base/assert_test.cpp:[0-9]+: assertion failed: two == 3");
}

TEST(Assert, LooksAtItsConditionOnce) {
  int looks = 0;
  AFTERSHOCK_ASSERT(++looks > 0);
  EXPECT_EQ(looks, 1);
}

}  // namespace
}  // namespace aftershock
