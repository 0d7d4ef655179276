#include "sim/advise/known_runs.h"

#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/simulate/simulate.h"

namespace aftershock::sim::advise {
namespace {

using ::testing::IsEmpty;

reports::RunRow run_of(const sweep::Plan& plan, std::uint32_t cell, std::uint32_t replica) {
  auto scenario = std::make_shared<scenario::Scenario>(sweep::scenario_of(plan.cells[cell]));
  scenario->seed = plan.seed_of(cell, replica);
  simulate::SimulateOptions options;
  options.words = false;
  reports::RunRow row = reports::row_of(simulate::simulate(scenario, options), plan.pointers);
  row.cell = cell;
  row.replica = replica;
  row.seed = scenario->seed;
  return row;
}

reports::RunStore store_of(const sweep::Plan& plan) {
  reports::StoreHeader header;
  header.replicas = plan.replicas;
  header.pointers = plan.pointers;
  for (const sweep::PlannedCell& cell : plan.cells) {
    header.cells.push_back(cell.about);
  }
  return std::get<reports::RunStore>(reports::RunStore::create(":memory:", header));
}

std::vector<reports::RunRow> rows_of(reports::RunStore& store) {
  std::vector<reports::RunRow> rows;
  store.each([&](reports::RunRow&& row) {
    rows.push_back(std::move(row));
    return true;
  });
  return rows;
}

/// A budget of a scenario's job with several limits, as cells.
struct Budget {
  sweep::Plan plan;
  KnownRuns known;
};

Budget varied(const std::string& path, const std::string& name,
              const std::vector<std::string>& limits) {
  const auto read = scenario::read_scenario_file(path, {});
  const scenario::Scenario& scenario = std::get<scenario::ReadScenario>(read).scenario;
  std::vector<sweep::Point> points;
  for (const BudgetPlace& budget : budgets_of(scenario)) {
    for (const std::string& limit : limits) {
      if (budget.name == name) {
        points.push_back({{budget.pointer, budget.text ? fmt::format("\"{}\"", limit) : limit}});
      }
    }
  }
  sweep::PlanResult result = sweep::make_plan(path, {}, points);
  EXPECT_THAT(result.errors, IsEmpty()) << path;
  result.plan.replicas = 10;
  result.plan.pointers = {"/jobs/0/attempts"};
  return {std::move(result.plan), KnownRuns(scenario)};
}

// The claim by which runs are not made: nothing but the limit differs.
TEST(KnownRuns, WithChargesLeftAreThoseOfEveryOtherBudget) {
  const struct {
    const char* path;
    const char* budget;
    std::vector<std::string> limits;
  } rows[] = {
      {"scenarios/ray/mixed.json", "max_failures", {"4", "9", "100"}},
      {"scenarios/torchrun/mixed.json", "max_restarts", {"4", "9", "100"}},
      {"scenarios/nvrx/mixed.json", "max_restarts", {"4", "9", "100"}},
      {"scenarios/job/mixed.json", "backoffLimit", {"30", "100", "1000"}},
      {"scenarios/jobset/mixed.json", "maxRestarts", {"4", "9", "100"}},
      {"scenarios/volcano/mixed.json", "maxRetry", {"4", "9", "100"}},
      {"scenarios/modelarts/npu_4096_sample_budgets.json", "pod-retry-num", {"4", "40", "100"}},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.path);
    Budget budget = varied(row.path, row.budget, row.limits);
    const sweep::Plan& plan = budget.plan;
    ASSERT_EQ(plan.cells.size(), row.limits.size());
    std::vector<std::vector<reports::RunRow>> runs(plan.cells.size());
    for (std::uint32_t cell = 0; cell < plan.cells.size(); ++cell) {
      for (std::uint32_t replica = 0; replica < plan.replicas; ++replica) {
        runs[cell].push_back(run_of(plan, cell, replica));
      }
    }
    std::uint64_t others = 0;
    for (std::uint32_t from = 0; from < plan.cells.size(); ++from) {
      KnownRuns known = budget.known;
      reports::RunStore made = store_of(plan);
      for (const reports::RunRow& run : runs[from]) {
        made.add(run);
      }
      known.take(plan, made);
      reports::RunStore store = store_of(plan);
      others += known.give(plan, store) - plan.replicas;
      for (const reports::RunRow& each : rows_of(store)) {
        reports::RunRow own = runs[each.cell][each.replica];
        own.hash = each.hash;
        EXPECT_EQ(each, own) << row.limits[from] << " " << row.limits[each.cell] << " seed "
                             << each.seed;
      }
    }
    EXPECT_GT(others, 0U) << "no run follows from another";
  }
}

TEST(KnownRuns, WhoseChargesAreUpSayNothingOfOtherBudgets) {
  Budget budget = varied("scenarios/ray/mixed.json", "max_failures", {"0", "9"});
  const sweep::Plan& plan = budget.plan;
  reports::RunStore made = store_of(plan);
  made.add(run_of(plan, 0, 0));
  budget.known.take(plan, made);
  reports::RunStore store = store_of(plan);
  EXPECT_EQ(budget.known.give(plan, store), 1U);
  EXPECT_EQ(rows_of(store).front().cell, 0U);
}

TEST(KnownRuns, AreMadeForTheLargestBudgetFirst) {
  const Budget budget = varied("scenarios/ray/mixed.json", "max_failures", {"2", "9", "4", "-1"});
  EXPECT_EQ(budget.known.first_of(budget.plan), (std::vector<bool>{false, true, false, false}));
}

// The limit is within what the cell sets, and not the scenario's own.
TEST(KnownRuns, OfAnObjectThatHoldsTheBudgetFollowFromNoOther) {
  const char* path = "scenarios/ray/mixed.json";
  const auto read = scenario::read_scenario_file(path, {});
  KnownRuns known(std::get<scenario::ReadScenario>(read).scenario);
  const std::pair<std::string, std::string> config{"/jobs/0/policy/config",
                                                   R"({"max_failures":1})"};
  sweep::Plan plan =
      sweep::make_plan(path, {}, {{config}, {config, {"/jobs/0/policy/config/max_failures", "3"}}})
          .plan;
  reports::RunStore made = store_of(plan);
  made.add(run_of(plan, 0, 0));
  known.take(plan, made);
  reports::RunStore store = store_of(plan);
  EXPECT_EQ(known.give(plan, store), 1U);
  EXPECT_EQ(known.first_of(plan), (std::vector<bool>{true, true}));
}

TEST(KnownRuns, AreOfTheSameColumns) {
  Budget budget = varied("scenarios/ray/mixed.json", "max_failures", {"9", "8"});
  reports::RunStore made = store_of(budget.plan);
  made.add(run_of(budget.plan, 0, 0));
  budget.known.take(budget.plan, made);
  budget.plan.pointers.pop_back();
  reports::RunStore store = store_of(budget.plan);
  EXPECT_EQ(budget.known.give(budget.plan, store), 0U);
}

}  // namespace
}  // namespace aftershock::sim::advise
