#include <cstdint>

#include <benchmark/benchmark.h>

#include "sim/chance/draws.h"
#include "sim/engine/calendar.h"

namespace aftershock::sim {
namespace {

// The hold model: take the next entry, put one in a random distance ahead.
void hold(benchmark::State& state) {
  engine::Calendar calendar;
  const auto pending = static_cast<std::uint32_t>(state.range(0));
  chance::RandomDraw random(chance::RandomKey{}, 0, chance::Purpose::kArrival);
  for (std::uint32_t i = 0; i < pending; ++i) {
    calendar.push(random.bits32(), engine::EntryClass::kFault, 0, i);
  }
  std::uint64_t step = 1;
  for (auto _ : state) {
    const engine::Entry entry = calendar.pop();
    step = step * 6364136223846793005U + 1442695040888963407U;
    calendar.push(entry.t_us + static_cast<std::int64_t>(step >> 40U), engine::EntryClass::kFault,
                  0, entry.entity);
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(hold)->Arg(16)->Arg(4096);

}  // namespace
}  // namespace aftershock::sim
