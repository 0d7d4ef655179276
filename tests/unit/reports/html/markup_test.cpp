#include "reports/html/markup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/html/page.h"

namespace aftershock::reports {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

struct TextCase {
  std::string_view name;
  std::string text;
  std::string_view wanted;
};

class HtmlText : public ::testing::TestWithParam<TextCase> {};

TEST_P(HtmlText, HoldsNoMarkup) { EXPECT_EQ(html_text(GetParam().text), GetParam().wanted); }

// The references are those of the HTML standard, 13.1.4.
INSTANTIATE_TEST_SUITE_P(
    Names, HtmlText,
    ::testing::Values(
        TextCase{"plain", "gpu-3/1", "gpu-3/1"}, TextCase{"empty", "", ""},
        TextCase{"element", "<img src=x onerror=alert(1)>", "&lt;img src=x onerror=alert(1)&gt;"},
        TextCase{"end_of_script", "</script>", "&lt;/script&gt;"},
        TextCase{"quotes", "\"' onload=x", "&quot;&#39; onload=x"},
        TextCase{"reference", "&lt;", "&amp;lt;"}, TextCase{"comment", "<!--", "&lt;!--"},
        TextCase{"control", "a\x01\x1b[31m", "a??[31m"},
        TextCase{"nul", std::string("a\0b", 3), "a?b"},
        TextCase{"not_utf8", "a\xff", "a\xef\xbf\xbd"}, TextCase{"chinese", "故障", "故障"}),
    [](const auto& each) { return std::string(each.param.name); });

class ScriptJson : public ::testing::TestWithParam<TextCase> {};

TEST_P(ScriptJson, EndsNoElement) { EXPECT_EQ(script_json(GetParam().text), GetParam().wanted); }

INSTANTIATE_TEST_SUITE_P(
    Names, ScriptJson,
    ::testing::Values(TextCase{"plain", R"({"a":[1,"b"]})", R"({"a":[1,"b"]})"},
                      TextCase{"end_of_script", R"(["</script>"])", R"(["\u003c/script\u003e"])"},
                      TextCase{"comment", R"(["<!--"])", R"(["\u003c!--"])"},
                      TextCase{"ampersand", R"(["&"])", R"(["\u0026"])"},
                      TextCase{"line_separators", "[\"\u2028\u2029\"]", R"(["\u2028\u2029"])"},
                      TextCase{"near_them", "[\"\u2027\u202a\"]", "[\"\u2027\u202a\"]"},
                      TextCase{"cut_short", "\xe2\x80", "\xe2\x80"}),
    [](const auto& each) { return std::string(each.param.name); });

struct WordsCase {
  std::string_view name;
  std::vector<std::string> words;
  std::string_view wanted;
};

class ShellWords : public ::testing::TestWithParam<WordsCase> {};

TEST_P(ShellWords, AreTakenAsTheyAre) {
  EXPECT_EQ(shell_words(GetParam().words), GetParam().wanted);
}

// POSIX, Shell Command Language, 2.2.2.
INSTANTIATE_TEST_SUITE_P(
    Commands, ShellWords,
    ::testing::Values(
        WordsCase{"plain", {"aftershock", "view", "a.aftershock"}, "aftershock view a.aftershock"},
        WordsCase{"blank", {"my file"}, "'my file'"}, WordsCase{"quote", {"it's"}, "'it'\\''s'"},
        WordsCase{"dollar", {"$(rm x)", "`x`", ";"}, "'$(rm x)' '`x`' ';'"},
        WordsCase{"empty", {""}, "''"},
        WordsCase{"pointer", {"--set", "/jobs/0/every=30min"}, "--set /jobs/0/every=30min"}),
    [](const auto& each) { return std::string(each.param.name); });

TEST(HtmlTable, RowsHaveTheirFacetsAndKeys) {
  HtmlTable table;
  table.id = "t";
  table.caption = "<b>";
  table.columns = {{"Name"}, {"Cost", true}};
  table.rows.push_back(
      {.cells = {{.text = "a&b"}, {.text = "1 s", .sort = 1.5}}, .facets = {{"kind", "\"x\""}}});
  Html html;
  table.write(html);
  EXPECT_THAT(html.markup(), HasSubstr("<caption>&lt;b&gt;</caption>"));
  EXPECT_THAT(html.markup(), HasSubstr("<tr data-kind=\"&quot;x&quot;\">"));
  EXPECT_THAT(html.markup(), HasSubstr("<th scope=\"row\">a&amp;b</th>"));
  EXPECT_THAT(html.markup(), HasSubstr("<td class=\"n\" data-sort=\"1.5\">1 s</td>"));
}

TEST(Page, IsWholeAndSafe) {
  Page page;
  page.title = "@DATA@ </title><script>";
  page.kind = "kind";
  page.body.section("one", "First & only");
  page.body.end_section();
  page.data = R"({"a":"</script>"})";
  const std::string text = page_html(page);
  EXPECT_TRUE(is_report_page(text));
  EXPECT_THAT(text, HasSubstr("<title>@DATA@ &lt;/title&gt;&lt;script&gt;</title>"));
  EXPECT_THAT(text, HasSubstr("<li><a href=\"#one\">First &amp; only</a></li>"));
  EXPECT_THAT(text, HasSubstr(R"(id="data">{"a":"\u003c/script\u003e"}</script>)"));
  EXPECT_THAT(text, HasSubstr("default-src 'none'"));
  EXPECT_THAT(text, HasSubstr("Redistribution and use in source and binary forms"));
  for (const char* place : {"@STYLE@", "@SCRIPT@", "@BODY@", "@LINKS@", "@LICENCES@", "@MARK@"}) {
    EXPECT_THAT(text, Not(HasSubstr(place)));
  }
  EXPECT_EQ(text, page_html(page));
}

TEST(Page, OthersAreNoReports) {
  EXPECT_FALSE(is_report_page(""));
  EXPECT_FALSE(is_report_page("<!DOCTYPE html><title>mine</title>"));
  EXPECT_FALSE(is_report_page("x<meta name=\"generator\" content=\"aftershock report\">"));
}

}  // namespace
}  // namespace aftershock::reports
