// Attempts that live on as a whole behind a cut, and what they write. Two nodes in rack 0 hold the
// job, two spares in rack 1 take it over. Work of 950 s from 0 on, saved every 100 s at no cost.

#include <memory>
#include <string>
#include <variant>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "reports/recording/memory_sink.h"
#include "sim/scenario/read/read.h"
#include "sim/simulate/simulate.h"
#include "tests/unit/sim/world/harness.h"

namespace aftershock::sim::world {
namespace {

constexpr const char* kByItsController = R"({"name": "ray_train"})";

// Cut off from the head at 151 and back at 351; declared dead at 165.
std::string patch(const char* policy, bool fencing, const char* more_faults) {
  return fmt::format(R"({{
    "pool": {{"spares": 2, "racks": 2}}, "cluster": {{"fencing": {}}},
    "job": {{"steps": 95, "checkpoint": {{"every": "100s", "at_end": false, "keep": 4}}, "policy": {}}},
    "faults": [{{"kind": "head_worker_partition", "target": "rack:p/0", "at": "151s",
                 "lasts": "200s"}}{}]}})",
                     fencing, policy, more_faults);
}

struct RecordedRun {
  reports::RunSummary summary;
  std::string recording;
};

// As simulated() does, for runs in which an invariant is to be violated.
RecordedRun recorded_run(const std::string& text) {
  scenario::ReadResult result = scenario::read_scenario_text(scenario_text(text), "test.json");
  if (!std::holds_alternative<scenario::ReadScenario>(result)) {
    ADD_FAILURE() << std::get<std::vector<scenario::ScenarioError>>(result).front().message;
    return {};
  }
  reports::MemorySink sink;
  simulate::SimulateOptions options;
  options.sink = &sink;
  auto scenario = std::make_shared<const scenario::Scenario>(
      std::move(std::get<scenario::ReadScenario>(result).scenario));
  reports::RunSummary summary = simulate::simulate(scenario, options);
  return {std::move(summary), std::string(sink.text())};
}

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    ++found;
  }
  return found;
}

// 165 s of work at 165; the next save, of 200 s, would be there at 200, and is refused: then they
// end.
TEST(OrphanedAttempt, AreTurnedAwayByStorageAndEnd) {
  const RecordedRun run = recorded_run(patch(kByItsController, true, ""));
  EXPECT_EQ(count(run.recording, "\"stale_write_refused\""), 1U);
  EXPECT_EQ(count(run.recording, "\"stale_write\""), 0U);
  EXPECT_TRUE(run.summary.violations.empty());
}

// Saves of 200 and 300 s before the network is whole at 351. A job whose controller commits does
// not count them; what a script writes counts, and that is S07.
TEST(OrphanedAttempt, WriteOnWhereNobodyFences) {
  const RecordedRun ray = recorded_run(patch(kByItsController, false, ""));
  EXPECT_EQ(count(ray.recording, "\"stale_write\""), 2U);
  EXPECT_TRUE(ray.summary.violations.empty());
}

}  // namespace
}  // namespace aftershock::sim::world
