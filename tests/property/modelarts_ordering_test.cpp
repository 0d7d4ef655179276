#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "sim/engine/drive.h"
#include "sim/scenario/read/read.h"
#include "sim/simulate/simulate.h"
#include "sim/world/closing.h"
#include "sim/world/world.h"
#include "tests/property/modelarts_mutants.h"
#include "tests/property/random_modelarts.h"

// Rules 1 to 9 of modelarts.md 4 hold in every run of the policy, and each of them is
// broken by a policy that breaks it.
namespace aftershock::sim {
namespace {

using ScenarioPointer = std::shared_ptr<const scenario::Scenario>;

std::string path_of(std::string_view name) {
  return "scenarios/modelarts/" + std::string(name) + ".json";
}

ScenarioPointer read(const std::string& path, const std::vector<std::string>& sets) {
  scenario::ReadResult result =
      scenario::read_scenario_file(path, {.policy = {}, .sets = sets, .seed = {}});
  if (const auto* errors = std::get_if<std::vector<scenario::ScenarioError>>(&result)) {
    for (const scenario::ScenarioError& error : *errors) {
      ADD_FAILURE() << scenario::format(error);
    }
    return nullptr;
  }
  return std::make_shared<const scenario::Scenario>(
      std::move(std::get<scenario::ReadScenario>(result).scenario));
}

std::vector<reports::Violation> violations(const ScenarioPointer& scenario,
                                           std::vector<control::PolicyHost> hosts) {
  world::World world(scenario, std::move(hosts), {});
  engine::drive(world, engine::Driver::kAutomatic);
  world::close_run(world);
  return world.violations;
}

TEST(ModelArtsOrdering, HoldsInEveryScenario) {
  int scenarios = 0;
  for (const auto& file : std::filesystem::directory_iterator("scenarios/modelarts")) {
    if (file.path().extension() != ".json") {
      continue;
    }
    const ScenarioPointer scenario = read(file.path(), {});
    ASSERT_TRUE(scenario);
    ++scenarios;
    for (const auto& violation : violations(scenario, simulate::make_hosts(*scenario))) {
      ADD_FAILURE() << file.path() << ": " << violation.id << ": " << violation.what;
    }
  }
  EXPECT_GT(scenarios, 20);
}

TEST(ModelArtsOrdering, HoldsWhateverBreaks) {
  constexpr std::uint64_t kCases = 400;
  for (std::uint64_t number = 0; number < kCases; ++number) {
    const std::string text = random_modelarts(number);
    scenario::ReadResult result = scenario::read_scenario_text(text, path_of("random"));
    const auto* errors = std::get_if<std::vector<scenario::ScenarioError>>(&result);
    ASSERT_TRUE(errors == nullptr) << scenario::format(errors->front()) << text;
    const auto scenario = std::make_shared<const scenario::Scenario>(
        std::move(std::get<scenario::ReadScenario>(result).scenario));
    for (const auto& violation : violations(scenario, simulate::make_hosts(*scenario))) {
      ADD_FAILURE() << violation.id << " at " << violation.t_us << " us: " << violation.what << "\n"
                    << text;
    }
  }
}

class Mutants : public testing::TestWithParam<MutantRow> {};

TEST_P(Mutants, BreakTheirRuleAlone) {
  const MutantRow& row = GetParam();
  const ScenarioPointer scenario = read(path_of(row.scenario), row.sets);
  std::vector<std::string> sets = row.sets;
  sets.insert(sets.end(), row.mutant_sets.begin(), row.mutant_sets.end());
  const ScenarioPointer seen = read(path_of(row.scenario), sets);
  ASSERT_TRUE(scenario && seen);
  EXPECT_TRUE(violations(scenario, simulate::make_hosts(*scenario)).empty())
      << "without the mutation";
  const control::PolicyHost held = std::move(simulate::make_hosts(*scenario).front());
  std::vector<control::PolicyHost> hosts;
  hosts.emplace_back(
      std::make_unique<Mutant>(simulate::make_hosts(*seen).front().policy().clone(), row.mutation),
      policies::Inventory{}, held.terms());
  std::set<std::string> ids;
  std::string all;
  for (const auto& violation : violations(scenario, std::move(hosts))) {
    if (violation.id.front() ==
        'M') {  // tests/mutants has the invariants that it breaks beside the order
      ids.insert(violation.id);
    }
    all += violation.id + ": " + violation.what + '\n';
  }
  EXPECT_EQ(ids, std::set<std::string>{std::string(row.id)}) << all;
}

std::string name_of_row(const testing::TestParamInfo<MutantRow>& row) {
  std::string name(row.param.id);
  name += '_' + std::string(row.param.name);
  std::ranges::replace_if(
      name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Row, Mutants, testing::ValuesIn(modelarts_mutants()), name_of_row);

// No rule is without a mutant.
TEST(ModelArtsOrdering, HasAMutantForEveryRule) {
  std::set<std::string_view> broken;
  for (const MutantRow& row : modelarts_mutants()) {
    broken.insert(row.id);
  }
  for (const control::OrderingRule& rule : control::ordering_rules()) {
    EXPECT_TRUE(broken.contains(rule.id)) << rule.id;
  }
}

}  // namespace
}  // namespace aftershock::sim
