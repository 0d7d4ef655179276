#include "reports/json/json_as_text.h"

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace aftershock::reports {
namespace {

struct WrittenJson {
  const char* name;
  nlohmann::ordered_json value;
  JsonLayout layout;
  const char* text;
};

TEST(JsonAsText, IsWrittenAsItsLayoutSays) {
  const WrittenJson rows[] = {
      {"order", {{"z", 1}, {"a", 2.5}}, {}, R"({"z":1,"a":2.5})"},
      {"lines", {{"a", {1}}}, {.indent = 1}, "{\n \"a\": [\n  1\n ]\n}"},
      {"ascii", "\xC3\xA9", {.ascii_only = true}, R"("\u00e9")"},
      {"letters", "\xC3\xA9", {}, "\"\xC3\xA9\""},
      {"no UTF-8", "a\xFF", {}, "\"a\xEF\xBF\xBD\""},
      {"no UTF-8, ascii", "a\xFF", {.ascii_only = true}, R"("a\ufffd")"},
  };
  for (const WrittenJson& row : rows) {
    EXPECT_EQ(text_from_json(row.value, row.layout), row.text) << row.name;
  }
}

TEST(JsonAsText, KeepsTheOrderThatItsTypeKeeps) {
  constexpr const char* kText = R"({"z":1,"a":[]})";
  EXPECT_EQ(text_from_json(json_from_text<nlohmann::ordered_json>(kText)), kText);
  EXPECT_EQ(text_from_json(json_from_text(kText)), R"({"a":[],"z":1})");
}

TEST(JsonAsText, TextThatIsSomethingElseIsDiscardedOrThrown) {
  for (const char* text : {"", "{", "[1,]", "{} {}", "\"\xFF\"", "nul"}) {
    EXPECT_TRUE(json_or_discarded(text).is_discarded()) << text;
    EXPECT_TRUE(json_or_discarded<nlohmann::ordered_json>(text).is_discarded()) << text;
    EXPECT_THROW((void)json_from_text(text), nlohmann::json::exception) << text;
  }
  EXPECT_EQ(json_or_discarded("null"), nlohmann::json());
}

}  // namespace
}  // namespace aftershock::reports
