#include "reports/json/json_writer.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace aftershock::reports {
namespace {

std::string quoted(std::string_view text) {
  JsonWriter json;
  json.value(text);
  return std::string(json.text());
}

TEST(JsonWriter, Strings) {
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

TEST(JsonWriter, EveryPairOfBytesGivesAStringOfJson) {
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

template <class... Values>
std::string array_of(const Values&... values) {
  JsonWriter json;
  json.open_array();
  (json.value(values), ...);
  json.close_array();
  return std::string(json.text());
}

TEST(JsonWriter, Values) {
  EXPECT_EQ(array_of(std::numeric_limits<std::int64_t>::min(), 0,
                     std::numeric_limits<std::uint64_t>::max()),
            "[-9223372036854775808,0,18446744073709551615]");
  EXPECT_EQ(array_of(true, false, nullptr, std::optional<int>{}, std::optional<int>{3}),
            "[true,false,null,null,3]");
  EXPECT_EQ(array_of(0.1, 1.0, 1e300, std::nan("")), "[0.1,1.0,1e+300,null]");
  EXPECT_EQ(array_of("a", std::vector<std::string>{"b", "\""}), R"(["a",["b","\""]])");
}

TEST(JsonWriter, CommasGoBetweenMembersAndElementsOnly) {
  JsonWriter json;
  for (int round = 0; round < 2; ++round) {
    json.clear();
    json.open_object();
    json.members("");
    json.member("a", 1);
    json.members(R"("b":2,"c":3)");
    json.key("d");
    json.open_array();
    json.open_object();
    json.close_object();
    json.raw("[]");
    json.word("e");
    json.close_array();
    json.key("f");
    json.open_object();
    json.close_object();
    json.member("g", "h");
    json.close_object();
    EXPECT_EQ(json.text(), R"({"a":1,"b":2,"c":3,"d":[{},[],"e"],"f":{},"g":"h"})");
  }
}

TEST(JsonWriter, GrowsWithWhatIsWritten) {
  JsonWriter json;
  const std::string longer(100'000, 'x');
  json.open_object();
  json.member("a", longer);
  json.member("b", longer + "\n");
  json.close_object();
  EXPECT_EQ(json.text(), R"({"a":")" + longer + R"(","b":")" + longer + R"(\n"})");
}

}  // namespace
}  // namespace aftershock::reports
