#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include <benchmark/benchmark.h>

#include "gui/lod/rasterise.h"
#include "gui/lod/scanline.h"

namespace aftershock::gui {
namespace {

constexpr std::int64_t kMonth_us = 2'592'000'000'000;
constexpr int kWidth_px = 1062;

// Lanes of unequal size over a month: one span after the other, of lengths with a heavy tail, and a
// fault of a microsecond now and then.
struct Run {
  std::vector<std::int64_t> begin_us;
  std::vector<std::int64_t> end_us;
  std::vector<Kind> kind;
  std::vector<std::size_t> first{0};
  std::vector<LaneLod> lods;

  [[nodiscard]] LaneSpans spans(std::size_t lane) const {
    const std::size_t at = first[lane];
    const std::size_t count = first[lane + 1] - at;
    return {{&begin_us[at], count}, {&end_us[at], count}, {&kind[at], count}};
  }
  [[nodiscard]] std::vector<LaneView> lanes(std::size_t from, std::size_t count) const {
    std::vector<LaneView> found;
    for (std::size_t i = from; i < from + count; ++i) {
      found.push_back({spans(i), &lods[i]});
    }
    return found;
  }
  void index() {
    lods.clear();
    lods.reserve(first.size());
    for (std::size_t lane = 0; lane + 1 < first.size(); ++lane) {
      lods.push_back(make_lane_lod(spans(lane)));
    }
  }
};

Run make_run(std::int64_t spans, std::int64_t lanes) {
  Run run;
  std::mt19937_64 engine(7);
  const auto unit = [&] { return static_cast<double>(engine() >> 11U) * 0x1p-53; };
  const std::int64_t mean = spans / lanes;
  for (std::int64_t lane = 0; lane < lanes; ++lane) {
    const auto count = std::max<std::int64_t>(
        1, static_cast<std::int64_t>(static_cast<double>(mean) * (0.25 + 1.5 * unit())));
    const double length = static_cast<double>(kMonth_us) / static_cast<double>(count) / 2.3;
    auto t = static_cast<std::int64_t>(unit() * length);
    for (std::int64_t i = 0; i < count; ++i) {
      const bool is_fault = engine() % 50 == 0;
      const auto lasts =
          is_fault ? 1 : 1 + static_cast<std::int64_t>(length * 0.5 / std::sqrt(unit() + 1e-4));
      run.begin_us.push_back(t);
      run.end_us.push_back(t + lasts);
      run.kind.push_back(is_fault ? Kind::kFault : static_cast<Kind>(engine() % 10));
      t += lasts + (engine() % 4 == 0 ? static_cast<std::int64_t>(unit() * length) : 0);
    }
    run.first.push_back(run.begin_us.size());
  }
  run.index();
  return run;
}

// The part that is ready before the first picture.
void index_lanes(benchmark::State& state) {
  Run run = make_run(state.range(0), state.range(1));
  for (auto _ : state) {
    run.index();
    benchmark::DoNotOptimize(run.lods.data());
  }
  std::size_t bytes = run.lods.size() * sizeof(LaneLod);
  for (const LaneLod& lod : run.lods) {
    for (const auto& blocks : lod.blocks) {
      bytes += blocks.size() * sizeof(Block);
    }
    bytes += lod.reach_us.size() * sizeof(std::int64_t) + lod.pyramid.cells.size() * sizeof(Cell);
  }
  state.counters["bytes_a_span"] =
      static_cast<double>(bytes) / static_cast<double>(run.begin_us.size());
}
BENCHMARK(index_lanes)
    ->Unit(benchmark::kMillisecond)
    ->Args({1'000'000, 2'000})
    ->Args({1'000'000, 200})
    ->Args({10'000'000, 100'000})
    ->Iterations(3);

// Racks of 512 lanes, and everything as one.
void index_groups(benchmark::State& state) {
  const Run run = make_run(state.range(0), state.range(1));
  const std::size_t lanes = run.lods.size();
  std::size_t cells = 0;
  for (auto _ : state) {
    cells = 0;
    for (std::size_t first = 0; first < lanes; first += 512) {
      cells += make_group_lod(run.lanes(first, std::min<std::size_t>(512, lanes - first)))
                   .pyramid.cells.size();
    }
    cells += make_group_lod(run.lanes(0, lanes)).pyramid.cells.size();
  }
  state.counters["bytes_a_span"] =
      static_cast<double>(cells * sizeof(Cell)) / static_cast<double>(run.begin_us.size());
}
BENCHMARK(index_groups)
    ->Unit(benchmark::kMillisecond)
    ->Args({1'000'000, 2'000})
    ->Args({10'000'000, 100'000})
    ->Iterations(3);

TimeAxis axis_of(std::int64_t zoom, bool is_snapped) {
  const std::int64_t half = kMonth_us / 2;
  const TimeAxis axis{half - half / zoom, half + half / zoom, kWidth_px};
  return is_snapped ? snapped(axis, half) : axis;
}

// A picture: so many rows, at 1 a part of the run, with its colours.
void draw_rows(benchmark::State& state) {
  const Run run = make_run(state.range(0), state.range(1));
  const std::vector<LaneView> lanes = run.lanes(0, run.lods.size());
  const auto rows = static_cast<std::size_t>(state.range(2));
  const TimeAxis axis = axis_of(state.range(3), true);
  std::array<Rgb, kKinds> colours{};
  const Shades shades = make_shades(colours, 0);
  RasterScratch scratch;
  std::vector<Cell> cells(kWidth_px);
  std::vector<Rgb> row(kWidth_px);
  for (auto _ : state) {
    const Columns columns(axis);
    for (std::size_t i = 0; i < rows; ++i) {
      rasterise(lanes[i % lanes.size()], columns, scratch, cells);
      paint_scanline(cells, shades, row.data());
      benchmark::DoNotOptimize(row.data());
    }
  }
}
BENCHMARK(draw_rows)
    ->Unit(benchmark::kMicrosecond)
    ->ArgNames({"spans", "lanes", "rows", "zoom"})
    ->Args({1'000'000, 2'000, 48, 1})
    ->Args({1'000'000, 2'000, 849, 1})
    ->Args({1'000'000, 200, 48, 1})
    ->Args({1'000'000, 200, 48, 4})
    ->Args({10'000'000, 100'000, 48, 1})
    ->Args({10'000'000, 100'000, 849, 1})
    ->Args({10'000'000, 100'000, 849, 100})
    ->Iterations(50);

// Collapsed racks of 512 lanes; `snapped` 0 has pixels that cross buckets.
void draw_groups(benchmark::State& state) {
  constexpr std::size_t kLanes = 512;
  const Run run = make_run(state.range(0), state.range(1));
  const TimeAxis axis = axis_of(state.range(3), state.range(4) != 0);
  const auto rows = static_cast<std::size_t>(state.range(2));
  std::vector<std::vector<LaneView>> lanes;
  std::vector<GroupLod> groups;
  for (std::size_t i = 0; i < rows; ++i) {
    lanes.push_back(rows == 1 ? run.lanes(0, run.lods.size()) : run.lanes(i * kLanes, kLanes));
    groups.push_back(make_group_lod(lanes.back()));
  }
  RasterScratch scratch;
  std::vector<Cell> cells(kWidth_px);
  for (auto _ : state) {
    const Columns columns(axis);
    for (std::size_t i = 0; i < rows; ++i) {
      rasterise(groups[i], lanes[i], columns, scratch, cells);
      benchmark::DoNotOptimize(cells.data());
    }
  }
}
BENCHMARK(draw_groups)
    ->Unit(benchmark::kMicrosecond)
    ->ArgNames({"spans", "lanes", "rows", "zoom", "snapped"})
    ->Args({10'000'000, 100'000, 48, 1, 1})
    ->Args({10'000'000, 100'000, 48, 1, 0})
    ->Args({10'000'000, 100'000, 48, 5, 1})
    ->Args({10'000'000, 100'000, 48, 5, 0})
    ->Args({10'000'000, 100'000, 48, 1000, 1})
    ->Args({10'000'000, 100'000, 48, 1'000'000, 1})
    ->Args({10'000'000, 100'000, 1, 1, 1})
    ->Args({10'000'000, 100'000, 1, 50, 1})
    ->Args({10'000'000, 100'000, 1, 1000, 1})
    ->Args({10'000'000, 100'000, 1, 1'000'000, 1})
    ->Iterations(10);

}  // namespace
}  // namespace aftershock::gui
