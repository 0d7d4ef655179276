#include "sim/advise/ties.h"

#include <gtest/gtest.h>

namespace aftershock::sim::advise {
namespace {

using Choices = std::vector<std::size_t>;

TEST(Ties, AreLeftToThoseWithinAHundredthOfTheLeast) {
  const std::vector<std::optional<double>> values{2.0, 1.005, std::nullopt, 1.0, 1.02};
  const auto value = [&values](std::size_t choice) { return values[choice]; };
  Choices all{0, 1, 2, 3, 4};
  EXPECT_TRUE(leave_least(all, value));
  EXPECT_EQ(all, (Choices{1, 3}));
  EXPECT_FALSE(leave_least(all, value)) << "they are alike";
  Choices none{2};
  EXPECT_FALSE(leave_least(none, value)) << "nothing tells them apart";
  EXPECT_EQ(none, Choices{2});
}

TEST(Ties, AreLeftToTheSafestAsFarAsRunsTell) {
  const auto lives = [](double alive, double low, double high) {
    ChoiceResult result;
    result.summary.alive = reports::Estimate{alive, reports::Interval{low, high}};
    return result;
  };
  const std::vector<ChoiceResult> results{lives(0.4, 0.3, 0.5), lives(0.95, 0.9, 0.98),
                                          lives(0.93, 0.88, 0.96), ChoiceResult()};
  Choices all{0, 1, 2, 3};
  EXPECT_TRUE(leave_safest(all, results));
  EXPECT_EQ(all, (Choices{1, 2, 3})) << "of the last nothing is known";
  EXPECT_FALSE(leave_safest(all, results));
}

}  // namespace
}  // namespace aftershock::sim::advise
