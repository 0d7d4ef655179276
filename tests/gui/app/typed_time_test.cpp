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
  EXPECT_EQ(typed_time_us("1d6h53m"), 30 * kHour_us + 53 * std::int64_t{60'000'000});
  EXPECT_EQ(typed_time_us("53m20s"), 3'200'000'000);
  // As reports and cards write it.
  EXPECT_EQ(typed_time_us("01:00:30"), kHour_us + 30'000'000);
  EXPECT_EQ(typed_time_us("1d 01:00:00"), 25 * kHour_us);
  EXPECT_EQ(typed_time_us("1d01:00:00.000001"), 25 * kHour_us + 1);
  EXPECT_EQ(typed_time_us("00:00:00.5"), 500'000);
}

TEST(TypedTime, IsNoneForAnythingElse) {
  for (const char* text : {"", " ", "noon", "5", "5x", "4h noon", "h", "-3s", "01:00", "24:00:00",
                           "00:60:00", "00:00:00.1234567", "1d 1:2:3x", "x01:00:00",
                           "99999999999999999999d", "100000000d100000000d"}) {
    EXPECT_EQ(typed_time_us(text), std::nullopt) << text;
  }
}

TEST(TypedTime, IsWrittenExactly) {
  struct Case {
    std::int64_t t_us;
    const char* text;
  };
  for (const Case& c : {Case{0, "0s"}, Case{187'200'000'000, "2d4h"}, Case{-5'000'000, "-5s"},
                        Case{3'661'001'001, "1h1min1s1ms1us"}, Case{1, "1us"},
                        Case{(std::int64_t{1} << 62), "53375995d14h27s387ms904us"}}) {
    EXPECT_EQ(typed_text(c.t_us), c.text);
    EXPECT_EQ(signed_time_us(c.text), c.t_us) << c.text;
  }
  EXPECT_EQ(signed_time_us("--5s"), std::nullopt);
  EXPECT_EQ(signed_time_us("-"), std::nullopt);
}

}  // namespace
}  // namespace aftershock::gui
