#include "sim/cli/arguments/arguments.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace aftershock::sim::cli {
namespace {

using ::testing::HasSubstr;

struct Read {
  Program::Outcome outcome;
  bool ran = false;
  std::string file;
  std::vector<std::string> tags;
  std::string kind = "quick";
  std::optional<std::int64_t> events;
  int times = 1;
  bool loud = false;
  bool quiet = false;
};

Read read(std::vector<std::string> words) {
  Read read;
  Program program("tool", "does things", "tool 1.0");
  Command run = program.top().add_command("run", "runs it");
  run.add_option("file", read.file, "the file to run").required();
  run.add_option("--tag", read.tags, "a tag").one_value_each();
  run.add_option("--kind", read.kind, "a kind").one_of({"quick", "slow"}).shows_default();
  run.add_option("--events", read.events, "how many")
      .check([](const std::string& text) { return text == "13" ? text + ": unlucky" : ""; }, "N");
  run.add_option("--times", read.times, "how often").between(1, 3);
  const Option loud = run.add_flag("--loud", read.loud, "says all");
  run.add_flag("--quiet", read.quiet, "says nothing").excludes(loud);
  run.callback([&read] { read.ran = true; });
  words.insert(words.begin(), "tool");
  std::vector<char*> arguments;
  for (std::string& word : words) {
    arguments.push_back(word.data());
  }
  read.outcome = program.parse(static_cast<int>(arguments.size()), arguments.data());
  return read;
}

TEST(Arguments, AreWrittenToTheVariablesAndTheCommandIsCalled) {
  const Read got = read({"run", "--tag", "a", "x.json", "--tag", "b", "--kind", "slow", "--events",
                         "12", "--times", "3", "--loud"});
  EXPECT_FALSE(got.outcome.refused) << got.outcome.complaint;
  EXPECT_TRUE(got.ran);
  EXPECT_EQ(got.file, "x.json");
  EXPECT_THAT(got.tags, ::testing::ElementsAre("a", "b"));
  EXPECT_EQ(got.kind, "slow");
  EXPECT_EQ(got.events, 12);
  EXPECT_EQ(got.times, 3);
  EXPECT_TRUE(got.loud);
}

struct Refused {
  const char* what;
  std::vector<std::string> words;
  const char* complaint;
};

class RefusedArguments : public ::testing::TestWithParam<Refused> {};

TEST_P(RefusedArguments, AreExplainedAndNothingRuns) {
  const Read got = read(GetParam().words);
  EXPECT_TRUE(got.outcome.refused);
  EXPECT_FALSE(got.ran);
  EXPECT_TRUE(got.outcome.output.empty());
  EXPECT_THAT(got.outcome.complaint, HasSubstr(GetParam().complaint));
}

INSTANTIATE_TEST_SUITE_P(
    All, RefusedArguments,
    ::testing::Values(
        Refused{"nothing", {}, "Usage: tool"}, Refused{"no file", {"run"}, "file is required"},
        Refused{"a command that is not there", {"rum"}, "did you mean run?"},
        Refused{"help of a command that is not there", {"rum", "--help"}, "did you mean run?"},
        Refused{"an option that is not there", {"run", "x", "--lout"}, "did you mean --loud?"},
        Refused{"an empty value", {"run", ""}, "must not be empty: the file to run"},
        Refused{"another word", {"run", "x", "--kind", "odd"}, "odd not in {quick,slow}"},
        Refused{"a number too large", {"run", "x", "--times", "4"}, "not in range"},
        Refused{"a value that the check refuses", {"run", "x", "--events", "13"}, "13: unlucky"},
        Refused{"both of two", {"run", "x", "--loud", "--quiet"}, "--loud excludes --quiet"}),
    [](const auto& test) {
      std::string name = test.param.what;
      for (char& c : name) {
        c = c == ' ' ? '_' : c;
      }
      return name;
    });

TEST(Arguments, ThatAskForHelpGetItAndAreNotRefused) {
  for (const auto& [words, output] :
       {std::pair{std::vector<std::string>{"--version"}, "tool 1.0"},
        std::pair{std::vector<std::string>{"run", "--help"}, "a kind"}}) {
    const Read got = read(words);
    EXPECT_FALSE(got.outcome.refused);
    EXPECT_FALSE(got.ran);
    EXPECT_THAT(got.outcome.output, HasSubstr(output));
  }
}

}  // namespace
}  // namespace aftershock::sim::cli
