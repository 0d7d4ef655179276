#include "gui/lod/extremes.h"

#include <random>
#include <span>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

namespace aftershock::gui {
namespace {

Extremes looked_at(std::span<const std::int64_t> values, std::size_t first, std::size_t last) {
  Extremes found;
  for (std::size_t i = first; i < last; ++i) {
    found.meet(values[i]);
  }
  return found;
}

TEST(ExtremeLevels, KnowWhatALookAtEachValueFinds) {
  std::mt19937 random(7);
  for (const std::size_t size : {0U, 1U, 15U, 16U, 17U, 255U, 256U, 257U, 5000U, 70'000U}) {
    std::vector<std::int64_t> values;
    ExtremeLevels levels;
    // It grows in three steps, as a recording does that is still written.
    for (int step = 1; step <= 3; ++step) {
      while (values.size() < size * static_cast<std::size_t>(step) / 3) {
        values.push_back(static_cast<std::int64_t>(random() % 100'000) - 50'000);
      }
      levels.extend(values);
    }
    ASSERT_EQ(levels.count(), size);
    EXPECT_EQ(levels.of(values, 0, size), looked_at(values, 0, size)) << size;
    for (int i = 0; i < 200; ++i) {
      std::size_t first = random() % (size + 1);
      std::size_t last = random() % (size + 1);
      if (first > last) {
        std::swap(first, last);
      }
      ASSERT_EQ(levels.of(values, first, last), looked_at(values, first, last))
          << size << ": " << first << ".." << last;
    }
  }
}

TEST(ExtremeLevelsDeathTest, WhatIsAskedForIsKnown) {
  const std::vector<std::int64_t> values{3, 1, 2};
  ExtremeLevels levels;
  levels.extend(values);
  EXPECT_DEATH(std::ignore = levels.of(values, 0, 4), "assertion failed");
  EXPECT_DEATH(levels.extend(std::span(values).first(2)), "assertion failed");
}

}  // namespace
}  // namespace aftershock::gui
