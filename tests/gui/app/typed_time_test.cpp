#include "gui/app/typed_time.h"

#include <gtest/gtest.h>

namespace aftershock::gui {
namespace {

TEST(TypedTime, AddsUpItsParts) {
  constexpr std::int64_t kHour_us = 3'600'000'000;
  EXPECT_EQ(typed_time_us("90s"), 90'000'000);
  EXPECT_EQ(typed_time_us("2d4h"), 52 * kHour_us);
  EXPECT_EQ(typed_time_us("2 d 4 h 3 min"), 52 * kHour_us + 180'000'000);
  EXPECT_EQ(typed_time_us("1.5h"), kHour_us * 3 / 2);
}

TEST(TypedTime, IsNoneForAnythingElse) {
  for (const char* text : {"", " ", "noon", "5", "5x", "4h noon", "h", "-3s",
                           "99999999999999999999d", "100000000d100000000d"}) {
    EXPECT_EQ(typed_time_us(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace aftershock::gui
