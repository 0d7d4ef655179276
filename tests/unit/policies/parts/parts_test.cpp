#include <gtest/gtest.h>

#include "policies/parts/decimal_seconds.h"
#include "policies/parts/retry_budget.h"

namespace aftershock::policies {
namespace {

TEST(DecimalSeconds, AreExact) {
  EXPECT_EQ(microseconds_from_seconds("60"), 60'000'000);
  EXPECT_EQ(microseconds_from_seconds("2.0"), 2'000'000);
  EXPECT_EQ(microseconds_from_seconds("0.1"), 100'000);
  EXPECT_EQ(microseconds_from_seconds(".000001"), 1);
  EXPECT_EQ(microseconds_from_seconds("1."), 1'000'000);
  EXPECT_EQ(microseconds_from_seconds(" +7 "), 7'000'000);
  EXPECT_EQ(microseconds_from_seconds("1e3"), 1'000'000'000);
  EXPECT_EQ(microseconds_from_seconds("2.5E-3"), 2'500);
  EXPECT_EQ(microseconds_from_seconds("1e+2"), 100'000'000);
  EXPECT_EQ(microseconds_from_seconds("0.30000000000000000"), 300'000);
  EXPECT_EQ(microseconds_from_seconds("8589934592.123457"), 8'589'934'592'123'457);
  EXPECT_EQ(microseconds_from_seconds("999999999999.999999"), 999'999'999'999'999'999);
  EXPECT_EQ(microseconds_from_seconds("0"), 0);
  EXPECT_EQ(microseconds_from_seconds("0e999"), 0);
}

TEST(DecimalSeconds, RefuseWhatIsNoTime) {
  for (const char* text : {"",         " ",
                           "-1",       "-0",
                           "nan",      "inf",
                           "Infinity", "2s",
                           "1 2",      "1,5",
                           "0x10",     "1e",
                           "1e+",      "1e+-2",
                           "e3",       ".",
                           "1.2.3",    "0.0000001",
                           "1e-7",     "1000000000000",
                           "1e300",    "1e99999999999",
                           "--1",      "++1",
                           "1_000"}) {
    EXPECT_EQ(microseconds_from_seconds(text), std::nullopt) << text;
  }
}

TEST(RetryBudget, AllowsExactlyItsLimit) {
  RetryBudget budget{2, 0};
  EXPECT_FALSE(budget.charge());
  EXPECT_FALSE(budget.charge());
  EXPECT_TRUE(budget.charge());
  EXPECT_EQ(budget.used, 3);
  EXPECT_EQ(budget.limit(), 2);
}

TEST(RetryBudget, MinusOneIsUnlimitedAndMinusTwoIsNot) {
  RetryBudget unlimited{-1, 0};
  for (int failure = 0; failure < 1000; ++failure) {
    EXPECT_FALSE(unlimited.charge());
  }
  EXPECT_EQ(unlimited.limit(), std::nullopt);
  RetryBudget odd{-2, 0};
  EXPECT_TRUE(odd.charge());
  EXPECT_EQ(odd.limit(), -2);
}

}  // namespace
}  // namespace aftershock::policies
