#include "sim/scenario/yaml/yaml.h"

#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "sim/scenario/text/sources.h"

namespace aftershock::sim::scenario {
namespace {

using Documents = std::vector<LocatedValue>;

std::variant<Documents, ScenarioError> parsed(std::string text) {
  Sources sources;
  const auto source = sources.add({"a.yaml", std::move(text), true});
  return parse_yaml(sources, source);
}

/// The one document as JSON, or the error.
std::string shown(std::string text) {
  const auto result = parsed(std::move(text));
  if (const auto* error = std::get_if<ScenarioError>(&result)) return format(*error);
  const auto& documents = std::get<Documents>(result);
  return documents.size() == 1 ? policies::text_from_json(to_json(documents.front()))
                               : std::to_string(documents.size()) + " documents";
}

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

struct Row {
  const char* name;
  std::string text;
  std::string expected;
};

// As sigs.k8s.io/yaml, which kubectl is built on, turns it into JSON.
TEST(Yaml, ValuesAreThoseThatKubernetesReads) {
  const Row rows[] = {
      {"plain numbers", "[3, -1, 0x1f, 010, 1_000, 0b11, +7]", "[3,-1,31,8,1000,3,7]"},
      {"whole numbers with a point or an exponent", "[1.0, 6e3]", "[1,6000]"},
      {"fractions", "[1.5, .5, -0.25]", "[1.5,0.5,-0.25]"},
      {"YAML 1.1 has many words for true", "[yes, on, y, True]", "[true,true,true,true]"},
      {"and for false", "[no, off, n, FALSE]", "[false,false,false,false]"},
      {"quotes make text", R"(["3", 'on', "null"])", R"(["3","on","null"])"},
      {"nothing is null", "{a: , b: ~, c: null}", R"({"a":null,"b":null,"c":null})"},
      {"dates stay text", "2026-08-20T07:12:44Z", R"("2026-08-20T07:12:44Z")"},
      {"durations stay text", "10m0s", R"("10m0s")"},
      {"sixtieths are not read", "1:30", R"("1:30")"},
      {"block text", "a: |\n  {\"x\": 1}\n  y\n", R"({"a":"{\"x\": 1}\ny\n"})"},
      {"folded text", "a: >-\n  one\n  two\n", R"({"a":"one two"})"},
      {"keys become text", "{1: a, true: b}", R"({"1":"a","true":"b"})"},
      {"a tag of YAML's own", "[!!str 3, !!int \"3\"]", R"(["3",3])"},
      {"aliases", "{a: &x [1], b: *x}", R"({"a":[1],"b":[1]})"},
      {"JSON", R"({"a": [1, "b", null, true]})", R"({"a":[1,"b",null,true]})"},
      {"a comment", "# only\na: 1 # this\n", R"({"a":1})"},
      {"the largest number", "18446744073709551615", "18446744073709551615"},
      {"line ends of Windows", "a: 1\r\nb: 2\r\n", R"({"a":1,"b":2})"},
      {"several documents, empty ones left out", "---\na: 1\n---\n---\nb: 2\n", "2 documents"},
      {"nothing at all", "", "0 documents"},
  };
  for (const Row& row : rows) EXPECT_EQ(shown(row.text), row.expected) << row.name;
}

TEST(Yaml, BadTextIsAnErrorWithItsLine) {
  const Row rows[] = {
      {"a tab for blanks", "a:\n\tb: 1\n", "a.yaml:2:1: "},
      {"cut off in a list", "a: [1, 2", "a.yaml:1:9: "},
      {"cut off in quotes", "a: 1\nb: \"two", "a.yaml:2:8: "},
      {"control characters", std::string("a: 1\nb: \x01", 9), "a.yaml:2:4: "},
      {"a zero byte", std::string("a: \0b", 5), "a.yaml:1:4: "},
      {"not UTF-8", "a: 1\nb: \xff\xfe", "a.yaml:2:4: "},
      {"UTF-16",
       std::string("\xff\xfe"
                   "a\0:\0",
                   6),
       "a.yaml:1:1: "},
      {"a program",
       std::string("\x7f"
                   "ELF\x02\x01\x01\0",
                   8),
       "a.yaml:1:1: "},
      {"a key twice", "a: 1\nb: 2\na: 3\n", "a.yaml:3:1: "},
      {"the same key as text and as a number", "1: a\n\"1\": b\n", "a.yaml:2:1: "},
      {"indented wrongly", "a: 1\n b: 2\n", "a.yaml:2:3: "},
      {"an alias of nothing", "a: 1\nb: *c\n", "a.yaml:2:4: "},
      {"an alias of itself", "a: &a [*a]\n", "a.yaml:1:8: "},
      {"of another document", "a: &a 1\n---\nb: *a\n", "a.yaml:3:4: "},
      {"a merge key", "a: &a {b: 1}\nc:\n  <<: *a\n", "a.yaml:3:3: "},
      {"a list for a key", "? [a]\n: 1\n", "a.yaml:1:3: "},
      {"a tag of Python's", "a: !!python/none x\n", "a.yaml:1:4: "},
      {"a tag of nobody", "a: !mine x\n", "a.yaml:1:4: "},
      {"infinity", "a: .inf\n", "a.yaml:1:4: "},
      {"a number of more than 64 bits", "a: 18446744073709551616\n", "a.yaml:1:4: "},
      {"an exponent beyond all doubles", "a: 1e999\n", "a.yaml:1:4: "},
      {"too many levels", std::string(100, '[') + std::string(100, ']'), "a.yaml:1:65: "},
      {"levels that aliases add",
       "a: &a " + std::string(40, '[') + std::string(40, ']') + "\nb: " + std::string(40, '[') +
           "*a" + std::string(40, ']') + "\n",
       "a.yaml:2:44: "},
      {"a directive of another YAML", "%YAML 3.0\n---\na: 1\n", "a.yaml:1:1: "},
      {"too long", "a: \"" + std::string(kLongestYaml, 'x') + "\"", "a.yaml:1:1: "},
      {"too many values", "[" + repeated("~,", kMostYamlValues + 1) + "]", "a.yaml:1:200002: "},
  };
  for (const Row& row : rows) {
    const std::string told = shown(row.text);
    EXPECT_EQ(told.substr(0, row.expected.size()), row.expected) << row.name << ": " << told;
  }
}

TEST(Yaml, AliasesCannotMakeMuchOfLittle) {
  std::string laughs = "a0: &a0 [ha, ha, ha, ha, ha, ha, ha, ha, ha, ha]\n";
  for (int level = 1; level < 9; ++level) {
    const std::string of = "*a" + std::to_string(level - 1) + ", ";
    laughs += "a" + std::to_string(level) + ": &a" + std::to_string(level) + " [" +
              repeated(of, 10) + "]\n";
  }
  EXPECT_NE(shown(laughs).find("too many values"), std::string::npos);
  const std::string long_text =
      "a: &a " + std::string(100'000, 'x') + "\nb: [" + repeated("*a, ", 1000) + "]\n";
  EXPECT_NE(shown(long_text).find("too much text"), std::string::npos);
  const std::string long_keys =
      "a: &a {? " + std::string(100'000, 'x') + " : 1}\nb: [" + repeated("*a, ", 1000) + "]\n";
  EXPECT_NE(shown(long_keys).find("too much text"), std::string::npos);
  EXPECT_EQ(shown("a: &a [1, 2]\nb: [" + repeated("*a, ", 1000) + "]\n").front(), '{');
}

TEST(Yaml, PlacesAreInCharactersOfTheLine) {
  const auto result = parsed("a: \"\xc3\xa9\xc3\xa9\"\nb: {c: 1, c: 2}\n");
  const auto& error = std::get<ScenarioError>(result);
  EXPECT_EQ(error.line, 2U);
  EXPECT_EQ(error.column, 11U);
  EXPECT_EQ(error.pointer, "/b");
}

}  // namespace
}  // namespace aftershock::sim::scenario
