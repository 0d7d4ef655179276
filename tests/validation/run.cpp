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

std::optional<Scenario> read(const std::string& file, const std::vector<std::string>& sets) {
  ReadOptions options;
  options.sets = sets;
  ReadResult result = read_scenario_file(file, options);
  if (const auto* errors = std::get_if<std::vector<ScenarioError>>(&result)) {
    ADD_FAILURE() << format(errors->front());
    return std::nullopt;
  }
  Scenario scenario = std::move(std::get<ReadScenario>(result).scenario);
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

FinishedRun run_once(const Scenario& scenario, std::uint64_t seed) {
  auto seeded = std::make_shared<Scenario>(scenario);
  seeded->seed = seed;
  World world(seeded, make_hosts(*seeded), {});
  drive(world, Driver::kAutomatic);
  close_run(world);
  return {seed,
          summarise(world, fault_free_run(world, {}), {}, true),
          {world.faults.records().begin(), world.faults.records().end()},
          world.jobs.front().account.recoveries};
}

}  // namespace aftershock::sim::validation
