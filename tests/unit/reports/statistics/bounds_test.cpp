#include "reports/statistics/bounds.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "reports/statistics/sample.h"

namespace aftershock::reports {
namespace {

struct Cut {
  std::string what;
  Interval interval;
  Bounds bounds;
  std::optional<Interval> wanted;
};

TEST(Within, CutsOffWhatCannotBe) {
  const Bounds share{0, 1};
  const Bounds amount{.low = 0};
  for (const Cut& row :
       std::initializer_list<Cut>{{"within", {0.2, 0.8}, share, Interval{0.2, 0.8}},
                                  {"above 1", {0.7, 1.3}, share, Interval{0.7, 1}},
                                  {"below 0", {-3, 5}, amount, Interval{0, 5}},
                                  {"no bounds", {-3, 5}, {}, Interval{-3, 5}},
                                  {"says nothing", {-4.6, 5.6}, share, std::nullopt},
                                  {"says nothing, to the end", {0, 1}, share, std::nullopt},
                                  {"surely 1", {1, 1}, share, Interval{1, 1}}}) {
    EXPECT_EQ(within(Estimate{0.5, row.interval}, row.bounds), (Estimate{0.5, row.wanted}))
        << row.what;
  }
  EXPECT_EQ(within(Estimate{0.5, {}}, share), (Estimate{0.5, {}}));
  EXPECT_EQ(within(std::nullopt, share), std::nullopt);
}

// t(0.975, 1) is 12.71: of 0.1 and 0.9 the interval is 0.5 +- 12.71 * 0.4, which says nothing of a
// share; of 0.95 and 0.99 it is 0.97 +- 12.71 * 0.02.
TEST(Within, HoldsMeansAndRatiosOfFewRuns) {
  const auto mean = [](std::vector<double> values) {
    return *within(summarise(values).mean_estimate(), {0, 1});
  };
  EXPECT_FALSE(mean({0.1, 0.9}).interval);
  ASSERT_TRUE(mean({0.95, 0.99}).interval);
  EXPECT_NEAR(mean({0.95, 0.99}).interval->low, 0.97 - 12.7062 * 0.02, 1e-5);
  EXPECT_EQ(mean({0.95, 0.99}).interval->high, 1);
  const std::vector<Pair> stuck{{99, 100}, {80, 100}};  // equal walls: the mean of the ratios
  const auto ratio = within(ratio_of_means(stuck), {0, 1});
  EXPECT_DOUBLE_EQ(ratio->value, 0.895);
  EXPECT_FALSE(ratio->interval) << "0.895 +- 12.71 * 0.095";
  ASSERT_TRUE(ratio_of_means(stuck)->interval);
  EXPECT_GT(ratio_of_means(stuck)->interval->high, 1);
}

TEST(BoundsDeathTest, TheLowerBoundIsNotAboveTheUpperOne) {
  const Estimate estimate{.value = 1, .interval = Interval{0, 2}};
  EXPECT_DEATH(within(estimate, {.low = 1, .high = 0}), "assertion failed");
}

}  // namespace
}  // namespace aftershock::reports
