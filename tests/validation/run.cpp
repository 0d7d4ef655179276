#include "tests/validation/run.h"

#include <memory>
#include <utility>
#include <variant>

#include <gtest/gtest.h>

#include "sim/engine/drive.h"
#include "sim/results/summarise.h"
#include "sim/scenario/read/read.h"
#include "sim/simulate/simulate.h"
#include "sim/world/closing.h"
#include "sim/world/world.h"

namespace aftershock::sim::validation {

std::optional<scenario::Scenario> read(const std::string& file,
                                       const std::vector<std::string>& sets) {
  scenario::ReadOptions options;
  options.sets = sets;
  scenario::ReadResult result = scenario::read_scenario_file(file, options);
  if (const auto* errors = std::get_if<std::vector<scenario::ScenarioError>>(&result)) {
    ADD_FAILURE() << scenario::format(errors->front());
    return std::nullopt;
  }
  scenario::Scenario scenario = std::move(std::get<scenario::ReadScenario>(result).scenario);
  scenario.expect.clear();
  *scenario.resolved = nullptr;  // only a recording's header needs it, and every run copies it
  return scenario;
}

std::int64_t FinishedRun::productive_us() const {
  return job().ledger_us[static_cast<std::size_t>(reports::Bucket::kProductive)];
}

std::int64_t FinishedRun::masked() const {
  std::int64_t masked = 0;
  for (const auto& [kind, counts] : summary.faults) {
    masked += counts.masked;
  }
  return masked;
}

FinishedRun run_once(const scenario::Scenario& scenario, std::uint64_t seed) {
  auto seeded = std::make_shared<scenario::Scenario>(scenario);
  seeded->seed = seed;
  world::World world(seeded, simulate::make_hosts(*seeded), {});
  engine::drive(world, engine::Driver::kAutomatic);
  world::close_run(world);
  return {seed,
          results::summarise(world, simulate::fault_free_run(world, {}), {}, true),
          {world.faults.records().begin(), world.faults.records().end()},
          world.jobs.front().account.recoveries};
}

}  // namespace aftershock::sim::validation
