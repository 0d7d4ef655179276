#include "reports/recording/line_check.h"

#include <string>

#include <gtest/gtest.h>

namespace aftershock::reports {
namespace {

// The numbers come from another implementation, in another language: they are part of the format.
TEST(LineCheck, IsTheSameEverywhere) {
  const std::pair<std::string, const char*> lines[] = {
      {"", "889b4304de909059"},
      {"a", "99cc316f86e7c316"},
      {"12345678", "1a2d73616a6fb53e"},
      {"123456789", "57d697b5658f484b"},
      {"0123456789abcdef", "79a60732d619ca6a"},
      {"0123456789abcdefg", "95316f2bb422dc61"},
      {R"({"t":0,"r":"end","id":1})", "97b16f7fca82dce5"},
      {"ä€𝄞", "6e57ac8a4f0fce0b"},
      {std::string(1000, 'x'), "2dd2aa45fb5e36bf"},
  };
  LineCheck check;
  for (const auto& [line, so_far] : lines) {
    check.add(line);
    EXPECT_EQ(check.text(), so_far) << line;
  }
}

TEST(LineCheck, SplitsOnlyWhatEndsWithIt) {
  const auto parts = split_check(R"({"r":"end_of_run","check":"0123456789abcdef"})");
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->open, R"({"r":"end_of_run")");
  EXPECT_EQ(parts->check, "0123456789abcdef");
  for (const char* line :
       {"", "{}", R"(,"check":"0123456789abcde"})", R"({"r":"x","check":"0123456789abcdef"} )",
        R"({"r":"x","check":"0123456789abcdef","y":1})",
        R"({"r":"x","chekk":"0123456789abcdef"})"}) {
    EXPECT_FALSE(split_check(line)) << line;
  }
}

}  // namespace
}  // namespace aftershock::reports
