#include "reports/compare/decision_text.h"

#include <gtest/gtest.h>

#include "tests/unit/reports/compare/sample_steps.h"

namespace aftershock::reports {
namespace {

using testing::sample_step;

Divergence charged_otherwise() {
  Divergence of;
  of.owner = "job:llm";
  of.fault = "f12";
  of.differs = Differs::kBudgets;
  of.a = sample_step(4'000'000, "f12", "p.retry");
  of.a->saw = {"workers failed: ranks 8-15"};
  of.a->budgets = {{"max_failures", "node", 2, 3, 3, true, false}};
  of.a_us = of.b_us = 4'000'000;
  of.b = of.a;
  of.b->budgets = {{"max_failures", "node", 2, 2, 3, false, false}};
  return of;
}

TEST(DecisionText, SaysOnOneLineWhatDiffers) {
  Divergence of = charged_otherwise();
  EXPECT_EQ(divergence_line(of, false),
            "at 4 s, fault f12 of job:llm: p.retry, max_failures 2 to 3 of 3 (node) | "
            "p.retry, max_failures 2 of 3, node is exempt");
  of.a->budgets[0].exhausted = true;
  of.a->budgets[0].limit.reset();
  of.b.reset();
  EXPECT_EQ(divergence_line(of, false),
            "at 4 s, fault f12 of job:llm: p.retry, max_failures 2 to 3, no limit (node), "
            "exhausted | nothing further");
  of.a = sample_step(4'000'000, "", "p.wait", {"set_timer"});
  of.b = sample_step(5'000'000, "", "p.wait", {"set_timer", "stop_workers"});
  of.fault.clear();
  of.differs = Differs::kCommands;
  EXPECT_EQ(divergence_line(of, false),
            "at 4 s, job:llm: p.wait, orders set_timer | p.wait, orders set_timer; stop_workers "
            "at 5 s");
  of.differs = Differs::kStates;
  of.b.reset();
  of.false_alarm = true;
  EXPECT_EQ(divergence_line(of, false),
            "at 4 s, a hang that was none, of job:llm: p.wait, RUNNING to RESTARTING | nothing "
            "further");
}

TEST(DecisionText, TellsOfEachRunWhatItSawAndDid) {
  Divergence of = charged_otherwise();
  of.b->commands = {{.type = "fail", .words = "fail: reason \x1b[1m", .id = {}, .epoch = {}}};
  of.b->rejected = {{"retry", "no more"}};
  of.b->to = of.b->from;
  of.b->word = "RAISE";
  EXPECT_EQ(divergence_text(of, "one", "other", {}),
            "  at 4 s, fault f12 of job:llm\n"
            "    both saw workers failed: ranks 8-15\n"
            "  one at 4 s: p.retry, RUNNING to RESTARTING\n"
            "    budget max_failures 2 to 3 of 3 (node)\n"
            "    orders nothing\n"
            "  other at 4 s: p.retry, stays RUNNING (RAISE)\n"
            "    budget max_failures 2 of 3, node is exempt\n"
            "    orders fail: reason ?[1m\n"
            "    rejects retry: no more\n");
  of.b->saw = {"timer"};
  EXPECT_EQ(divergence_text(of, "one", "other", {}).find("both saw"), std::string::npos);
  of.b.reset();
  EXPECT_NE(divergence_text(of, "one", "other", {}).find("\n    saw workers failed: ranks 8-15\n"),
            std::string::npos);
  EXPECT_NE(divergence_text(of, "one", "other", {}).find("\n  other: nothing further\n"),
            std::string::npos);
}

}  // namespace
}  // namespace aftershock::reports
