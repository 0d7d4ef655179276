#include <cstdint>
#include <string>
#include <utility>

#include <benchmark/benchmark.h>

#include "sim/chance/draws.h"

namespace aftershock::sim {
namespace {

// A draw as a run makes it: the key of a name, and the law in whole microseconds.
void draw(benchmark::State& state, const scenario::Distribution& law) {
  const std::string id = "crash_of_gpus";
  std::uint64_t n = 0;
  for (auto _ : state) {
    const chance::RandomKey key{.seed = 7, .entity = chance::named(id)};
    benchmark::DoNotOptimize(
        chance::draw_us(law, chance::RandomDraw(key, n++, chance::Purpose::kRepair)));
  }
}

scenario::Distribution of(decltype(scenario::Distribution::shape) shape) {
  return {.shape = std::move(shape), .min_us = {}, .max_us = {}};
}

BENCHMARK_CAPTURE(draw, exponential, of(scenario::Distribution::Exponential{1'000'000}));
BENCHMARK_CAPTURE(draw, uniform, of(scenario::Distribution::Uniform{500'000, 1'500'000}));
BENCHMARK_CAPTURE(draw, lognormal, of(scenario::Distribution::Lognormal{1e6, 0.5}));
BENCHMARK_CAPTURE(draw, weibull, of(scenario::Distribution::Weibull{1e6, 1.5}));
BENCHMARK_CAPTURE(draw, gamma, of(scenario::Distribution::Gamma{1e6, 2.5}));
BENCHMARK_CAPTURE(draw, gamma_below_one, of(scenario::Distribution::Gamma{1e6, 0.5}));
BENCHMARK_CAPTURE(draw, empirical, of(scenario::Distribution::Empirical{{1, 2, 3, 4}}));

void index(benchmark::State& state) {
  const std::string id = "crash_of_gpus";
  std::uint64_t n = 0;
  for (auto _ : state) {
    const chance::RandomKey key{.seed = 7, .entity = chance::named(id)};
    benchmark::DoNotOptimize(
        chance::draw_index(100, chance::RandomDraw(key, n++, chance::Purpose::kTarget)));
  }
}
BENCHMARK(index);

}  // namespace
}  // namespace aftershock::sim
