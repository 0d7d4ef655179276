#include <cstdint>
#include <string>
#include <utility>

#include <benchmark/benchmark.h>

#include "sim/chance/draws.h"

namespace aftershock::sim {
namespace {

// A draw as a run makes it: the key of a name, and the law in whole microseconds.
void draw(benchmark::State& state, const Distribution& law) {
  const std::string id = "crash_of_gpus";
  std::uint64_t n = 0;
  for (auto _ : state) {
    const RandomKey key{.seed = 7, .entity = named(id)};
    benchmark::DoNotOptimize(draw_us(law, RandomDraw(key, n++, Purpose::kRepair)));
  }
}

Distribution of(decltype(Distribution::shape) shape) {
  return {.shape = std::move(shape), .min_us = {}, .max_us = {}};
}

BENCHMARK_CAPTURE(draw, exponential, of(Distribution::Exponential{1'000'000}));
BENCHMARK_CAPTURE(draw, uniform, of(Distribution::Uniform{500'000, 1'500'000}));
BENCHMARK_CAPTURE(draw, lognormal, of(Distribution::Lognormal{1e6, 0.5}));
BENCHMARK_CAPTURE(draw, weibull, of(Distribution::Weibull{1e6, 1.5}));
BENCHMARK_CAPTURE(draw, gamma, of(Distribution::Gamma{1e6, 2.5}));
BENCHMARK_CAPTURE(draw, gamma_below_one, of(Distribution::Gamma{1e6, 0.5}));
BENCHMARK_CAPTURE(draw, empirical, of(Distribution::Empirical{{1, 2, 3, 4}}));

void index(benchmark::State& state) {
  const std::string id = "crash_of_gpus";
  std::uint64_t n = 0;
  for (auto _ : state) {
    const RandomKey key{.seed = 7, .entity = named(id)};
    benchmark::DoNotOptimize(draw_index(100, RandomDraw(key, n++, Purpose::kTarget)));
  }
}
BENCHMARK(index);

}  // namespace
}  // namespace aftershock::sim
