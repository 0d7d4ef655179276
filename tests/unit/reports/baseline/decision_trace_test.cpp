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
    const auto found = trace_difference(trace_of(row.before).trace, trace_of(row.now));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->number, row.number);
    EXPECT_EQ(found->last_number, row.number);
    EXPECT_EQ(found->before, row.old_one);
    EXPECT_EQ(found->now, row.new_one);
    EXPECT_EQ(found->at_us, row.at_s * 1'000'000);
  }
  EXPECT_FALSE(trace_difference(trace_of("abbbc").trace, trace_of("abbbc")));
  EXPECT_FALSE(trace_difference({}, {}));
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
    const auto found = trace_difference(trace_of(whole).trace, trace_of(other));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->number, row.number);
    EXPECT_EQ(found->last_number, row.last);
  }
  const auto longer = trace_difference(trace_of(whole).trace, trace_of(whole + "a"));
  ASSERT_TRUE(longer);
  EXPECT_EQ(longer->number, 513);
  EXPECT_EQ(longer->last_number, 601);
  EXPECT_EQ(longer->before, kNotKept);
  EXPECT_FALSE(trace_difference(trace_of(whole).trace, trace_of(whole)));
}

TEST(DecisionTrace, TheLastOneKeptMayGoOn) {
  const std::string kept = in_turn(39);
  const auto found = trace_difference(trace_of(kept + "bbbbx").trace, trace_of(kept + "bbx"));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->number, 42);
  EXPECT_EQ(found->before, told("p.b"));
  EXPECT_EQ(found->now, kNotKept);
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
