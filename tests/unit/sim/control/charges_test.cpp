#include "sim/control/charges.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace aftershock::sim::control {
namespace {

using policies::BudgetMove;

policies::PolicyInfo policy_with_budgets() {
  policies::PolicyInfo info;
  info.budgets = {"retries", "in a row"};
  info.budgets_in_a_row = {1};
  return info;
}

struct MoveRow {
  const char* name;
  std::vector<BudgetMove> moves;
  std::string wrong;  ///< with the last of them
  bool after_stop = false;
};

class Moves : public testing::TestWithParam<MoveRow> {};

TEST_P(Moves, AreHeldToTheLimits) {
  const MoveRow& row = GetParam();
  const policies::PodTerms terms{.limits = {2, 3}};
  Charges charges;
  std::string wrong;
  for (const BudgetMove& move : row.moves) {
    EXPECT_EQ(wrong, "");
    wrong = take_in_move(charges, policy_with_budgets(), terms, move, row.after_stop);
  }
  EXPECT_EQ(wrong, row.wrong);
}

INSTANTIATE_TEST_SUITE_P(
    Row, Moves,
    testing::Values(
        MoveRow{"counts", {{.used = 1}, {.used = 2}}, ""},
        MoveRow{"stands", {{.used = 1}, {.used = 1}}, "retries is charged and goes from 1 to 1"},
        MoveRow{"goes_back", {{.used = 2}, {.used = 1}}, "retries is charged and goes from 2 to 1"},
        MoveRow{"exempt", {{.used = 1}, {.used = 1, .exempt = true}}, ""},
        MoveRow{"over", {{.used = 2}, {.used = 3, .limit = 8}}, "3 of 2 of retries are used"},
        MoveRow{"exhausted", {{.used = 2}, {.used = 3, .exhausted = true}}, ""},
        MoveRow{"begins_anew", {{.budget = 1, .used = 3}, {.budget = 1, .used = 1}}, ""},
        MoveRow{"stands_in_a_row",
                {{.budget = 1, .used = 2}, {.budget = 1, .used = 2}},
                "in a row is charged and goes from 2 to 2"},
        MoveRow{"late",
                {{.used = 1}},
                "retries is charged when the workers have been stopped already",
                true}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(Charges, PayForOneActionEach) {
  Charges charges;
  EXPECT_TRUE(may_act(charges)) << "the first start is free";
  spend(charges);
  EXPECT_FALSE(may_act(charges));
  EXPECT_EQ(take_in_move(charges, policy_with_budgets(), {}, {.used = 1}, false), "");
  EXPECT_TRUE(may_act(charges));
  spend(charges);
  EXPECT_FALSE(may_act(charges));
  take_in_move(charges, policy_with_budgets(), {}, {.used = 2, .exempt = true}, false);
  take_in_move(charges, policy_with_budgets(), {}, {.used = 3, .exhausted = true}, false);
  EXPECT_FALSE(may_act(charges)) << "neither pays";
  charges.forgiven = true;
  EXPECT_TRUE(may_act(charges));
}

TEST(Charges, AreNotGivenBack) {
  Charges charges;
  EXPECT_EQ(take_in_states(charges, policy_with_budgets(), {{2, 8}, {2, 3}}), "");
  EXPECT_EQ(take_in_states(charges, policy_with_budgets(), {{2, 8}, {0, 3}}), "")
      << "in a row it may";
  EXPECT_EQ(take_in_states(charges, policy_with_budgets(), {{1, 8}, {0, 3}}),
            "retries goes back from 2 to 1");
}

}  // namespace
}  // namespace aftershock::sim::control
