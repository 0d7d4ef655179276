#include "sim/control/external/transcript.h"

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace aftershock::sim::control {
namespace {

std::string written(const std::vector<std::pair<std::size_t, Exchange>>& said) {
  TranscriptText text(R"({"name":"x"})");
  for (const auto& [policy, exchange] : said) {
    text.add(policy, exchange);
  }
  return std::move(text).finish("passed", "00ff");
}

// A message may hold the keys of the transcript itself, quotes, brackets, and be invalid JSON
// altogether.
const std::vector<std::pair<std::size_t, Exchange>> kSaid = {
    {0, {R"({"type":"hello"})", R"({ "type" : "hello_ok", "from":1 })"}},
    {1, {R"({"a":"},\"from\":{","b":[{}]})", R"({"hash":"\\","to":{"from":[1,{}]}})"}},
    {0, {R"({"b":1})", "INFO \"starting\"\tup"}},
};

TEST(TranscriptText, GivesBackEveryByteThatWasSaid) {
  const auto read = read_transcript(written(kSaid));
  ASSERT_TRUE(std::holds_alternative<Transcript>(read)) << std::get<std::string>(read);
  EXPECT_TRUE(begins_transcript(written({})));
  const auto& transcript = std::get<Transcript>(read);
  EXPECT_EQ(transcript.scenario_json, R"({"name":"x"})");
  EXPECT_EQ(transcript.hash, "00ff");
  EXPECT_EQ(transcript.exchanges, 3U);
  ASSERT_EQ(transcript.tape.size(), 2U);
  ASSERT_EQ(transcript.tape[0].size(), 2U);
  EXPECT_EQ(transcript.tape[0][0].from, kSaid[0].second.from);
  EXPECT_EQ(transcript.tape[1][0].to, kSaid[1].second.to);
  EXPECT_EQ(transcript.tape[1][0].from, kSaid[1].second.from);
  EXPECT_EQ(transcript.tape[0][1].from, kSaid[2].second.from);
}

TEST(TranscriptText, OneThatWasChangedOrIsNoneIsRefused) {
  std::string changed = written(kSaid);
  changed.replace(changed.find("\"b\":1"), 5, "\"b\":2");
  for (const std::string& text :
       {changed, std::string(), std::string("{}\n"), std::string("x\n")}) {
    EXPECT_TRUE(std::holds_alternative<std::string>(read_transcript(text))) << text;
  }
  EXPECT_THAT(std::get<std::string>(read_transcript(changed)), ::testing::HasSubstr("line 4"));
}

}  // namespace
}  // namespace aftershock::sim::control
