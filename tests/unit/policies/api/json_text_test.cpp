#include "policies/api/json_text.h"

#include <string>
#include <string_view>
#include <variant>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "policies/api/events.h"
#include "policies/api/json.h"
#include "policies/api/wire_decision.h"

// A text that is read straight gives the result of the way by a tree, and unusual ones are left to
// that.
namespace aftershock::policies {
namespace {

struct Text {
  std::string_view text;
  bool taken = true;
};

constexpr std::string_view kPlainBatch =
    R"({"type":"batch","seq":7,"t_us":9007199254740992,"events":[)"
    R"({"type":"workers_failed","job":0,"epoch":2,"ranks":[3,[8,15]],"kind":"node_lost",)"
    R"("exit_code":-9,"preempted":true,"error":""},)"
    R"({"type":"checkpoint_reported","job":0,"epoch":1,"checkpoint":4,"ranks":[[0,7]],)"
    R"("score_e6":null},{"type":"timer","job":0}]})";

const Text kBatches[] = {
    {kPlainBatch},
    {R"( { "type" : "batch" , "events" : [ ] , "t_us" : 0 } )"},
    {R"({"type":"batch","events":[{"type":"checkpoint_reported","score_e6":-1}]})"},
    // Another type, or one that comes later.
    {R"({"type":"world","seq":1})", false},
    {R"({"seq":1,"type":"batch"})", false},
    {R"({"type":"batch","events":[{"job":0,"type":"timer"}]})", false},
    // Members: unknown, twice.
    {R"({"type":"batch","sequence":1})", false},
    {R"({"type":"batch","seq":1,"seq":2})", false},
    {R"({"type":"batch","type":"batch"})", false},
    // Numbers: as text, beyond 2^53, of another sign or form, beyond their type.
    {R"({"type":"batch","seq":"1"})", false},
    {R"({"type":"batch","seq":9007199254740993})", false},
    {R"({"type":"batch","seq":18446744073709551617})", false},
    {R"({"type":"batch","seq":-1})", false},
    {R"({"type":"batch","seq":-0})", false},
    {R"({"type":"batch","seq":1.0})", false},
    {R"({"type":"batch","seq":1e3})", false},
    {R"({"type":"batch","seq":01})", false},
    {R"({"type":"batch","seq":})", false},
    {R"({"type":"batch","events":[{"type":"timer","job":4294967296}]})", false},
    {R"({"type":"batch","events":[{"type":"workers_failed","exit_code":2147483648}]})", false},
    // Ranks that are none.
    {R"({"type":"batch","events":[{"type":"workers_failed","ranks":[[5,4]]}]})", false},
    {R"({"type":"batch","events":[{"type":"workers_failed","ranks":[[5]]}]})", false},
    {R"({"type":"batch","events":[{"type":"workers_failed","ranks":[4294967295]}]})", false},
    // Texts with escapes, and beyond ASCII.
    {R"({"type":"batch","events":[{"type":"workers_failed","error":"a\"b"}]})", false},
    {"{\"type\":\"batch\",\"events\":[{\"type\":\"workers_failed\",\"error\":\"\xC3\xBC\"}]}",
     false},
    {"{\"type\":\"batch\",\"events\":[{\"type\":\"workers_failed\",\"error\":\"a\tb\"}]}", false},
    // Words and types that nobody knows.
    {R"({"type":"batch","events":[{"type":"workers_failed","kind":"lost"}]})", false},
    {R"({"type":"batch","events":[{"type":"worker_failed"}]})", false},
    // Invalid JSON, or more than one value.
    {"", false},
    {"{", false},
    {R"({"type":"batch",})", false},
    {R"({"type":"batch" "seq":1})", false},
    {R"({"type":"batch","events":[,]})", false},
    {R"({"type":"batch","events":[)", false},
    {R"({"type":"batch"}x)", false},
    {R"({"type":"batch"}{"type":"batch"})", false},
    {R"({"type":"batch","seq":1)", false},
    {R"({"type":"batch)", false},
};

TEST(JsonText, ReadsBatchesAsTheTreeDoes) {
  for (const auto& [text, taken] : kBatches) {
    Batch batch;
    json_text::Reader reader(text);
    ASSERT_EQ(reader.message("batch", batch), taken) << text;
    if (!taken) {
      continue;
    }
    auto tree = std::get<nlohmann::json>(parse_json(text));
    tree.erase("type");
    const auto read = batch_from_json(tree);
    ASSERT_TRUE(std::holds_alternative<Batch>(read)) << text;
    EXPECT_EQ(to_line(batch), to_line(std::get<Batch>(read))) << text;
  }
}

// A text that is cut off or changed in one letter is read alike, or not at all.
TEST(JsonText, TakesNothingThatTheTreeRefuses) {
  for (std::size_t at = 0; at < kPlainBatch.size(); ++at) {
    for (const char letter : {'x', '0', '"', ',', '}', ']', ' ', '\\', '-'}) {
      std::string text(kPlainBatch);
      text[at] = letter;
      Batch batch;
      if (!json_text::Reader(text).message("batch", batch)) {
        continue;
      }
      auto parsed = parse_json(text);
      ASSERT_TRUE(std::holds_alternative<nlohmann::json>(parsed)) << text;
      auto& tree = std::get<nlohmann::json>(parsed);
      tree.erase("type");
      const auto read = batch_from_json(tree);
      ASSERT_TRUE(std::holds_alternative<Batch>(read)) << text;
      EXPECT_EQ(to_line(batch), to_line(std::get<Batch>(read))) << text;
    }
    Batch batch;
    EXPECT_FALSE(json_text::Reader(kPlainBatch.substr(0, at)).message("batch", batch)) << at;
  }
}

TEST(JsonText, KnowsAnEmptyTextFromNone) {
  WireDecision none;
  json_text::Reader without(R"({"type":"decide","steps":[{"saw":[0]}]})");
  EXPECT_TRUE(without.message("decide", none));
  EXPECT_FALSE(without.saw_empty_text());
  json_text::Reader with(R"({"type":"decide","steps":[{"from":""}]})");
  EXPECT_TRUE(with.message("decide", none));
  EXPECT_TRUE(with.saw_empty_text());
}

TEST(ParseJson, NamesAMemberThatIsThereTwice) {
  for (const char* text : {R"({"a":1,"a":2})", R"([{"b":{}},{"x":[{"a":"\":","a":1}]}])"}) {
    const auto parsed = parse_json(text);
    const auto* issue = std::get_if<Issue>(&parsed);
    ASSERT_NE(issue, nullptr) << text;
    EXPECT_EQ(issue->message, "the member \"a\" is there twice");
  }
  EXPECT_TRUE(std::holds_alternative<nlohmann::json>(parse_json(R"({"a":"\\\":{[,","b":":"})")));
}

// Readers call themselves for what is within: a message must not use up the stack.
TEST(ParseJson, RefusesWhatIsNestedWithoutEnd) {
  const std::string deep(400'000, '[');
  const auto parsed = parse_json(deep + std::string(400'000, ']'));
  const auto* issue = std::get_if<Issue>(&parsed);
  ASSERT_NE(issue, nullptr);
  EXPECT_EQ(issue->message, "JSON in JSON more than 500 times");
}

}  // namespace
}  // namespace aftershock::policies
