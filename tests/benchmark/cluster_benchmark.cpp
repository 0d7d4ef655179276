#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "gui/cluster/cluster_states.h"
#include "gui/cluster/map_layout.h"

namespace aftershock::gui {
namespace {

constexpr std::int64_t kDay_us = 86'400'000'000;

/// Nodes that are down a hundred times a year each, for an hour or so.
Trace broken_cluster(std::int64_t nodes) {
  Trace trace;
  trace.has_header = true;
  trace.header.entities = {{"node", "gpu", 0, nodes, "gpu-%d", nodes / 8, 8, "gpu"}};
  std::mt19937_64 random(1);
  for (std::int64_t node = 0; node < nodes; ++node) {
    const std::uint32_t entity = trace.entities.add("node:gpu-" + std::to_string(node));
    trace.lanes.push_back({entity, SubLane::kStates, LaneColumns(false)});
    trace.lane_of.emplace_back().fill(kNone);
    trace.lane_of.back()[static_cast<std::size_t>(SubLane::kStates)] =
        static_cast<std::uint32_t>(trace.lanes.size() - 1);
    std::int64_t t_us = 0;
    for (int i = 0; i < 100; ++i) {
      t_us += static_cast<std::int64_t>(random() % (7 * kDay_us));
      const auto end_us = t_us + static_cast<std::int64_t>(random() % (kDay_us / 12));
      trace.lanes.back().columns.add({t_us, end_us, Kind::kDown, 1, 0});
      t_us = end_us;
      trace.last_us = std::max(trace.last_us, t_us);
    }
    trace.lanes.back().columns.seal();
  }
  return trace;
}

/// A step of a replay: an hour a frame.
void step_cluster(benchmark::State& state) {
  const Trace trace = broken_cluster(state.range(0));
  const Scene scene(trace, {});
  ClusterStates states(scene);
  std::int64_t t_us = 0;
  for (auto _ : state) {
    t_us = t_us < trace.last_us ? t_us + kDay_us / 24 : 0;
    benchmark::DoNotOptimize(states.go_to(t_us));
  }
}
BENCHMARK(step_cluster)->Arg(512)->Arg(4096)->Arg(100'000)->Unit(benchmark::kMicrosecond);

void jump_in_cluster(benchmark::State& state) {
  const Trace trace = broken_cluster(state.range(0));
  const Scene scene(trace, {});
  ClusterStates states(scene);
  std::mt19937_64 random(1);
  for (auto _ : state) {
    benchmark::DoNotOptimize(states.go_to(
        static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(trace.last_us))));
  }
}
BENCHMARK(jump_in_cluster)->Arg(512)->Arg(4096)->Arg(100'000)->Unit(benchmark::kMicrosecond);

void lay_out_cluster(benchmark::State& state) {
  reports::RecordingHeader header;
  header.entities = {{"node", "gpu", 0, state.range(0), "gpu-%d", state.range(0) / 8, 8, "gpu"}};
  const Directory directory = make_directory(header);
  for (auto _ : state) {
    benchmark::DoNotOptimize(lay_out(directory, {360, 600}));
  }
}
BENCHMARK(lay_out_cluster)->Arg(512)->Arg(4096)->Arg(1'000'000'000)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace aftershock::gui
