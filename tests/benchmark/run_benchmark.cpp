#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <benchmark/benchmark.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "reports/recording/sink.h"
#include "sim/scenario/read/read.h"
#include "sim/simulate/simulate.h"

namespace aftershock::sim {
namespace {

class DroppingSink final : public reports::LineSink {
 public:
  void boundary() override {}

 private:
  void take(std::string_view text) override { benchmark::DoNotOptimize(text.data()); }
};

std::shared_ptr<const scenario::Scenario> load(const std::string& file,
                                               const std::vector<std::string>& sets) {
  scenario::ReadOptions options;
  options.sets = sets;
  auto read = scenario::read_scenario_file("scenarios/" + file, options);
  auto* checked = std::get_if<scenario::ReadScenario>(&read);
  return checked == nullptr
             ? nullptr
             : std::make_shared<const scenario::Scenario>(std::move(checked->scenario));
}

// Runs of a whole scenario in one process, with policy, ledger and invariants.
void run(benchmark::State& state, const std::string& file, bool recording,
         const std::vector<std::string>& sets = {}) {
  const auto scenario = load(file, sets);
  if (scenario == nullptr) {
    state.SkipWithError("the scenario cannot be read; run this from the root of the tree");
    return;
  }
  DroppingSink sink;
  simulate::SimulateOptions options;
  options.sink = recording ? &sink : nullptr;
  for (auto _ : state) {
    benchmark::DoNotOptimize(simulate::simulate(scenario, options));
  }
  state.SetItemsProcessed(state.iterations());
}

// Jobs of one node each on 50 nodes, all submitted at once: time for an event, most of which are of
// jobs that wait.
void jobs_that_wait(benchmark::State& state) {
  auto job = policies::json_from_text(R"({
      "pool": "gpu", "workers": 8, "steps": 100, "step": "10s",
      "phases": {"launching": "1min", "rendezvous": "30s"}, "policy": {"name": "ray_train"}})");
  auto scenario = policies::json_from_text(R"({
      "schema": 1, "name": "jobs_that_wait", "seed": 1,
      "question": "How does the cost of an event grow with the jobs that wait?",
      "cluster": {"pools": [{"name": "gpu", "nodes": 50,
                             "accelerators": {"kind": "gpu", "per_node": 8}}]}})");
  for (std::int64_t i = 0; i < state.range(0); ++i) {
    job["name"] = "j" + std::to_string(i);
    scenario["jobs"].push_back(job);
  }
  auto read = scenario::read_scenario_text(policies::text_from_json(scenario), "jobs_that_wait");
  auto* checked = std::get_if<scenario::ReadScenario>(&read);
  if (checked == nullptr) {
    state.SkipWithError(
        scenario::format(std::get<std::vector<scenario::ScenarioError>>(read).front()).c_str());
    return;
  }
  const auto shared = std::make_shared<const scenario::Scenario>(std::move(checked->scenario));
  std::int64_t events = 0;
  for (auto _ : state) {
    events += simulate::simulate(shared, {}).events;
  }
  state.SetItemsProcessed(events);
}
BENCHMARK(jobs_that_wait)->Arg(100)->Arg(1000)->Unit(benchmark::kMillisecond);

BENCHMARK_CAPTURE(run, llama3_54_days, "llama3_54_days.json", false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run, llama3_54_days_recorded, "llama3_54_days.json", true)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run, reference, "reference_54_days.json", false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run, reference_recorded, "reference_54_days.json", true)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run, reference_8192_nodes, "reference_54_days_8192_nodes.json", false)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run, reference_half_step, "reference_54_days_half_step.json", false)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run, no_resume, "no_resume.json", false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run, npu_4096_year, "modelarts/npu_4096_year.json", false)
    ->Unit(benchmark::kMillisecond);
// Four times the nodes that fail a quarter as often: as many changes.
BENCHMARK_CAPTURE(run, npu_16384_year, "modelarts/npu_4096_year.json", false,
                  {"/cluster/pools/0/nodes=2048", "/cluster/pools/0/spares=64",
                   "/jobs/0/workers=16384", "/faults/0/source/rate=0.9475/1000 node-days"})
    ->Unit(benchmark::kMillisecond);

void read_scenario(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(scenario::read_scenario_file("scenarios/llama3_54_days.json"));
  }
}
BENCHMARK(read_scenario)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace aftershock::sim
