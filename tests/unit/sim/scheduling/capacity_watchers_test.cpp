#include "sim/scheduling/capacity_watchers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace aftershock::sim::scheduling {
namespace {

TEST(CapacityWatchers, AreInTheOrderOfTheirNumbersWheneverTheyCame) {
  CapacityWatchers watchers;
  for (const std::uint32_t job : {7U, 0U, 3U}) {
    watchers.add(job);
  }
  EXPECT_THAT(watchers.jobs(), ::testing::ElementsAre(0, 3, 7));
  watchers.remove(3);
  EXPECT_THAT(watchers.jobs(), ::testing::ElementsAre(0, 7));
}

}  // namespace
}  // namespace aftershock::sim::scheduling
