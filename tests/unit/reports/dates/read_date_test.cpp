#include "reports/dates/read_date.h"

#include <gtest/gtest.h>

namespace aftershock::reports {
namespace {

TEST(ReadDate, DatesAreTakenAndOthersRefused) {
  const struct {
    std::string_view text;
    std::optional<Date> date;
    std::string_view rest;
  } table[] = {
      {"2026-11-20T18:00", Date{2026, 11, 20}, "T18:00"},
      {"1970-01-01", Date{1970, 1, 1}, ""},
      {"2024-02-29", Date{2024, 2, 29}, ""},
      {"2000-02-29", Date{2000, 2, 29}, ""},
      {"0000-02-29", Date{0, 2, 29}, ""},
      {"9999-12-31Z", Date{9999, 12, 31}, "Z"},
      {"2025-02-29", {}, {}},
      {"1900-02-29", {}, {}},
      {"2026-11-31", {}, {}},
      {"2026-00-01", {}, {}},
      {"2026-13-01", {}, {}},
      {"2026-01-00", {}, {}},
      {"2026-1-01", {}, {}},
      {"-001-01-01", {}, {}},
      {"26-11-20", {}, {}},
      {"2026/11/20", {}, {}},
      {"2026-11-2", {}, {}},
      {"", {}, {}},
  };
  for (const auto& row : table) {
    std::string_view text = row.text;
    EXPECT_EQ(take_date(text), row.date) << row.text;
    if (row.date) {
      EXPECT_EQ(text, row.rest);
    }
  }
}

TEST(ReadDate, ClocksEndBeforeMidnight) {
  const struct {
    std::string_view text;
    std::optional<Clock> clock;
  } table[] = {
      {"00:00", Clock{0, 0, 0, 0}},
      {"23:59", Clock{23, 59, 0, 0}},
      {"24:00", {}},
      {"23:60", {}},
      {"1:00", {}},
      {"01.00", {}},
      {"01:0", {}},
      {"", {}},
  };
  for (const auto& row : table) {
    std::string_view text = row.text;
    EXPECT_EQ(take_hour_and_minute(text), row.clock) << row.text;
  }
}

TEST(ReadDate, SecondsAreThoseOfAMinuteAndALeapSecondWhereItIsLetIn) {
  const struct {
    std::string_view text;
    int most;
    std::optional<Clock> clock;
  } table[] = {
      {"23:59:59", 59, Clock{23, 59, 59, 0}},
      {"23:59:60", 60, Clock{23, 59, 60, 0}},
      {"23:59:60", 59, {}},
      {"23:59:61", 60, {}},
      {"23:59", 59, {}},
      {"23:59:5", 59, {}},
  };
  for (const auto& row : table) {
    std::string_view text = row.text;
    EXPECT_EQ(take_clock(text, row.most), row.clock) << row.text;
  }
}

TEST(ReadDate, FractionsAreCutToMicroseconds) {
  const struct {
    std::string_view text;
    std::optional<int> us;
    std::string_view rest;
  } table[] = {
      {"5Z", 500'000, "Z"},
      {"25", 250'000, ""},
      {"000001", 1, ""},
      {"1234567+", 123'456, "+"},
      {"Z", {}, "Z"},
      {"", {}, ""},
      {"99999999999999999999", 999'999, ""},
  };
  for (const auto& row : table) {
    std::string_view text = row.text;
    EXPECT_EQ(take_fraction_us(text), row.us) << row.text;
    EXPECT_EQ(text, row.rest);
  }
}

TEST(ReadDate, ZonesAreAheadOfUtc) {
  constexpr std::int64_t kMinuteUs = 60'000'000;
  const struct {
    std::string_view text;
    std::optional<std::int64_t> ahead_us;
  } table[] = {
      {"Z", 0},
      {"z", 0},
      {"+00:00", 0},
      {"+08:00", 480 * kMinuteUs},
      {"+0800", 480 * kMinuteUs},
      {"+08", 480 * kMinuteUs},
      {"-03:30", -210 * kMinuteUs},
      {"+23:59", 1'439 * kMinuteUs},
      {"", {}},
      {"+", {}},
      {"+8", {}},
      {"+24:00", {}},
      {"+08:60", {}},
      {"+08:0", {}},
      {"+08:000", {}},
      {"08:00", {}},
      {"-+08:00", {}},
      {"Zulu", {}},
  };
  for (const auto& row : table) {
    EXPECT_EQ(zone_ahead_us(row.text), row.ahead_us) << row.text;
  }
}

}  // namespace
}  // namespace aftershock::reports
