#include "reports/recording/json_text.h"

#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace aftershock::reports {
namespace {

std::string quoted(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

TEST(JsonText, Strings) {
  const std::pair<std::string_view, std::string_view> table[] = {
      {"", R"("")"},
      {"gpu-3", R"("gpu-3")"},
      {"a\"b\\c/d", R"("a\"b\\c/d")"},
      {"\n\r\t\b\x01\x1F\x7F", R"("\n\r\t\u0008\u0001\u001f\u007f")"},
      {std::string_view("a\0b", 3), R"("a\u0000b")"},
      {"任务 é 😀", R"("任务 é 😀")"},
      {"\xFF", "\"\xEF\xBF\xBD\""},
      {"a\xC3", "\"a\xEF\xBF\xBD\""},
      {"\xC0\xAF", "\"\xEF\xBF\xBD\xEF\xBF\xBD\""},                  // overlong
      {"\xED\xA0\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""},  // surrogate
      {"\xF4\x90\x80\x80x", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBDx\""},
  };
  for (const auto& [text, wanted] : table) {
    EXPECT_EQ(quoted(text), wanted);
  }
}

TEST(JsonText, EveryPairOfBytesGivesAStringOfJson) {
  for (unsigned i = 0; i < 0x10000; ++i) {
    const char text[] = {static_cast<char>(i >> 8U), static_cast<char>(i & 0xFFU)};
    const std::string out = quoted({text, 2});
    const nlohmann::json parsed = nlohmann::json::parse(out, nullptr, false);
    ASSERT_TRUE(parsed.is_string()) << i;
    if (nlohmann::json(std::string(text, 2))
            .dump(-1, ' ', false, nlohmann::json::error_handler_t::ignore) ==
        nlohmann::json(std::string(text, 2))
            .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)) {
      ASSERT_EQ(parsed.get<std::string>(), std::string(text, 2)) << i;
    }
  }
}

TEST(JsonText, Numbers) {
  std::string out;
  append_integer(out, std::numeric_limits<std::int64_t>::min());
  out += ' ';
  append_integer(out, 0);
  out += ' ';
  append_unsigned(out, std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(out, "-9223372036854775808 0 18446744073709551615");
  EXPECT_EQ(hex16(0), "0000000000000000");
  EXPECT_EQ(hex16(0xFEDCBA9876543210U), "fedcba9876543210");
}

}  // namespace
}  // namespace aftershock::reports
