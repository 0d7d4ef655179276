#pragma once

// JSON as text is there twice, for policies and for reports, which do not know each other: these
// cases hold both to the same.

#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace aftershock::testing {

/// The functions of one json_as_text.h, and its layout.
template <class Layout>
struct JsonAsText {
  nlohmann::json (*read)(std::string_view);
  nlohmann::ordered_json (*read_in_order)(std::string_view);
  nlohmann::json (*read_or_discarded)(std::string_view);
  nlohmann::ordered_json (*read_in_order_or_discarded)(std::string_view);
  std::string (*write)(const nlohmann::json&, Layout);
  std::string (*write_in_order)(const nlohmann::ordered_json&, Layout);
};

template <class Layout>
void expect_layouts(const JsonAsText<Layout>& json) {
  struct Row {
    const char* name;
    nlohmann::ordered_json value;
    Layout layout;
    const char* text;
  };
  const Row rows[] = {
      {"order", {{"z", 1}, {"a", 2.5}}, {}, R"({"z":1,"a":2.5})"},
      {"lines", {{"a", {1}}}, {.indent = 1}, "{\n \"a\": [\n  1\n ]\n}"},
      {"ascii", "\xC3\xA9", {.ascii_only = true}, R"("\u00e9")"},
      {"letters", "\xC3\xA9", {}, "\"\xC3\xA9\""},
      {"no UTF-8", "a\xFF", {}, "\"a\xEF\xBF\xBD\""},
      {"no UTF-8, ascii", "a\xFF", {.ascii_only = true}, R"("a\ufffd")"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(json.write_in_order(row.value, row.layout), row.text) << row.name;
  }
}

template <class Layout>
void expect_orders(const JsonAsText<Layout>& json) {
  constexpr const char* kText = R"({"z":1,"a":[]})";
  EXPECT_EQ(json.write_in_order(json.read_in_order(kText), {}), kText);
  EXPECT_EQ(json.write(json.read(kText), {}), R"({"a":[],"z":1})");
}

template <class Layout>
void expect_refusals(const JsonAsText<Layout>& json) {
  for (const char* text : {"", "{", "[1,]", "{} {}", "\"\xFF\"", "nul"}) {
    EXPECT_TRUE(json.read_or_discarded(text).is_discarded()) << text;
    EXPECT_TRUE(json.read_in_order_or_discarded(text).is_discarded()) << text;
    EXPECT_THROW((void)json.read(text), nlohmann::json::exception) << text;
    EXPECT_THROW((void)json.read_in_order(text), nlohmann::json::exception) << text;
  }
  EXPECT_EQ(json.read_or_discarded("null"), nlohmann::json());
}

}  // namespace aftershock::testing
