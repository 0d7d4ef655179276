#include "reports/render/format.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/times.h"

namespace aftershock::reports {
namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();

TEST(Format, Durations) {
  const std::pair<std::int64_t, const char*> table[] = {
      {0, "0 s"},
      {1, "1 us"},
      {999, "999 us"},
      {1'000, "1 ms"},
      {340'000, "340 ms"},
      {999'499, "999 ms"},
      {999'500, "1 s"},
      {12'500'000, "12.5 s"},
      {12'449'999, "12.4 s"},
      {12'450'000, "12.5 s"},
      {12'000'000, "12 s"},
      {59'949'999, "59.9 s"},
      {59'950'000, "00:01:00"},
      {60 * kSecond, "00:01:00"},
      {24 * kHour - 1, "1d 00:00:00"},
      {24 * kHour - kSecond, "23:59:59"},
      {51 * kHour + 727 * kSecond, "2d 03:12:07"},
      {-12'500'000, "-12.5 s"},
      {1'296 * kHour, "54d 00:00:00"},
      {kMax, "106,751,991d 04:00:55"},
      {kMin, "-106,751,991d 04:00:55"},
  };
  for (const auto& [us, text] : table) {
    EXPECT_EQ(format_duration(us), text) << us;
  }
}

TEST(Format, Counts) {
  const std::pair<std::int64_t, const char*> table[] = {{0, "0"},
                                                        {7, "7"},
                                                        {999, "999"},
                                                        {1'000, "1,000"},
                                                        {1'234'567, "1,234,567"},
                                                        {-1'000, "-1,000"},
                                                        {-999, "-999"},
                                                        {kMin, "-9,223,372,036,854,775,808"}};
  for (const auto& [value, text] : table) {
    EXPECT_EQ(format_count(value), text);
  }
}

TEST(Format, AcceleratorTime) {
  const std::pair<std::int64_t, const char*> table[] = {
      {0, "0 NPU-h"},
      {1, "<0.01 NPU-h"},
      {kHour / 100, "0.01 NPU-h"},
      {kHour * 35 / 100, "0.35 NPU-h"},
      {kHour - 1, "1.0 NPU-h"},
      {kHour * 25 / 2, "12.5 NPU-h"},
      {kHour * 100 - 1, "100 NPU-h"},
      {kHour * 1'234'567, "1,234,567 NPU-h"},
      {-kHour, "-1.0 NPU-h"},
  };
  for (const auto& [us, text] : table) {
    EXPECT_EQ(format_accelerator_time(us, "NPU"), text) << us;
  }
}

TEST(Format, Percent) {
  EXPECT_EQ(format_percent(914), "91.4 %");
  EXPECT_EQ(format_percent(1000), "100.0 %");
  EXPECT_EQ(format_percent(0), "0.0 %");
  EXPECT_EQ(format_percent(-5), "-0.5 %");
}

TEST(Format, SharesOfTimesKeepTheirFirstDigit) {
  struct Case {
    std::int64_t part;
    std::int64_t whole;
    const char* text;
  };
  for (const Case& row :
       {Case{0, 0, "0.0 %"}, Case{5, 0, "0.0 %"}, Case{0, 5, "0.0 %"}, Case{1, 2, "50.0 %"},
        Case{1, 3, "33.3 %"}, Case{2, 3, "66.7 %"}, Case{972, 1000, "97.2 %"},
        Case{1, 1000, "0.1 %"}, Case{116, 1'000'000, "0.01 %"}, Case{1, 100'000, "0.001 %"},
        Case{1, 100'001, "<0.001 %"}, Case{1, kMax, "<0.001 %"}, Case{kMax - 1, kMax, "99.9 %"},
        Case{kMax, kMax, "100.0 %"}}) {
    EXPECT_EQ(format_share(row.part, row.whole), row.text) << row.part << "/" << row.whole;
  }
}

TEST(Format, SharesAreThoseThatStandAlone) {
  using Numbers = std::vector<std::int64_t>;
  using Texts = std::vector<std::string>;
  EXPECT_EQ(format_shares(Numbers{}), Texts{});
  EXPECT_EQ(format_shares(Numbers{0, 0}), (Texts{"0.0 %", "0.0 %"}));
  EXPECT_EQ(format_shares(Numbers{1, 1, 1}), (Texts{"33.3 %", "33.3 %", "33.3 %"}));
  EXPECT_EQ(format_shares(Numbers{1, 0, 2}), (Texts{"33.3 %", "0.0 %", "66.7 %"}));
  EXPECT_EQ(format_shares(Numbers{kMax, kMax}), (Texts{"50.0 %", "50.0 %"}));
  // The table of buckets had 0.1 % where the sentence above it had 0.01 %.
  EXPECT_EQ(format_shares(Numbers{99'990, 10}).back(), "0.01 %");
  // By largest remainder the first had been 79.0 %: "ETTR 78.9 %" beside "productive 79.0 %".
  const Numbers parts{78'946, 10'547, 10'507};
  EXPECT_EQ(format_shares(parts).front(), format_share(78'946, 100'000));
}

TEST(Format, EstimatedSharesReadLikeTheOthers) {
  const std::pair<double, const char*> table[] = {
      {0.0, "0.0 %"},     {1.0, "100.0 %"},  {0.97234, "97.2 %"}, {0.001, "0.1 %"},
      {4.4e-4, "0.04 %"}, {1e-5, "0.001 %"}, {9e-6, "0.0 %"},     {1e-18, "0.0 %"}};
  for (const auto& [share, text] : table) {
    EXPECT_EQ(format_share(share), text) << share;
  }
}

TEST(Format, WidthsOnATerminal) {
  const std::pair<std::string_view, std::size_t> table[] = {
      {"", 0}, {"gpu-3", 5}, {"é", 1}, {"训练", 4}, {"e\xCC\x81", 1}, {"\xFF", 1}, {"█▏", 2}};
  for (const auto& [text, columns] : table) {
    EXPECT_EQ(display_width(text), columns) << text;
  }
}

TEST(Format, NamesCannotDriveATerminal) {
  struct Case {
    std::string_view text;
    const char* unicode;
    const char* ascii;
  };
  for (const Case& row : {Case{"gpu-3", "gpu-3", "gpu-3"}, Case{"a\x1b[31mb", "a?[31mb", "a?[31mb"},
                          Case{"a\nb\tc\x7F", "a?b?c?", "a?b?c?"},
                          Case{"\xC2\x9B"
                               "31m",
                               "?31m", "?31m"},  // C1's own escape
                          Case{"a\xE2\x80\xAE"
                               "b",
                               "a?b", "a?b"},  // right-to-left override
                          Case{"训", "训", "?"}, Case{"\xFF", "\xEF\xBF\xBD", "?"}}) {
    EXPECT_EQ(printable(row.text, true), row.unicode);
    EXPECT_EQ(printable(row.text, false), row.ascii);
  }
}

TEST(Format, LongNamesShowBothEnds) {
  EXPECT_EQ(shorten("gpu-3", 5, true), "gpu-3");
  EXPECT_EQ(shorten("a-very-long-name-17", 10, true), "a-ver…e-17");
  EXPECT_EQ(shorten("a-very-long-name-17", 11, false), "a-ve...e-17");
  EXPECT_EQ(shorten("abcdef", 1, true), ".");
  EXPECT_EQ(shorten("abcdef", 0, true), "");
  EXPECT_EQ(shorten("abcdef", 3, false), "...");
  for (std::size_t columns = 0; columns < 20; ++columns) {
    for (const bool unicode : {false, true}) {
      EXPECT_LE(display_width(shorten("训练任务-llama-三号-0123456789", columns, unicode)),
                columns);
    }
  }
}

TEST(Format, Bars) {
  EXPECT_EQ(bar(1, 2, 10, true), "█████");
  EXPECT_EQ(bar(1, 2, 10, false), "#####");
  EXPECT_EQ(bar(9, 80, 10, true), "█▏");
  EXPECT_EQ(bar(1, kMax, 10, true), "▏");
  EXPECT_EQ(bar(1, kMax, 10, false), "#");
  EXPECT_EQ(bar(kMax, kMax, 3, true), "███");
  EXPECT_EQ(bar(0, 5, 10, true), "");
  EXPECT_EQ(bar(5, 0, 10, true), "");
}

TEST(Format, Wrapping) {
  EXPECT_EQ(wrapped("one two three", 2, 9), "  one two\n    three\n");
  EXPECT_EQ(wrapped("short", 0, 80), "short\n");
  EXPECT_EQ(wrapped("", 2, 80), "  \n");
  EXPECT_EQ(wrapped("unbreakable-word next", 0, 5), "unbreakable-word\n  next\n");
}

TEST(ShellWord, IsOneWordAndFitForATerminal) {
  const std::vector<std::pair<std::string, std::string>> rows{
      {"a/b-1.json", "a/b-1.json"},
      {"", "''"},
      {"a'b", "'a'\\''b'"},
      {"$(x)", "'$(x)'"},
      {"\xe4\xb8\xad", "'\xe4\xb8\xad'"},
      {"a\n\x1b[31m'\\", "$'a\\012\\033[31m\\'\\\\'"},
      {"\xff", "$'\\377'"},
      {"\xc2\x85", "$'\\302\\205'"},
  };
  for (const auto& [word, shown] : rows) {
    EXPECT_EQ(shell_word(word), shown);
  }
  EXPECT_EQ(shell_path("-x.json"), "./-x.json");
  EXPECT_EQ(shell_path("a b"), "'a b'");
}

}  // namespace
}  // namespace aftershock::reports
