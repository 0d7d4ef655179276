#include "sim/drivers/heads.h"

#include <optional>

#include <gtest/gtest.h>

namespace aftershock::sim::drivers {
namespace {

TEST(Heads, StayDownWithoutARestart) {
  Heads heads(2);
  EXPECT_EQ(heads.count(), 2U);
  EXPECT_EQ(heads.lose(1, std::nullopt), std::nullopt);
  EXPECT_TRUE(heads.up(0));
  EXPECT_FALSE(heads.up(1));
  EXPECT_FALSE(heads.returns(1));
}

TEST(Heads, ReturnAsOftenAsTheirLimit) {
  Heads heads(1);
  scenario::HeadRestart restart;
  restart.limit = 2;
  for (const std::uint32_t nth : {1U, 2U}) {
    EXPECT_EQ(heads.lose(0, restart), nth);
    EXPECT_FALSE(heads.up(0));
    EXPECT_TRUE(heads.returns(0));
    heads.restore(0);
    EXPECT_TRUE(heads.up(0));
    EXPECT_TRUE(heads.returns(0));
  }
  EXPECT_EQ(heads.lose(0, restart), std::nullopt);
  EXPECT_FALSE(heads.returns(0));
}

TEST(Heads, ReturnEveryTimeWithoutALimit) {
  Heads heads(1);
  for (std::uint32_t nth = 1; nth <= 5; ++nth) {
    EXPECT_EQ(heads.lose(0, scenario::HeadRestart()), nth);
    heads.restore(0);
  }
}

TEST(HeadsDeathTest, GoDownOnceAndReturnWhereARestartIs) {
  Heads heads(1);
  EXPECT_DEATH(heads.restore(0), "assertion failed");
  EXPECT_DEATH(static_cast<void>(heads.up(1)), "assertion failed");
  heads.lose(0, std::nullopt);
  EXPECT_DEATH(heads.lose(0, std::nullopt), "assertion failed");
  EXPECT_DEATH(heads.restore(0), "assertion failed");
}

}  // namespace
}  // namespace aftershock::sim::drivers
