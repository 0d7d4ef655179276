#include "reports/dates/date.h"

#include <limits>

#include <gtest/gtest.h>

namespace aftershock::reports {
namespace {

constexpr std::int64_t kDayUs = std::int64_t{86'400} * 1'000'000;

TEST(Date, ADayHasOneDateAndItsText) {
  const struct {
    std::int64_t day;
    Date date;
    const char* text;
  } table[] = {
      {0, {1970, 1, 1}, "1970-01-01"},
      {-1, {1969, 12, 31}, "1969-12-31"},
      {11'016, {2000, 2, 29}, "2000-02-29"},
      {11'017, {2000, 3, 1}, "2000-03-01"},
      {19'782, {2024, 2, 29}, "2024-02-29"},
      {47'541, {2100, 3, 1}, "2100-03-01"},
      {20'777, {2026, 11, 20}, "2026-11-20"},
      {2'932'896, {9999, 12, 31}, "9999-12-31"},
      {2'932'897, {10000, 1, 1}, "10000-01-01"},
      {-719'528, {0, 1, 1}, "0000-01-01"},
      {-719'469, {0, 2, 29}, "0000-02-29"},
      {-719'529, {-1, 12, 31}, "-0001-12-31"},
      // Beyond the years that std::chrono counts.
      {-719'528 + 146'097 * 250, {100'000, 1, 1}, "100000-01-01"},
      {-719'528 - 146'097 * 250, {-100'000, 1, 1}, "-100000-01-01"},
  };
  for (const auto& row : table) {
    EXPECT_EQ(date_of(row.day), row.date) << row.text;
    EXPECT_EQ(day_of(row.date), row.day) << row.text;
    EXPECT_TRUE(is_date(row.date)) << row.text;
    EXPECT_EQ(text_of(row.date), row.text);
  }
}

// Day after day over 1,000 years: dates follow each other, and lead back.
TEST(Date, DaysFollowEachOther) {
  Date before = date_of(-400'000);
  for (std::int64_t day = -399'999; day < 0; ++day) {
    const Date date = date_of(day);
    ASSERT_EQ(day_of(date), day);
    const bool is_next_day =
        date.year == before.year && date.month == before.month && date.day == before.day + 1;
    const bool is_next_month =
        date.day == 1 && before.day >= 28 &&
        (date.month == before.month + 1 ||
         (date.month == 1 && before.month == 12 && date.year == before.year + 1));
    ASSERT_TRUE(is_next_day || is_next_month) << day;
    before = date;
  }
}

TEST(Date, WhatTheCalendarLacksIsNone) {
  const Date table[] = {{2025, 2, 29}, {1900, 2, 29},  {2100, 2, 29}, {2024, 2, 30}, {2026, 11, 31},
                        {2026, 13, 1}, {2026, 0, 1},   {2026, 1, 0},  {2026, 1, 32}, {2026, -1, 1},
                        {2026, 1, -1}, {2026, 257, 1}, {2026, 1, 257}};
  for (const Date& date : table) {
    EXPECT_FALSE(is_date(date)) << text_of(date);
  }
}

TEST(Date, AMomentHasADateAndAClock) {
  const struct {
    std::int64_t us;
    DateAndClock moment;
  } table[] = {
      {0, {{1970, 1, 1}, {0, 0, 0, 0}}},
      {3'723'000'004, {{1970, 1, 1}, {1, 2, 3, 4}}},
      {kDayUs - 1, {{1970, 1, 1}, {23, 59, 59, 999'999}}},
      {-1, {{1969, 12, 31}, {23, 59, 59, 999'999}}},
      {-kDayUs, {{1969, 12, 31}, {0, 0, 0, 0}}},
      {19'782 * kDayUs, {{2024, 2, 29}, {0, 0, 0, 0}}},
      {2'932'897 * kDayUs - 1, {{9999, 12, 31}, {23, 59, 59, 999'999}}},
      {std::numeric_limits<std::int64_t>::max(), {{294'247, 1, 10}, {4, 0, 54, 775'807}}},
      {std::numeric_limits<std::int64_t>::min(), {{-290'308, 12, 21}, {19, 59, 5, 224'192}}},
  };
  for (const auto& row : table) {
    const DateAndClock moment = moment_of(row.us);
    EXPECT_EQ(moment, row.moment) << row.us << ": " << text_of(moment.date);
    EXPECT_EQ(us_of(row.moment), row.us);
  }
  EXPECT_EQ(us_of(Clock{1, 2, 3, 4}), 3'723'000'004);
  EXPECT_EQ(text_of(Clock{1, 2, 3, 4}), "01:02:03.000004");
}

TEST(DateDeathTest, ADayThatTheCalendarLacksHasNoNumber) {
  EXPECT_DEATH(day_of({2026, 2, 29}), "assertion failed");
}

}  // namespace
}  // namespace aftershock::reports
