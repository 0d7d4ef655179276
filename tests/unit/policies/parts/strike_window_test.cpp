#include "policies/parts/strike_window.h"

#include <gtest/gtest.h>

namespace aftershock::policies {
namespace {

TEST(StrikeWindow, FiresWhenTheLastOnesLieStrictlyWithinTheWindow) {
  struct Row {
    std::vector<TimeUs> strikes;
    std::vector<bool> fires;
  };
  const Row rows[] = {
      {{0, 50, 99}, {false, false, true}},
      {{0, 50, 100}, {false, false, false}},
      {{0, 0, 0}, {false, false, true}},
      {{0, 90, 110, 180, 300}, {false, false, false, true, false}},
      {{0, 1, 2, 3}, {false, false, true, true}},
  };
  for (const Row& row : rows) {
    StrikeWindow window;
    std::vector<bool> fires;
    for (const TimeUs at : row.strikes) {
      fires.push_back(window.strike(at, 3, 100));
    }
    EXPECT_EQ(fires, row.fires);
    EXPECT_LE(window.times.size(), 3U);
  }
}

}  // namespace
}  // namespace aftershock::policies
