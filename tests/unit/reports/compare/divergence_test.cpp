#include "reports/compare/divergence.h"

#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/reports/compare/sample_steps.h"

namespace aftershock::reports {
namespace {

using testing::sample_step;
using Steps = std::vector<DecisionStep>;

BudgetMove move_to(std::int64_t used, std::int64_t limit, bool charged = true) {
  return {.budget = "max_failures",
          .cause = "node",
          .before = charged ? used - 1 : used,
          .used = used,
          .limit = limit,
          .charged = charged,
          .exhausted = charged && used > limit};
}

// As in run A: faults f and g, each answered in two steps.
Steps answered() {
  Steps steps{sample_step(0, "", "p.begin", {"start_attempt"}),
              sample_step(10, "f", "p.retry"),
              sample_step(10, "f", "p.stop", {"stop_workers"}),
              sample_step(20, "", "p.commit", {"commit_checkpoint"}),
              sample_step(30, "g", "p.retry"),
              sample_step(30, "g", "p.stop", {"stop_workers"})};
  steps[1].budgets = {move_to(1, 3)};
  steps[4].budgets = {move_to(2, 3)};
  return steps;
}

struct Change {
  const char* name;
  std::function<void(Steps&)> make;
  int at_us;  // of A's step where the runs part; -1: they do not
  Differs differs;
};

Steps changed(const Change& change) {
  Steps steps = answered();
  change.make(steps);
  return steps;
}

TEST(Divergence, StepByStepIsTheFirstThatSaysSomethingElse) {
  const std::vector<Change> rows{
      {"the same", [](Steps&) {}, -1, Differs::kEnded},
      {"by other numbers", [](Steps& s) { s[2].commands[0].id = 7; }, -1, Differs::kEnded},
      {"later", [](Steps& s) { s[3].t_us = 21; }, 20, Differs::kTime},
      {"about another fault", [](Steps& s) { s[4].fault = "h"; }, 30, Differs::kFault},
      {"by another rule", [](Steps& s) { s[1].rule = "p.fail"; }, 10, Differs::kRule},
      {"to another state", [](Steps& s) { s[1].to = "FAILED"; }, 10, Differs::kStates},
      {"by another word", [](Steps& s) { s[1].word = "RAISE"; }, 10, Differs::kStates},
      {"of another limit", [](Steps& s) { s[4].budgets[0].limit = 2; }, 30, Differs::kBudgets},
      {"one charge less", [](Steps& s) { s[4].budgets = {move_to(1, 3)}; }, 30, Differs::kBudgets},
      {"with other arguments", [](Steps& s) { s[3].commands[0].words += " 7"; }, 20,
       Differs::kCommands},
      {"without the last", [](Steps& s) { s.pop_back(); }, 30, Differs::kEnded},
      {"nothing", [](Steps& s) { s.clear(); }, 0, Differs::kEnded},
      // The fault is later, what differs first is not.
      {"twice", [](Steps& s) { s[5].t_us = 99, s[2].rule = "p.wait"; }, 10, Differs::kRule},
  };
  for (const Change& row : rows) {
    const auto found = first_difference(answered(), changed(row));
    ASSERT_EQ(found.has_value(), row.at_us >= 0) << row.name;
    if (found) {
      EXPECT_EQ(found->a_us, row.at_us) << row.name;
      EXPECT_EQ(found->differs, row.differs) << row.name;
      EXPECT_EQ(found->owner, "job:x") << row.name;
    }
    const auto other_way = first_difference(changed(row), answered());
    EXPECT_EQ(other_way.has_value(), found.has_value()) << row.name;
    EXPECT_TRUE(!found || other_way->differs == found->differs) << row.name;
  }
}

TEST(Divergence, StepByStepIsTheEarliestOfAllOwners) {
  Steps a = answered();
  Steps b = answered();
  a.push_back(sample_step(25, "", "q.look"));
  a.back().owner = "job:a";
  b[3].rule = "p.drop";
  const auto found = first_difference(a, b);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->owner, "job:x") << "at 20, where job:a is at 25";
  b[3].rule = a[3].rule;
  const auto next = first_difference(a, b);
  ASSERT_TRUE(next);
  EXPECT_EQ(next->owner, "job:a");
  EXPECT_FALSE(next->b);
}

TEST(Divergence, ByFaultIsWhatWasDone) {
  const std::vector<Change> rows{
      {"the same", [](Steps&) {}, -1, Differs::kEnded},
      {"later, and with more between",
       [](Steps& s) {
         for (DecisionStep& step : s) step.t_us *= 2;
         s.insert(s.begin() + 1, sample_step(5, "", "p.commit", {"commit_checkpoint"}));
       },
       -1, Differs::kEnded},
      {"with more left to spend", [](Steps& s) { s[4].budgets = {move_to(1, 10)}; }, -1,
       Differs::kEnded},
      {"another rule", [](Steps& s) { s[4].rule = "p.fail"; }, 30, Differs::kRule},
      {"another command", [](Steps& s) { s[2].commands[0].type = "fail"; }, 10, Differs::kCommands},
      {"exempt", [](Steps& s) { s[1].budgets = {move_to(0, 3, false)}; }, 10, Differs::kBudgets},
      {"exhausted", [](Steps& s) { s[4].budgets = {move_to(2, 1)}; }, 30, Differs::kBudgets},
      {"ends before", [](Steps& s) { s.erase(s.begin() + 2); }, 10, Differs::kEnded},
      {"goes on", [](Steps& s) { s.push_back(sample_step(40, "g", "p.again")); }, 30,
       Differs::kEnded},
      {"another policy, the same orders",
       [](Steps& s) {
         s = {sample_step(11, "f", "q.see"), sample_step(12, "f", "q.stop", {"stop_workers"}),
              sample_step(33, "g", "q.stop", {"stop_workers"}), sample_step(34, "g", "q.done")};
       },
       -1, Differs::kEnded},
      {"another policy, another order",
       [](Steps& s) { s = {sample_step(11, "f", "q.fail", {"fail"})}; }, 10, Differs::kCommands},
      {"another policy, no order", [](Steps& s) { s = {sample_step(11, "f", "q.see")}; }, 10,
       Differs::kEnded},
      {"a fault not answered", [](Steps& s) { s.resize(4); }, 30, Differs::kEnded},
      {"a fault more, nothing done", [](Steps& s) { s.push_back(sample_step(40, "h", "p.look")); },
       -1, Differs::kEnded},
  };
  for (const Change& row : rows) {
    const auto found = first_by_fault(answered(), changed(row));
    ASSERT_EQ(found.has_value(), row.at_us >= 0) << row.name;
    if (found) {
      EXPECT_EQ(found->a_us, row.at_us) << row.name;
      EXPECT_EQ(found->differs, row.differs) << row.name;
    }
  }
}

TEST(Divergence, ByFaultListsEveryFaultThatBothAnswered) {
  Steps b = answered();
  b[1].rule = b[4].rule = "p.fail";
  b.push_back(sample_step(40, "only in b", "p.stop", {"stop_workers"}));
  const auto found = divergences_by_fault(answers_in(answered()), answers_in(b));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].fault, "f");
  EXPECT_EQ(found[1].fault, "g");
  EXPECT_EQ(found[1].a->rule, "p.retry");
  EXPECT_EQ(found[1].b->rule, "p.fail");
}

// Healthy processes that are killed by one policy alone.
TEST(Divergence, ByFaultIsAlsoAFalseAlarm) {
  Steps b = answered();
  b.insert(b.begin() + 1, sample_step(8, "", "p.hang", {"stop_workers"}));
  b[1].false_alarm = true;
  const auto found = first_by_fault(answered(), b);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->false_alarm);
  EXPECT_FALSE(found->a);
  EXPECT_EQ(found->b->rule, "p.hang");
  EXPECT_EQ(found->a_us, 8);
}

}  // namespace
}  // namespace aftershock::reports
