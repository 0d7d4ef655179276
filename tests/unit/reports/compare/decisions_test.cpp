#include "reports/compare/decisions.h"

#include <fstream>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "reports/recording/header.h"
#include "tests/unit/reports/sample_recording.h"

namespace aftershock::reports {
namespace {

constexpr const char* kDecision =
    R"({"t":5000000,"r":"decision","on":"job:llm","batch":4,"fault":"crash#0",)"
    R"("saw":[{"type":"timer","id":3},{"type":"workers_failed","job":0,"epoch":1,"ranks":[[8,15]],)"
    R"("kind":"node_lost"}],"steps":[{"rule":"p.retry","from":"RUNNING","to":"RESTARTING",)"
    R"("decision":"RETRY","saw":[1],"budgets":[{"budget":"max_failures","cause":"node","used":2,)"
    R"("limit":3,"charged":true,"exhausted":false},{"budget":"other","cause":"node","used":1,)"
    R"("limit":null,"charged":false,"exhausted":false}],"commands":[],)"
    R"("rejected":[{"what":"RAISE","why":"one is left"}]},{"rule":"p.stop","from":"RESTARTING",)"
    R"("to":"RESTARTING","saw":[],"budgets":[],"commands":[{"type":"stop_workers","id":4,"job":0,)"
    R"("epoch":1,"grace_us":5000000}],"rejected":[]}],"watch":{}})";

TEST(Decisions, AreReadStepByStep) {
  const auto steps = decision_steps(kDecision);
  ASSERT_EQ(steps.size(), 2U);
  const DecisionStep& first = steps[0];
  EXPECT_EQ(first.t_us, 5'000'000);
  EXPECT_EQ(first.owner, "job:llm");
  EXPECT_EQ(first.fault, "crash#0");
  EXPECT_EQ(first.rule, "p.retry");
  EXPECT_EQ(first.from, "RUNNING");
  EXPECT_EQ(first.to, "RESTARTING");
  EXPECT_EQ(first.word, "RETRY");
  EXPECT_EQ(first.saw,
            (std::vector<std::string>{"workers failed: epoch 1, kind node_lost, ranks 8-15"}));
  EXPECT_EQ(first.budgets,
            (std::vector<BudgetMove>{{"max_failures", "node", 1, 2, 3, true, false},
                                     {"other", "node", 1, 1, std::nullopt, false, false}}));
  ASSERT_EQ(first.rejected.size(), 1U);
  EXPECT_EQ(first.rejected[0].why, "one is left");
  const DecisionStep& second = steps[1];
  EXPECT_EQ(second.saw.size(), 2U) << "it names none: all of the decision's";
  ASSERT_EQ(second.commands.size(), 1U);
  EXPECT_EQ(second.commands[0].type, "stop_workers");
  EXPECT_EQ(second.commands[0].words, "stop workers: epoch 1, grace 5 s");
  EXPECT_EQ(second.commands[0].id, 4);
}

TEST(Decisions, OfOtherTextsAreNone) {
  for (const char* text : {"", "3", "{", "null", R"({"t":1,"r":"fault","steps":[{"rule":"x"}]})",
                           R"({"t":1,"r":"decision","steps":3})"}) {
    EXPECT_TRUE(decision_steps(text).empty()) << text;
  }
  // Members of other types read as nothing.
  const auto odd = decision_steps(
      R"({"t":"x","r":"decision","on":1,"saw":{},"steps":[3,{"rule":1,"saw":[-1,9,"x"]}]})");
  ASSERT_EQ(odd.size(), 2U);
  EXPECT_EQ(odd[1].rule, "");
  EXPECT_TRUE(odd[1].saw.empty());
}

TEST(Decisions, AreTakenFromARunAndFromItsFileAlike) {
  const testing::ScratchFolder folder;
  const std::string path = folder.file("a.aftershock");
  const std::vector<std::string> lines{
      header_line({}), kDecision,
      // Nothing else is one, whatever its texts say.
      R"({"t":6000000,"r":"instant","on":"job:llm","what":"\"r\":\"decision\""})",
      R"({"t":7000000,"r":"decision","on":"job:llm","steps":[{"rule":"p.a"},{"rule":"p.b"}]})"};
  DecisionSink sink;
  std::ofstream file(path);
  for (const std::string& line : lines) {
    sink.line(line);
    file << line << "\n";
  }
  file.close();
  const auto read = read_decisions(path);
  ASSERT_TRUE(std::holds_alternative<Decisions>(read)) << std::get<std::string>(read);
  for (const Decisions* each : {&sink.decisions(), &std::get<Decisions>(read)}) {
    ASSERT_EQ(each->steps.size(), 4U);
    EXPECT_EQ(each->steps[1].decision, 0U);
    EXPECT_EQ(each->steps[2].decision, 1U);
    EXPECT_FALSE(each->cut);
  }
  EXPECT_NE(std::get<Decisions>(read).unfinished, "") << "it has no end";
  for (const std::string& other : {folder.file("none"), folder.path()}) {
    const auto none = read_decisions(other);
    ASSERT_TRUE(std::holds_alternative<std::string>(none)) << other;
    EXPECT_NE(std::get<std::string>(none).find(other), std::string::npos);
  }
}

TEST(Decisions, AreKeptUpToALimit) {
  DecisionSink sink;
  constexpr std::size_t kAtOnce = 1'000;
  std::string line = R"({"t":1,"r":"decision","on":"job:llm","steps":[{})";
  for (std::size_t i = 1; i < kAtOnce; ++i) {
    line += ",{}";
  }
  line += "]}";
  for (std::size_t i = 0; i <= kStepsMax / kAtOnce; ++i) {
    EXPECT_FALSE(sink.decisions().cut);
    sink.line(line);
  }
  EXPECT_TRUE(sink.decisions().cut);
  EXPECT_EQ(sink.decisions().steps.size(), kStepsMax);
}

}  // namespace
}  // namespace aftershock::reports
