#include "gui/view/ruler.h"

#include <limits>

#include <gtest/gtest.h>

#include "gui/view/wall_time.h"
#include "tests/unit/times.h"

namespace aftershock::gui {
namespace {

constexpr std::int64_t kMs = 1'000;

std::string joined(const Ruler& ruler) {
  std::string text = ruler.context.empty() ? "" : "[" + ruler.context + "] ";
  for (const Tick& tick : ruler.ticks) {
    text += (&tick == ruler.ticks.data() ? "" : ", ") + tick.label;
  }
  return text;
}

TEST(Ruler, InSimulatedTime) {
  const std::int64_t late = 2 * kDay + 4 * kHour + 3 * kMinute + 12 * kSecond;
  const struct {
    TimeRange shown;
    int most;
    const char* labels;
  } table[] = {
      {{0, 5}, 10, "0 s, 1 us, 2 us, 3 us, 4 us"},
      {{0, 10 * kSecond}, 10, "0 s, 1 s, 2 s, 3 s, 4 s, 5 s, 6 s, 7 s, 8 s, 9 s"},
      {{0, 10 * kSecond + 1}, 10, "0 s, 2 s, 4 s, 6 s, 8 s, 10 s"},
      {{0, kHour}, 6, "0 s, 10 min, 20 min, 30 min, 40 min, 50 min"},
      {{0, 3 * kDay}, 7, "0 s, 12 h, 1 d, 1 d 12 h, 2 d, 2 d 12 h"},
      {{-kDay, 2 * kDay}, 3, "-1 d, 0 s, 1 d"},
      {{22 * kHour, 50 * kHour}, 5, "1 d, 1 d 6 h, 1 d 12 h, 1 d 18 h, 2 d"},
      {{0, 365 * kDay}, 8, "0 s, 50 d, 100 d, 150 d, 200 d, 250 d, 300 d, 350 d"},
      // A mark at which a minute begins says so; the rest is left to the context.
      {{late - 14 * kSecond, late - 8 * kSecond},
       6,
       "[2 d 4 h] 2 min 58 s, 2 min 59 s, 3 min, 3 min 1 s, 3 min 2 s, 3 min 3 s"},
      {{late + 250, late + 253}, 5, "[2 d 4 h 3 min 12 s] 250 us, 251 us, 252 us"},
      {{late - 1, late + 2}, 5, "[2 d 4 h 3 min 11 s] 999.999 ms, 12 s, 1 us"},
      {{late + 998 * kMs, late + 1'002 * kMs},
       5,
       "[2 d 4 h 3 min] 12.998 s, 12.999 s, 13 s, 13.001 s"},
      {{2 * kDay - kMinute, 2 * kDay + 2 * kMinute}, 5, "[1 d] 23 h 59 min, 2 d, 1 min"},
  };
  for (const auto& row : table) {
    const Ruler ruler = simulated_ruler(row.shown, row.most);
    EXPECT_LE(std::ssize(ruler.ticks), row.most);
    EXPECT_EQ(joined(ruler), row.labels);
  }
}

TEST(Ruler, AnyRangeHasFewMarksAndSome) {
  for (int shift = 0; shift < 62; ++shift) {
    for (const std::int64_t begin : {std::int64_t{0}, std::int64_t{-12'345}, 3 * kDay + 7}) {
      for (const int most : {1, 2, 10, 30}) {
        const TimeRange shown{begin, begin + (std::int64_t{3} << shift) / 2 + 1};
        for (const bool wall : {false, true}) {
          const Ruler ruler = wall ? wall_ruler(shown, 1'763'632'800 * kSecond, most)
                                   : simulated_ruler(shown, most);
          ASSERT_LE(std::ssize(ruler.ticks), most) << shift;
          // Steps are at most 2.5 times too wide, from weeks to months 4, from years on 5 times.
          const std::int64_t length = shown.end_us - shown.begin_us;
          ASSERT_GE(std::ssize(ruler.ticks), std::min<std::int64_t>(length, most) / 6)
              << shift << " " << wall;
          for (std::size_t i = 0; i < ruler.ticks.size(); ++i) {
            ASSERT_GE(ruler.ticks[i].t_us, shown.begin_us);
            ASSERT_LT(ruler.ticks[i].t_us, shown.end_us);
            ASSERT_TRUE(i == 0 || ruler.ticks[i - 1].t_us < ruler.ticks[i].t_us);
          }
        }
      }
    }
  }
}

TEST(Ruler, InWallClockTime) {
  const struct {
    const char* start;
    TimeRange shown;
    int most;
    const char* labels;
  } table[] = {
      {"2026-11-20T18:00:00+08:00", {0, 4 * kHour}, 5, "[2026-11-20] 10:00, 11:00, 12:00, 13:00"},
      {"2026-11-20T23:00:00Z", {0, 3 * kHour}, 5, "[2026-11-20] 23:00, 2026-11-21, 01:00"},
      {"2026-11-20T10:00:05Z", {0, 3 * kSecond}, 3, "[2026-11-20] 10:00:05, 10:00:06, 10:00:07"},
      {"2026-11-20T10:00:59.999Z",
       {0, 3 * kMs},
       3,
       "[2026-11-20 10:00] 59.999, 10:01:00.000, 00.001"},
      {"2024-02-28", {0, 3 * kDay}, 3, "2024-02-28, 2024-02-29, 2024-03-01"},
      // Mondays.
      {"2026-11-20", {0, 21 * kDay}, 4, "2026-11-23, 2026-11-30, 2026-12-07"},
      {"2025-11-20", {0, 120 * kDay}, 6, "2025-12, 2026-01, 2026-02, 2026-03"},
      {"2025-11-20", {0, 365 * kDay}, 6, "2026-01, 2026-04, 2026-07, 2026-10"},
      {"1999-06-01", {0, 1461 * kDay}, 5, "2000, 2001, 2002, 2003"},
      {"1999-06-01", {0, 36'525 * kDay}, 6, "2000, 2020, 2040, 2060, 2080"},
  };
  for (const auto& row : table) {
    const auto start = parse_start(row.start);
    ASSERT_TRUE(start);
    EXPECT_EQ(joined(wall_ruler(row.shown, *start, row.most)), row.labels) << row.start;
  }
}

TEST(Ruler, Times) {
  const struct {
    std::int64_t t_us;
    std::int64_t step_us;
    const char* text;
  } table[] = {
      {0, 1, "0 s"},
      {13, 1, "13 us"},
      {-3, 1, "-3 us"},
      {1'250, 1, "1.25 ms"},
      {999'999, 1, "999.999 ms"},
      {12'500'000, 1, "12.5 s"},
      {12'500'001, 1, "12.500001 s"},
      {12'500'001, kMs, "12.5 s"},
      {12'500'001, kSecond, "12 s"},
      {12'500'001, kMinute, "0 s"},
      {-12'500'001, kMinute, "0 s"},
      {52 * kHour + 3 * kMinute + 500 * kMs, 1, "2d 04:03:00.5"},
      {52 * kHour + 3 * kMinute + 500 * kMs, 5 * kSecond, "2d 04:03:00"},
      {52 * kHour, 1, "2d 04:00:00"},
      {-kDay, 1, "-1d 00:00:00"},
      {std::numeric_limits<std::int64_t>::max(), kDay, "53375995d 00:00:00"},
  };
  for (const auto& row : table) {
    EXPECT_EQ(format_simulated(row.t_us, row.step_us), row.text) << row.t_us;
  }
}

TEST(Ruler, BothClocksOfARowShowOneMoment) {
  const auto start = run_start("2026-11-20T18:00:00+08:00");
  ASSERT_TRUE(start);
  const std::int64_t t_us = kDay + 6 * kHour + 47 * kMinute + 40 * kSecond + 600 * kMs;
  const struct {
    std::int64_t step_us;
    const char* text;
  } table[] = {
      {1, "1d 06:47:40.6  (2026-11-22 00:47:40.600000 +08:00)"},
      {kSecond, "1d 06:47:40  (2026-11-22 00:47:40 +08:00)"},
      {100 * kSecond, "1d 06:47:00  (2026-11-22 00:47:00 +08:00)"},
  };
  for (const auto& row : table) {
    EXPECT_EQ(format_both(t_us, start, row.step_us), row.text);
  }
  EXPECT_EQ(format_both(t_us, std::nullopt, kSecond), "1d 06:47:40");
  EXPECT_EQ(format_both(kSecond, run_start("2026-11-20T18:00-0330"), kSecond),
            "1 s  (2026-11-20 18:00:01 -03:30)");
  EXPECT_EQ(run_start("2026-11-20")->zone, "UTC");
}

TEST(Ruler, Starts) {
  const struct {
    const char* text;
    const char* wall;
  } table[] = {
      {"2026-11-20T18:00:00+08:00", "2026-11-20 10:00:00.000000"},
      {"2026-11-20T18:00:00Z", "2026-11-20 18:00:00.000000"},
      {"2026-11-20 18:00", "2026-11-20 18:00:00.000000"},
      {"2026-11-20T18:00:00.1234567-0330", "2026-11-20 21:30:00.123456"},
      {"2026-01-01T00:30+01", "2025-12-31 23:30:00.000000"},
      {"1969-12-31T23:59:59Z", "1969-12-31 23:59:59.000000"},
      {"2024-02-29", "2024-02-29 00:00:00.000000"},
      {"0001-01-01", "0001-01-01 00:00:00.000000"},
  };
  for (const auto& row : table) {
    const auto start = parse_start(row.text);
    ASSERT_TRUE(start) << row.text;
    EXPECT_EQ(format_wall(*start), row.wall) << row.text;
  }
  for (const char* text : {"",
                           "now",
                           "2026",
                           "2026-11",
                           "2026-13-01",
                           "2026-00-01",
                           "2025-02-29",
                           "2026-11-31",
                           "2026-11-20T",
                           "2026-11-20T18",
                           "2026-11-20T24:00",
                           "2026-11-20T18:60",
                           "2026-11-20T18:00:60",
                           "2026-11-20T18:00:00.",
                           "2026-11-20T18:00:00X",
                           "2026-11-20T18:00:00+8",
                           "2026-11-20T18:00:00+08:0",
                           "2026-11-20T18:00:00Z ",
                           "26-11-20",
                           "2026-11-20X18:00"}) {
    EXPECT_FALSE(parse_start(text)) << text;
  }
}

TEST(RulerDeathTest, ARulerHasRoomForAMark) {
  EXPECT_DEATH(simulated_ruler({0, 1000}, 0), "assertion failed");
}

}  // namespace
}  // namespace aftershock::gui
