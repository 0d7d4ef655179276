#include "sim/import/moment.h"

#include <gtest/gtest.h>

namespace aftershock::sim::imports {
namespace {

TEST(Moment, DatesAreReadInTheirZones) {
  // 2026-11-20T10:00:00Z is 1 795 168 800 s after 1970 (20 777 days and 10 hours).
  constexpr std::int64_t kTen = (std::int64_t{20'777} * 24 + 10) * 3600 * 1'000'000;
  const std::pair<const char*, std::int64_t> cases[] = {
      {"2026-11-20T10:00:00Z", kTen},
      {"2026-11-20T18:00:00+08:00", kTen},
      {"2026-11-20 18:00:00+0800", kTen},
      {"2026-11-20T04:30:00-05:30", kTen},
      {"2026-11-20T10:00:00", kTen},
      {"2026-11-20T10:00:00.25Z", kTen + 250'000},
      {"1970-01-01T00:00:00Z", 0},
      {"2024-02-29T00:00:00Z", std::int64_t{19'782} * 86'400 * 1'000'000},
  };
  for (const auto& [text, us] : cases) {
    const auto moment = parse_moment(text);
    ASSERT_TRUE(std::holds_alternative<Moment>(moment)) << text;
    EXPECT_EQ(std::get<Moment>(moment).us, us) << text;
    EXPECT_TRUE(std::get<Moment>(moment).dated) << text;
  }
  EXPECT_FALSE(std::get<Moment>(parse_moment("2026-11-20T10:00:00")).zoned);
  EXPECT_EQ(date_text(kTen), "2026-11-20T10:00:00Z");
}

TEST(Moment, NumbersAreSecondsAndDurationsHaveUnits) {
  EXPECT_EQ(std::get<Moment>(parse_moment("12.5")).us, 12'500'000);
  EXPECT_EQ(std::get<Moment>(parse_moment("0")).us, 0);
  EXPECT_EQ(std::get<Moment>(parse_moment("3.9d")).us, 336'960'000'000);
  EXPECT_FALSE(std::get<Moment>(parse_moment("3.9d")).dated);
}

TEST(Moment, WhatIsNoneIsAnError) {
  for (const char* text :
       {"", "-1", "x", "1e300", "99999999999999999999", "2026-13-01T00:00:00Z",
        "2025-02-29T00:00:00Z", "2026-11-20T24:00:00Z", "2026-11-20T10:00:00+99:00", "2026-11-20",
        "2026-11-20T10:00:00Zulu", "2026-11-20T10:00:00+0:800", "nan", "inf", "200000d"}) {
    EXPECT_TRUE(std::holds_alternative<scenario::TextProblem>(parse_moment(text))) << text;
  }
}

TEST(Moment, ADateOfAnotherFormIsAnErrorThatSaysWhichFormsAreRead) {
  for (const char* text : {"20/11/2026 01:12", "11/20/2026", "20.11.2026 01:12", "20-11-2026",
                           "2026/11/20T01:12:00", "01:12", "20/11/26"}) {
    const auto moment = parse_moment(text);
    const auto* problem = std::get_if<scenario::TextProblem>(&moment);
    ASSERT_NE(problem, nullptr) << text;
    EXPECT_EQ(problem->message, "\"" + std::string(text) + "\" is not a date and time");
    EXPECT_NE(problem->expected.find("ISO 8601"), std::string::npos) << problem->expected;
  }
}

TEST(Moment, DurationsAreWrittenExactly) {
  const std::pair<std::int64_t, const char*> cases[] = {
      {0, "0s"},
      {336'571'200'000, "3.8955d"},
      {3'600'000'000, "1h"},
      {90'000'000, "90s"},
      {1'800'000'000, "30min"},
      {7'080'000'000, "118min"},
      {12'600'000'000, "3.5h"},
      {250'000, "250ms"},
      {1, "1us"},
      {18'000'000'001, "18000.000001s"},
  };
  for (const auto& [us, text] : cases) {
    EXPECT_EQ(duration_text(us), text);
    EXPECT_EQ(std::get<std::int64_t>(scenario::parse_duration(duration_text(us))), us);
  }
}

}  // namespace
}  // namespace aftershock::sim::imports
