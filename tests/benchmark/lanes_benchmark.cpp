#include <cstdint>
#include <vector>

#include <benchmark/benchmark.h>

#include "gui/lanes/lane_rows.h"

namespace aftershock::gui {
namespace {

// A hundred thousand accelerators of whom something is recorded, in 12,500 nodes and 200 racks.
reports::RecordingHeader vast_header() {
  reports::RecordingHeader header;
  header.entities = {{"node", "gpu", 0, 12'500, "gpu-%d", 200, 8, "gpu"}};
  return header;
}

std::vector<LaneContent> vast_content(const Directory& directory) {
  std::vector<LaneContent> content;
  for (std::int64_t lane = 0; lane < 100'000; ++lane) {
    const std::int64_t slot = lane / 8;
    content.push_back({{.section = Section::kPools,
                        .group = 0,
                        .rack = rack_of(directory.pools[0], slot),
                        .node = slot,
                        .accelerator = lane % 8},
                       static_cast<std::uint32_t>(lane)});
  }
  return content;
}

void list_lanes(benchmark::State& state) {
  const Directory directory = make_directory(vast_header());
  const std::vector<LaneContent> content = vast_content(directory);
  for (auto _ : state) {
    benchmark::DoNotOptimize(make_tree(directory, content, {}));
  }
}
BENCHMARK(list_lanes)->Unit(benchmark::kMillisecond);

void unfold_all(benchmark::State& state) {
  const Directory directory = make_directory(vast_header());
  const LaneTree tree = make_tree(directory, vast_content(directory), {});
  LaneState lanes;
  for (auto _ : state) {
    set_all_open(lanes, true);
    benchmark::DoNotOptimize(make_rows(directory, tree, lanes));
  }
}
BENCHMARK(unfold_all)->Unit(benchmark::kMillisecond);

void filter_lanes(benchmark::State& state) {
  const Directory directory = make_directory(vast_header());
  const LaneTree tree = make_tree(directory, vast_content(directory), {});
  LaneState lanes;
  lanes.filter = "gpu-77";
  for (auto _ : state) {
    benchmark::DoNotOptimize(make_rows(directory, tree, lanes));
  }
}
BENCHMARK(filter_lanes)->Unit(benchmark::kMillisecond);

void name_lanes(benchmark::State& state) {
  const Directory directory = make_directory(vast_header());
  for (auto _ : state) {
    for (int slot = 0; slot < 1000; ++slot) {
      benchmark::DoNotOptimize(key_of(directory, "accelerator:gpu-" + std::to_string(slot) + "/3"));
    }
  }
}
BENCHMARK(name_lanes)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace aftershock::gui
