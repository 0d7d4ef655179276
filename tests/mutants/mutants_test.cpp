#include "tests/mutants/mutants.h"

#include <algorithm>
#include <cctype>
#include <memory>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "sim/invariants/invariants.h"
#include "sim/results/summarise.h"
#include "sim/scenario/read/read.h"
#include "sim/simulate/simulate.h"
#include "sim/world/closing.h"

// Each invariant that runs are held to is broken by something that goes wrong, and seen at once.
namespace aftershock::sim {
namespace {

using ScenarioPointer = std::shared_ptr<const scenario::Scenario>;

constexpr std::int64_t kMostEntries = 200'000;

ScenarioPointer read_one(const std::string& path, const std::vector<std::string>& sets) {
  const scenario::ReadOptions options{.policy = {}, .sets = sets, .seed = {}};
  scenario::ReadResult result =
      path.empty() ? scenario::read_scenario_text(two_crashes(), "two_crashes", options)
                   : scenario::read_scenario_file(path, options);
  if (const auto* errors = std::get_if<std::vector<scenario::ScenarioError>>(&result)) {
    ADD_FAILURE() << scenario::format(errors->front());
    return nullptr;
  }
  return std::make_shared<const scenario::Scenario>(
      std::move(std::get<scenario::ReadScenario>(result).scenario));
}

// The invariants that a run is found to break, in a world that something meddles with between
// entries.
std::set<std::string> broken_by(const ScenarioPointer& scenario,
                                std::vector<control::PolicyHost> hosts,
                                const WorldMutation& world_mutation, std::string& words) {
  world::WorldOptions options;
  options.max_entries = kMostEntries;
  world::World world(scenario, std::move(hosts), options);
  bool done = !world_mutation;
  while (!world.calendar().empty() && !world.over()) {
    world.play(world.calendar().pop());
    done = done || world_mutation(world);
  }
  EXPECT_TRUE(done) << "its moment never came";
  world::close_run(world);
  std::set<std::string> ids;
  for (const reports::Violation& violation : results::summarise(world, {}, {}, false).violations) {
    ids.insert(violation.id);
    words += violation.id + ": " + violation.what + '\n';
  }
  return ids;
}

std::vector<InvariantMutant> all_mutants() {
  std::vector<InvariantMutant> rows = wrong_policies();
  std::ranges::move(wrong_worlds(), std::back_inserter(rows));
  std::ranges::move(slow_policies(), std::back_inserter(rows));
  return rows;
}

class InvariantMutants : public testing::TestWithParam<InvariantMutant> {};

TEST_P(InvariantMutants, AreCaughtByTheirInvariant) {
  const InvariantMutant& row = GetParam();
  std::vector<std::string> paths = row.scenarios;
  if (paths.empty()) {
    paths.emplace_back();
  }
  std::string words;
  std::set<std::string> caught;
  for (const std::string& path : paths) {
    const ScenarioPointer scenario = read_one(path, row.sets);
    std::vector<std::string> sets = row.sets;
    sets.insert(sets.end(), row.mutant_sets.begin(), row.mutant_sets.end());
    const ScenarioPointer seen = read_one(path, sets);
    ASSERT_TRUE(scenario && seen);
    std::string before;
    EXPECT_TRUE(broken_by(scenario, simulate::make_hosts(*scenario), {}, before).empty())
        << "without the mutation: " << before;
    const control::PolicyHost held = std::move(simulate::make_hosts(*scenario).front());
    std::vector<control::PolicyHost> hosts;
    hosts.emplace_back(std::make_unique<Mutant>(
                           simulate::make_hosts(*seen).front().policy().clone(), row.mutation),
                       policies::Inventory{}, held.terms());
    caught.merge(broken_by(scenario, std::move(hosts), row.world_mutation, words));
  }
  EXPECT_TRUE(caught.contains(std::string(row.id))) << words;
  EXPECT_TRUE(!row.alone || caught.size() == 1) << words;
}

std::string name_of_mutant(const testing::TestParamInfo<InvariantMutant>& row) {
  std::string name(row.param.id);
  name += '_' + std::string(row.param.name);
  std::ranges::replace_if(
      name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Row, InvariantMutants, testing::ValuesIn(all_mutants()), name_of_mutant);

// No invariant that runs are held to is without a mutant.
TEST(InvariantMutants, AreThereForEveryInvariant) {
  std::set<std::string_view> broken;
  for (const InvariantMutant& row : all_mutants()) {
    broken.insert(row.id);
  }
  for (const invariants::Invariant& one : invariants::invariants()) {
    EXPECT_EQ(broken.contains(one.id), one.checked) << one.id;
  }
}

}  // namespace
}  // namespace aftershock::sim
