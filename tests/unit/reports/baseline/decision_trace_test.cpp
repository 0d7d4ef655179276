#include "reports/baseline/decision_trace.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace aftershock::reports {
namespace {

/// A decision's record with one step of that rule, a second after the one before.
std::string decision_line(std::int64_t nth, const std::string& rule,
                          const std::string& budgets = "") {
  return "{\"t\":" + std::to_string(nth * 1'000'000) +
         R"(,"r":"decision","on":"job:llm","batch":1,"fault":null,"saw":[],"steps":[{"rule":")" +
         rule + R"(","from":"A","to":"B","saw":[],"budgets":[)" + budgets +
         R"(],"commands":[],"rejected":[]}],"watch":{}})";
}

/// One letter a step.
TimedTrace trace_of(const std::string& rules) {
  TraceSink sink;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    sink.line(decision_line(static_cast<std::int64_t>(i), std::string("p.") + rules[i]));
  }
  return sink.trace();
}

ToldDecision told(const std::string& text) { return {ToldDecision::Known::kText, text}; }
const ToldDecision kEnded{ToldDecision::Known::kEnded, {}};
const ToldDecision kNotKept{ToldDecision::Known::kNotKept, {}};

TEST(DecisionTrace, CountsWhatIsRepeatedAtOnceAsOne) {
  const TimedTrace trace = trace_of("abbba");
  EXPECT_EQ(trace.trace.count, 5);
  EXPECT_EQ(trace.trace.first, (std::vector<KeptDecision>{{"p.a", 1}, {"p.b", 3}, {"p.a", 1}}));
  EXPECT_EQ(trace.at_us,
            (std::vector<std::int64_t>{0, 1'000'000, 2'000'000, 3'000'000, 4'000'000}));
  EXPECT_TRUE(trace.trace.marks.empty());
}

TEST(DecisionTrace, SaysWhatBecameOfBudgets) {
  TraceSink sink;
  sink.line(R"({"t":0,"r":"begin","on":"job:llm","what":"attempt","id":1})");
  sink.line(decision_line(0, "p.retry",
                          R"({"budget":"max_failures","cause":"node","used":2,"limit":3,)"
                          R"("charged":true,"exhausted":false})"));
  ASSERT_EQ(sink.trace().trace.first.size(), 1U);
  EXPECT_EQ(sink.trace().trace.first[0].text, "p.retry, max_failures 1 to 2 of 3 (node)");
}

struct Parted {
  std::string before;
  std::string now;
  std::int64_t number;
  ToldDecision old_one;
  ToldDecision new_one;
  std::int64_t at_s;
};

TEST(DecisionTrace, FindsTheFirstDecisionThatDiffers) {
  const std::vector<Parted> rows{
      {"abc", "axc", 2, told("p.b"), told("p.x"), 1},
      {"abc", "ab", 3, told("p.c"), kEnded, 1},
      {"ab", "abc", 3, kEnded, told("p.c"), 2},
      {"abbbc", "abbc", 4, told("p.b"), told("p.c"), 3},
      {"abbc", "abbbc", 4, told("p.c"), told("p.b"), 3},
      {"abb", "abbb", 4, kEnded, told("p.b"), 3},
      {"abbb", "abb", 4, told("p.b"), kEnded, 2},
      {"xbc", "abc", 1, told("p.x"), told("p.a"), 0},
  };
  for (const Parted& row : rows) {
    SCOPED_TRACE(row.before + " " + row.now);
    const auto found = trace_difference(trace_of(row.before).trace, trace_of(row.now)).acts;
    ASSERT_TRUE(found);
    EXPECT_EQ(found->number, row.number);
    EXPECT_EQ(found->last_number, row.number);
    EXPECT_EQ(found->before, row.old_one);
    EXPECT_EQ(found->now, row.new_one);
    EXPECT_EQ(found->at_us, row.at_s * 1'000'000);
  }
  EXPECT_EQ(trace_difference(trace_of("abbbc").trace, trace_of("abbbc")), TraceDifferences{});
  EXPECT_EQ(trace_difference({}, {}), TraceDifferences{});
}

/// So many steps of two rules in turn: nothing is repeated at once.
std::string in_turn(std::size_t count) {
  std::string rules;
  for (std::size_t i = 0; i < count; ++i) {
    rules += i % 2 == 0 ? 'a' : 'b';
  }
  return rules;
}

TEST(DecisionTrace, TellsBetweenWhichStepsRunsPartThatItDoesNotKeep) {
  const std::string whole = in_turn(600);
  struct Row {
    std::size_t changed;  // step, from 1
    std::int64_t number;
    std::int64_t last;
  };
  // Kept in words are 40; marks are after 64, 128, 256 and 512 steps.
  for (const Row& row : {Row{40, 40, 40}, Row{42, 41, 64}, Row{64, 41, 64}, Row{65, 65, 128},
                         Row{300, 257, 512}, Row{600, 513, 600}}) {
    SCOPED_TRACE(row.changed);
    std::string other = whole;
    other[row.changed - 1] = 'x';
    const auto found = trace_difference(trace_of(whole).trace, trace_of(other)).acts;
    ASSERT_TRUE(found);
    EXPECT_EQ(found->number, row.number);
    EXPECT_EQ(found->last_number, row.last);
  }
  const auto longer = trace_difference(trace_of(whole).trace, trace_of(whole + "a")).acts;
  ASSERT_TRUE(longer);
  EXPECT_EQ(longer->number, 513);
  EXPECT_EQ(longer->last_number, 601);
  EXPECT_EQ(longer->before, kNotKept);
  EXPECT_EQ(trace_difference(trace_of(whole).trace, trace_of(whole)), TraceDifferences{});
}

TEST(DecisionTrace, TheLastOneKeptMayGoOn) {
  const std::string kept = in_turn(39);
  const auto found = trace_difference(trace_of(kept + "bbbbx").trace, trace_of(kept + "bbx")).acts;
  ASSERT_TRUE(found);
  EXPECT_EQ(found->number, 42);
  EXPECT_EQ(found->before, told("p.b"));
  EXPECT_EQ(found->now, kNotKept);
}

TEST(DecisionTrace, AnActIsADecisionWithoutLimits) {
  const std::vector<std::pair<std::string, std::string>> rows{
      {"p.retry, max_failures 0 to 1 of 3 (node), for f",
       "p.retry, max_failures 0 to 1 (node), for f"},
      {"p.retry, a 0 to 1, no limit (node), exhausted", "p.retry, a 0 to 1 (node), exhausted"},
      {"p.retry, a 2 of 12, node is exempt, b 1, no limit, node is exempt",
       "p.retry, a 2, node is exempt, b 1, node is exempt"},
      {"p.one of 3", "p.one of 3"},
      {"p.one of (x), for 3 of", "p.one of (x), for 3 of"},
      {"", ""},
  };
  for (const auto& [decision, act] : rows) {
    EXPECT_EQ(act_of(decision), act);
  }
}

std::string charge(int used, int limit) {
  return R"({"budget":"b","cause":"node","used":)" + std::to_string(used) + R"(,"limit":)" +
         std::to_string(limit) + R"(,"charged":true,"exhausted":false})";
}

// A budget that is smaller shows in the first charge, and acts when it is used up.
TEST(DecisionTrace, ALimitIsNoActUntilItEndsSomething) {
  const auto run = [](int limit, const std::string& last) {
    TraceSink sink;
    sink.line(decision_line(0, "p.start"));
    sink.line(decision_line(1, "p.retry", charge(1, limit)));
    sink.line(decision_line(2, "p.retry", charge(2, limit)));
    sink.line(decision_line(3, last, charge(3, limit)));
    return sink.trace();
  };
  const auto found = trace_difference(run(3, "p.retry").trace, run(2, "p.give_up"));
  ASSERT_TRUE(found.acts && found.limit);
  EXPECT_EQ(found.acts->number, 4);
  EXPECT_EQ(found.acts->at_us, 3'000'000);
  EXPECT_EQ(found.acts->now, told("p.give_up, b 2 to 3 of 2 (node)"));
  EXPECT_EQ(found.limit->number, 2);
  EXPECT_EQ(found.limit->at_us, 1'000'000);
  EXPECT_EQ(found.limit->before, told("p.retry, b 0 to 1 of 3 (node)"));
  EXPECT_EQ(found.limit->now, told("p.retry, b 0 to 1 of 2 (node)"));
  const auto alike = trace_difference(run(3, "p.retry").trace, run(9, "p.retry"));
  EXPECT_FALSE(alike.acts);
  ASSERT_TRUE(alike.limit);
  EXPECT_EQ(alike.limit->number, 2);
}

TEST(DecisionTrace, OtherCommandsAreOtherActs) {
  const auto run = [](const std::string& commands) {
    TraceSink sink;
    std::string line = decision_line(0, "p.a");
    line.replace(line.find(R"("commands":[])"), 13, R"("commands":[)" + commands + "]");
    sink.line(line);
    return sink.trace();
  };
  const std::string start = R"({"type":"start_attempt","id":1})";
  const auto found =
      trace_difference(run(start).trace, run(start + R"(,{"type":"set_timer","id":2})")).acts;
  ASSERT_TRUE(found);
  EXPECT_EQ(found->before, told("p.a, orders start_attempt"));
  EXPECT_EQ(found->now, told("p.a, orders start_attempt, set_timer"));
}

TEST(DecisionTrace, IsTheSameAfterBytes) {
  for (const std::string& rules : {std::string(), std::string("abba"), in_turn(5000)}) {
    const TimedTrace trace = trace_of(rules);
    const std::string bytes = to_bytes(trace);
    EXPECT_EQ(trace_from_bytes(bytes), trace);
    for (std::size_t cut = 0; cut < std::min<std::size_t>(bytes.size(), 200); ++cut) {
      EXPECT_FALSE(trace_from_bytes(std::string_view(bytes).substr(0, cut)));
    }
    EXPECT_FALSE(trace_from_bytes(bytes + "x"));
  }
}

}  // namespace
}  // namespace aftershock::reports
