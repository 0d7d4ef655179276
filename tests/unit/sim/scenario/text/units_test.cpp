#include "sim/scenario/text/units.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <regex.h>

namespace aftershock::sim::scenario {
namespace {

// These patterns mean the same to POSIX as to ECMA.
bool matches(const std::string& text, const std::string& pattern) {
  regex_t compiled;
  EXPECT_EQ(regcomp(&compiled, pattern.c_str(), REG_EXTENDED | REG_NOSUB), 0);
  const bool found = regexec(&compiled, text.c_str(), 0, nullptr, 0) == 0;
  regfree(&compiled);
  return found;
}

using Parse = UnitResult<std::int64_t> (*)(std::string_view);

struct Good {
  std::string text;
  std::int64_t value;
};

void expect_good(Parse parse, const std::string& pattern, const std::vector<Good>& cases) {
  for (const Good& each : cases) {
    SCOPED_TRACE(each.text);
    const auto result = parse(each.text);
    ASSERT_TRUE(std::holds_alternative<std::int64_t>(result))
        << std::get<TextProblem>(result).message;
    EXPECT_EQ(std::get<std::int64_t>(result), each.value);
    EXPECT_TRUE(matches(each.text, pattern));
  }
}

struct Bad {
  std::string text;
  std::string message;
  std::string nearest;
};

void expect_bad(Parse parse, const std::vector<Bad>& cases) {
  for (const Bad& each : cases) {
    SCOPED_TRACE(each.text);
    const auto result = parse(each.text);
    ASSERT_TRUE(std::holds_alternative<TextProblem>(result)) << std::get<std::int64_t>(result);
    EXPECT_EQ(std::get<TextProblem>(result).message, each.message);
    EXPECT_EQ(std::get<TextProblem>(result).nearest, each.nearest);
  }
}

TEST(Units, Durations) {
  expect_good(parse_duration, duration_pattern(),
              {{"0s", 0},
               {"10us", 10},
               {"250ms", 250'000},
               {"90s", 90'000'000},
               {"30min", 1'800'000'000},
               {"1.5h", 5'400'000'000},
               {"3d", 259'200'000'000},
               {"0.000001s", 1},
               {"0.1s", 100'000},
               {"1.50000000000000000000000000s", 1'500'000},
               {"007s", 7'000'000},
               {"0.3333333min", 19'999'998},
               {"106751991d", 106'751'991LL * 86'400'000'000},
               {"9223372036854.775807s", INT64_MAX},
               // No duration comes out a microsecond off, as it would through a double.
               {"9007199254.740993s", 9'007'199'254'740'993}});
}

TEST(Units, BadDurations) {
  expect_bad(parse_duration,
             {{"", "the text is empty", ""},
              {"90", "\"90\" has no unit", ""},
              {"90 s", "\"90 s\" has a blank before its unit", ""},
              {"s", "\"s\" does not begin with a number", ""},
              {".5s", "\".5s\" does not begin with a number", ""},
              {"5.s", "\"5.s\" does not begin with a number", ""},
              {"+5s", "\"+5s\" does not begin with a number", ""},
              {"-5s", "\"-5s\" is negative", ""},
              {"1e3s", "unknown unit \"e3s\" in \"1e3s\"", ""},
              {"5sec", "unknown unit \"sec\" in \"5sec\"", "s"},
              {"5m", "unknown unit \"m\" in \"5m\"", "min"},
              {"5hours", "unknown unit \"hours\" in \"5hours\"", "h"},
              {"5S", "unknown unit \"S\" in \"5S\"", "s"},
              {"1h30min", "unknown unit \"h30min\" in \"1h30min\"", ""},
              {"0.5us", "\"0.5us\" is not a whole number of microseconds", ""},
              {"9223372036854.775808s", "\"9223372036854.775808s\" is too large", ""},
              {"106751992d", "\"106751992d\" is too large", ""},
              {"99999999999999999999s", "\"99999999999999999999s\" is too large", ""},
              {"1.0000000000000000001s",
               "\"1.0000000000000000001s\" is not a whole number of microseconds", ""}});
}

TEST(Units, Sizes) {
  expect_good(parse_size, size_pattern(),
              {{"0B", 0},
               {"1B", 1},
               {"1.5KB", 1'500},
               {"2TB", 2'000'000'000'000},
               {"1KiB", 1'024},
               {"0.5GiB", 536'870'912},
               {"1TiB", 1'099'511'627'776}});
  expect_bad(parse_size, {{"2tb", "unknown unit \"tb\" in \"2tb\"", "TB"},
                          {"2Gb", "unknown unit \"Gb\" in \"2Gb\"", "GB"},
                          {"0.5B", "\"0.5B\" is not a whole number of bytes", ""},
                          {"9223373TB", "\"9223373TB\" is too large", ""}});
}

TEST(Units, Rates) {
  expect_good(parse_rate, rate_pattern(),
              {{"50GB/s", 50'000'000'000},
               {"400Gbit/s", 50'000'000'000},
               {"8bit/s", 1},
               {"0.1Gbit/s", 12'500'000},
               {"1GiB/s", 1'073'741'824}});
  expect_bad(parse_rate, {{"50GB", "unknown unit \"GB\" in \"50GB\"", "GB/s"},
                          {"400Gbps", "unknown unit \"Gbps\" in \"400Gbps\"", "Gbit/s"},
                          // Eight times as much is what GB/s would be.
                          {"400Gb/s", "unknown unit \"Gb/s\" in \"400Gb/s\"", "Gbit/s"},
                          {"1Mb/s", "unknown unit \"Mb/s\" in \"1Mb/s\"", "Mbit/s"},
                          {"1bit/s", "\"1bit/s\" is not a whole number of bytes a second", ""}});
}

TEST(Units, Percentages) {
  expect_good(parse_percentage, percentage_pattern(),
              {{"0%", 0}, {"50%", 500'000}, {"12.5%", 125'000}, {"100%", 1'000'000}});
  expect_bad(parse_percentage,
             {{"100.1%", "\"100.1%\" is more than the whole", ""},
              {"0.00001%", "\"0.00001%\" is not a whole number of millionths", ""}});
}

TEST(Units, FailureRates) {
  struct Case {
    std::string text;
    double gap_us;
    RatePer per;
  };
  constexpr double kMicrosPerDay = 86'400'000'000.0;
  const Case cases[] = {{"1/node-day", kMicrosPerDay, RatePer::kNode},
                        {"2/node-days", kMicrosPerDay / 2, RatePer::kNode},
                        {"3.79/1000 node-days", kMicrosPerDay * 1000 * 100 / 379, RatePer::kNode},
                        {"0.1/pool-day", kMicrosPerDay * 10, RatePer::kPool},
                        {"0.5/job-hour", kMicrosPerDay / 12, RatePer::kJob},
                        {"6.50/1000000 accelerator-hours", kMicrosPerDay / 24 * 1'000'000 * 10 / 65,
                         RatePer::kAccelerator}};
  for (const Case& each : cases) {
    SCOPED_TRACE(each.text);
    const auto result = parse_failure_rate(each.text);
    ASSERT_TRUE(std::holds_alternative<StochasticSource>(result));
    EXPECT_EQ(std::get<StochasticSource>(result).mean_gap_us, each.gap_us);
    EXPECT_EQ(std::get<StochasticSource>(result).per, each.per);
    EXPECT_TRUE(matches(each.text, failure_rate_pattern()));
  }
  struct Wrong {
    std::string text;
    std::string message;
    std::string nearest;
  };
  const Wrong wrongs[] = {
      {"", "\"\" does not begin with a number", ""},
      {"1", "\"1\" has no \"/\" after the number", ""},
      {"1/1000node-days", "\"1/1000node-days\" has no blank after \"/1000\"", ""},
      {"1/1000 ", "unknown unit \"\" in \"1/1000 \"", ""},
      {"1/nodes-day", "unknown unit \"nodes\" in \"1/nodes-day\"", "node"},
      {"1/node", "unknown time \"\" in \"1/node\"", ""},
      {"1/node-dais", "unknown time \"dais\" in \"1/node-dais\"", "days"},
      {"0.0/node-day", "\"0.0/node-day\" is not above zero", ""},
      {"1/0 node-days", "\"1/0 node-days\" divides by zero", ""},
      {"1/1000000000000000 node-days", "\"1000000000000000\" is too large", ""},
      {"1.2345678901234567890/node-day", "\"1.2345678901234567890/node-day\" has too many digits",
       ""}};
  for (const Wrong& each : wrongs) {
    SCOPED_TRACE(each.text);
    const auto result = parse_failure_rate(each.text);
    ASSERT_TRUE(std::holds_alternative<TextProblem>(result));
    EXPECT_EQ(std::get<TextProblem>(result).message, each.message);
    EXPECT_EQ(std::get<TextProblem>(result).nearest, each.nearest);
  }
}

TEST(Units, FormatsDurationsForPeople) {
  const Good cases[] = {{"0s", 0},
                        {"7us", 7},
                        {"250ms", 250'000},
                        {"1.5ms", 1'500},
                        {"12.5s", 12'500'000},
                        {"59.999999s", 59'999'999},
                        {"00:01:00", 60'000'000},
                        {"03:12:07.250", 11'527'250'000},
                        {"2d 03:12:07.250", 184'327'250'000},
                        {"1d 00:00:00.000001", 86'400'000'001},
                        {"-12.5s", -12'500'000},
                        {"-106751991d 04:00:54.775807", INT64_MIN}};
  for (const Good& each : cases) EXPECT_EQ(format_duration(each.value), each.text);
}

}  // namespace
}  // namespace aftershock::sim::scenario
