#include "sim/cli/many/budget_note.h"

#include <string>
#include <utility>
#include <variant>

#include <gtest/gtest.h>

#include "sim/scenario/read/read.h"

namespace aftershock::sim::cli {
namespace {

scenario::Scenario under(const std::string& policy) {
  scenario::ReadOptions options;
  options.sets = {"/jobs/0/policy=" + policy};
  auto read = scenario::read_scenario_file("scenarios/quickstart.json", options);
  return std::get<scenario::ReadScenario>(std::move(read)).scenario;
}

TEST(BudgetNote, SaysWhichBudgetsDifferAndHowToGiveAsMany) {
  const std::string ray = R"({"name":"ray_train","config":{"max_failures":28}})";
  const std::string three = R"({"name":"torchrun","config":{"max_restarts":3}})";
  EXPECT_EQ(budget_note(under(ray), under(three)),
            "max_restarts 3 beside max_failures 28: where runs end by a budget, that decides; as "
            "many for both: --vary '/jobs/0/policy=" +
                std::string(R"({"name":"ray_train","config":{"max_failures":28}},)") +
                R"({"name":"torchrun","config":{"max_restarts":28}}')");
  EXPECT_EQ(budget_note(under(ray), under(R"({"name":"torchrun","config":{"max_restarts":28}})")),
            "");
  EXPECT_EQ(budget_note(under(R"({"name":"ray_train","config":{"max_failures":-1}})"), under(three))
                .substr(0, 44),
            "max_restarts 3 beside an unlimited max_failu");
  // Of one that has no such setting written down the flag is the user's to find.
  EXPECT_EQ(budget_note(under(ray), under(R"({"name":"torchrun"})")),
            "max_restarts 0 beside max_failures 28: where runs end by a budget, that decides");
}

}  // namespace
}  // namespace aftershock::sim::cli
