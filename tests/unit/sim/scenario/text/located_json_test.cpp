#include "sim/scenario/text/located_json.h"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "policies/api/json_as_text.h"

namespace aftershock::sim::scenario {
namespace {

std::variant<LocatedValue, ScenarioError> parse(Sources& sources, std::string text) {
  return parse_located(sources, sources.add({"test.json", std::move(text), true}));
}

/// "LINE:COLUMN" of a place.
std::string at(const Sources& sources, Place place) {
  const ScenarioError error = sources.error_at(place);
  return std::to_string(error.line) + ":" + std::to_string(error.column);
}

TEST(LocatedJson, KnowsWhereKeysAndValuesStand) {
  Sources sources;
  const auto parsed = parse(sources,
                            "{\"a\": 1 ,\n"
                            "  \"b\":[ -2.5e3,\"x\\\"y\" , null],\r\n"
                            "\t\"\u00e4\": {\"c\":true}, \"d\" : false}");
  const auto& root = std::get<LocatedValue>(parsed);
  EXPECT_EQ(at(sources, root.place), "1:1");
  const auto& members = std::get<LocatedValue::Members>(root.data);
  EXPECT_EQ(at(sources, members[0].place), "1:2");
  EXPECT_EQ(at(sources, members[0].value.place), "1:7");
  EXPECT_EQ(at(sources, members[1].value.place), "2:7");
  const auto& list = std::get<LocatedValue::List>(members[1].value.data);
  EXPECT_EQ(at(sources, list[0].place), "2:9");
  EXPECT_EQ(at(sources, list[1].place), "2:16");
  EXPECT_EQ(at(sources, list[2].place), "2:25");
  // Columns count characters, not bytes.
  EXPECT_EQ(at(sources, members[2].value.place), "3:7");
  EXPECT_EQ(at(sources, members[2].value.find("c")->place), "3:12");
  EXPECT_EQ(at(sources, members[3].value.place), "3:25");
}

TEST(LocatedJson, WholeNumbersStayWhole) {
  Sources sources;
  const auto parsed =
      parse(sources, "[9223372036854775807, 18446744073709551615, -9223372036854775808, 1.0, -0]");
  const auto& list = std::get<LocatedValue::List>(std::get<LocatedValue>(parsed).data);
  EXPECT_EQ(std::get<std::int64_t>(list[0].data), INT64_MAX);
  EXPECT_EQ(std::get<std::uint64_t>(list[1].data), UINT64_MAX);
  EXPECT_EQ(std::get<std::int64_t>(list[2].data), INT64_MIN);
  EXPECT_EQ(std::get<double>(list[3].data), 1.0);
  EXPECT_EQ(std::get<std::int64_t>(list[4].data), 0);
}

TEST(LocatedJson, RefusesWithPlaceAndReason) {
  struct Case {
    std::string text;
    std::string error;
  };
  const Case cases[] = {
      {"[9223372036854775808, -9223372036854775809]",
       "test.json:1:23: /1: the number \"-9223372036854775809\" is out of range; expected a whole "
       "number of at most 64 bits"},
      {"[1, 1e999 ]",
       "test.json:1:5: /1: the number \"1e999\" is out of range; expected a finite number"},
      {"[-1e999]",
       "test.json:1:2: /0: the number \"-1e999\" is out of range; expected a finite number"},
      {"[nan]", "test.json:1:2: /0: JSON has no NaN and no infinity; expected a finite number"},
      {"{\"a\": {\"b\": 1, \"b\": 2}}",
       "test.json:1:16: /a/b: duplicate key \"b\"; expected each key once"},
      {"{\"a\" 1}", "test.json:1:6: /a: unexpected number literal; expected ':'"},
      {"[1 2]", "test.json:1:4: /1: unexpected number literal; expected ']'"},
      {"[1,,2]", "test.json:1:4: /1: unexpected ','; expected '[', '{', or a literal"},
      {"[tru]", "test.json:1:2: /0: invalid literal"},
      {"[01]", "test.json:1:3: /1: unexpected number literal; expected ']'"},
      {"[\"\\x\"]", "test.json:1:4: /0: invalid string: forbidden character after backslash"},
      {"[\"\\ud800\"]",
       "test.json:1:9: /0: invalid string: surrogate U+D800..U+DBFF must be followed by "
       "U+DC00..U+DFFF"},
      {"1 1", "test.json:1:3: unexpected number literal; expected end of input"},
      {std::string("{}\0", 3),
       "test.json:1:3: something follows the document; expected the end of the file"},
  };
  for (const Case& each : cases) {
    Sources sources;
    const auto parsed = parse(sources, each.text);
    const auto* error = std::get_if<ScenarioError>(&parsed);
    ASSERT_NE(error, nullptr) << each.text;
    EXPECT_EQ(format(*error), each.error);
  }
}

TEST(LocatedJson, TakesSixtyFourLevelsAndNoMore) {
  Sources sources;
  const auto nested = [](std::size_t levels) {
    return std::string(levels, '[') + std::string(levels, ']');
  };
  EXPECT_TRUE(std::holds_alternative<LocatedValue>(parse(sources, nested(64))));
  EXPECT_TRUE(std::holds_alternative<ScenarioError>(parse(sources, nested(65))));
  EXPECT_TRUE(std::holds_alternative<ScenarioError>(parse(sources, std::string(1'000'000, '['))));
}

TEST(LocatedJson, RoundTripsThroughPlainJson) {
  const std::string text =
      R"({"z":[1,-2,2.5,"s",null,true],"a":{"b":{}},"n":18446744073709551615})";
  Sources sources;
  const auto parsed = parse(sources, text);
  const auto& root = std::get<LocatedValue>(parsed);
  EXPECT_EQ(policies::text_from_json(to_ordered_json(root)), text);
  EXPECT_EQ(to_json(located(to_json(root), {})), to_json(root));
}

TEST(Errors, QuoteWhatUsersWroteWithCare) {
  EXPECT_EQ(in_quotes("a\"b\n"), R"("a\"b\n")");
  EXPECT_EQ(in_quotes("\xff"), "\"\xEF\xBF\xBD\"");
  const std::string quoted = in_quotes(std::string(1000, 'x'));
  EXPECT_EQ(quoted, "\"" + std::string(80, 'x') + "...\"");
  std::string pointer;
  append_to_pointer(pointer, "a/b~c");
  EXPECT_EQ(pointer, "/a~1b~0c");
}

TEST(Errors, FormatLeavesOutWhatThereIsNot) {
  EXPECT_EQ(format({"f.json", 2, 3, "/a", "is bad", "good", "b"}),
            "f.json:2:3: /a: is bad; expected good; did you mean \"b\"?");
  EXPECT_EQ(format({"f", 1, 1, "/a\nb\x1b", "is bad", "", ""}), "f:1:1: /a\\u000ab\\u001b: is bad");
  const std::string long_key(5000, 'k');
  EXPECT_EQ(format({"f", 1, 1, "/" + long_key, "is bad", "", ""}),
            "f:1:1: /" + long_key.substr(0, 999) + "...: is bad");
  EXPECT_EQ(format({"--seed", 0, 0, "", "is bad", "", ""}), "--seed: is bad");
}

}  // namespace
}  // namespace aftershock::sim::scenario
