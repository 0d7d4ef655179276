#include "policies/external/unsayable.h"

#include <functional>
#include <string>

#include <gtest/gtest.h>

namespace aftershock::policies {
namespace {

PolicyInfo info_of_one() {
  PolicyInfo info;
  info.states = {"A", "B"};
  info.budgets = {"retries"};
  info.rules = {{"one", "", ""}};
  return info;
}

/// Where a step that is spoiled so cannot be said; empty: it can.
std::string where(const std::function<void(Step&)>& spoil) {
  Decision decision;
  Step& step = decision.steps.emplace_back();
  step.to_state = 1;
  step.budgets = {{.used = 1, .limit = 3}};
  step.commands.emplace_back(Fail{.reason = "exhausted(retries)"});
  spoil(step);
  const auto issue = unsayable(decision, 0, info_of_one());
  return issue ? issue->pointer : "";
}

TEST(Unsayable, SaysWhereAnIndexOrAnEnumeratorIsNone) {
  EXPECT_EQ(where([](Step&) {}), "");
  EXPECT_EQ(where([](Step& step) { step.budgets[0].used = -1; }), "");
  EXPECT_EQ(where([](Step& step) { step.rule = 1; }), "/steps/0/rule");
  EXPECT_EQ(where([](Step& step) { step.from_state = 2; }), "/steps/0/from");
  EXPECT_EQ(where([](Step& step) { step.to_state = 9; }), "/steps/0/to");
  EXPECT_EQ(where([](Step& step) { step.budgets[0].budget = 1; }), "/steps/0/budgets/0/budget");
  EXPECT_EQ(where([](Step& step) { step.budgets[0].cause = static_cast<ChargeCause>(99); }),
            "/steps/0/budgets/0/cause");
}

TEST(Unsayable, AStateToo) {
  EXPECT_FALSE(unsayable({}, 1, info_of_one()));
  EXPECT_EQ(unsayable({}, 2, info_of_one())->pointer, "/state");
}

}  // namespace
}  // namespace aftershock::policies
