#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <benchmark/benchmark.h>

#include "policies/external/server.h"
#include "policies/registry.h"
#include "sim/control/external/external_source.h"
#include "sim/control/external/library_channel.h"
#include "sim/control/external/process_channel.h"
#include "sim/scenario/read/read.h"
#include "sim/simulate/simulate.h"

// The cost of an external policy: whole runs with it, against the linked one, and one exchange.
namespace aftershock::sim {
namespace {

constexpr const char* kReference = "scenarios/reference_54_days.json";
constexpr const char* kPythonPolicy = "policies/external/python/policy.py";

control::ProcessOptions process_of(std::vector<std::string> words) {
  constexpr std::int64_t kDeadlineMs = 10'000;
  return {std::move(words), {"PATH=/usr/local/bin:/usr/bin:/bin", "PYTHONHASHSEED=0"}, kDeadlineMs};
}

std::shared_ptr<control::ExternalSource> source_of(
    std::function<std::unique_ptr<control::Channel>()> open,
    std::optional<control::DirectWay> direct = {}) {
  return std::make_shared<control::ExternalSource>(control::ExternalOptions{
      .title = "benchmark", .open = std::move(open), .direct = std::move(direct)});
}

/// Runs of the reference workload; `batches` are those that the policy answered.
void run_with(benchmark::State& state, std::shared_ptr<control::ExternalSource> source) {
  scenario::ReadOptions options;
  options.policies = source;
  auto read = scenario::read_scenario_file(kReference, options);
  auto* checked = std::get_if<scenario::ReadScenario>(&read);
  if (checked == nullptr) {
    state.SkipWithError("the scenario cannot be read; run this from the root of the tree");
    return;
  }
  const auto scenario = std::make_shared<const scenario::Scenario>(std::move(checked->scenario));
  std::size_t said = 0;
  if (source != nullptr) {
    source->listen({.heard = [&said](std::size_t, const control::Exchange&) { ++said; }});
    simulate::simulate(scenario, {});
    source->listen({});
  }
  for (auto _ : state) {
    benchmark::DoNotOptimize(simulate::simulate(scenario, {}));
  }
  state.SetItemsProcessed(state.iterations());
  state.counters["batches"] = static_cast<double>(said);
}

void linked(benchmark::State& state) { run_with(state, nullptr); }
BENCHMARK(linked)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();

void shared_object(benchmark::State& state, bool direct) {
  auto loaded =
      control::load_policy_library("build/policies/external/shared_object/aftershock-policies.so");
  auto* library = std::get_if<0>(&loaded);
  if (library == nullptr) {
    state.SkipWithError(std::get<1>(loaded).c_str());
    return;
  }
  run_with(state, source_of([library = *library] { return control::open_library(library); },
                            direct ? control::direct_way(*library) : std::nullopt));
}
BENCHMARK_CAPTURE(shared_object, direct, true)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(shared_object, by_messages, false)->Unit(benchmark::kMillisecond)->UseRealTime();

void shipped_over_stdio(benchmark::State& state) {
  run_with(
      state, source_of([] {
        return control::open_process(process_of({"build/bin/aftershock", "policies", "serve"}));
      }));
}
BENCHMARK(shipped_over_stdio)->Unit(benchmark::kMillisecond)->UseRealTime();

void python_over_stdio(benchmark::State& state) {
  run_with(state,
           source_of([] { return control::open_process(process_of({"python3", kPythonPolicy})); }));
}
BENCHMARK(python_over_stdio)->Unit(benchmark::kMillisecond)->UseRealTime();

/// One line there and one back: what stdio itself costs, which is at most 40 us.
void exchange_over_stdio(benchmark::State& state) {
  const auto channel = control::open_process(process_of({"cat"}));
  const std::string line(static_cast<std::size_t>(state.range(0)), 'x');
  for (auto _ : state) {
    if (std::holds_alternative<control::NoAnswer>(channel->ask(line, "a line"))) {
      state.SkipWithError("no answer");
      return;
    }
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(exchange_over_stdio)->Arg(200)->Arg(4000)->Unit(benchmark::kMicrosecond)->UseRealTime();

}  // namespace
}  // namespace aftershock::sim
