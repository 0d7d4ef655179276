// Both headers, as a source of sim may have them: the compiler warns unless they say the same.
#include "reports/assert.h"

#include <gtest/gtest.h>

#include "policies/api/assert.h"

namespace aftershock::reports {
namespace {

TEST(AssertDeathTest, SaysWhereAndWhatBeforeItAborts) {
  const int two = 2;
  EXPECT_DEATH(AFTERSHOCK_ASSERT(two == 3),
               "tests/unit/reports/assert_test.cpp:14: assertion failed: two == 3");
}

TEST(Assert, LooksAtItsConditionOnce) {
  int looks = 0;
  AFTERSHOCK_ASSERT(++looks > 0);
  EXPECT_EQ(looks, 1);
}

}  // namespace
}  // namespace aftershock::reports
