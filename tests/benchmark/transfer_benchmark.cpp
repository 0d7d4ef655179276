#include <chrono>
#include <cstdint>
#include <cstring>

#include <benchmark/benchmark.h>

#include "sim/engine/drive.h"
#include "sim/engine/isolate.h"

namespace aftershock::sim {
namespace {

constexpr std::uint16_t kTransferOver = 1;

// So many transfers are always under way on one resource: whoever ends makes room for the next.
class Relay final : public engine::Playable {
 public:
  Relay(std::int64_t flows, std::int64_t transfers)
      : transfers_({1'000'000'000}, kTransferOver, false), left_(transfers) {
    for (std::int64_t i = 0; i < flows; ++i) {
      begin();
    }
  }

  engine::Calendar& calendar() override { return calendar_; }
  engine::Transfers& transfers() override { return transfers_; }
  [[nodiscard]] std::int64_t now_us() const override { return now_us_; }
  [[nodiscard]] bool over() const override { return left_ == 0; }

  void play(const engine::Entry& entry) override {
    now_us_ = entry.t_us;
    engine::TransferRequest request;
    if (transfers_.take_completion(entry, request)) {
      --left_;
      begin();
    }
  }

 private:
  // No two are of one size, so no two end at once.
  void begin() {
    ++begun_;
    transfers_.start(calendar_, now_us_,
                     {.bytes = 1'000'000'000 + (begun_ * 7'919'993) % 1'000'000'007,
                      .bound_bytes_per_s = 1'000'000'000});
  }

  engine::Calendar calendar_;
  engine::Transfers transfers_;
  std::int64_t now_us_ = 0;
  std::int64_t begun_ = 0;
  std::int64_t left_;
};

// One transfer of so many on a resource. A lone one never comes near SimGrid; with others all do,
// in a process of their own, since one has one engine.
void transfer(benchmark::State& state) {
  constexpr std::int64_t kTransfers = 20'000;
  for (auto _ : state) {
    const auto text = engine::run_isolated([&] {
      const auto begin = std::chrono::steady_clock::now();
      Relay relay(state.range(0), kTransfers);
      engine::drive(relay, engine::Driver::kAutomatic);
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
      const double seconds = took.count();
      return std::string(reinterpret_cast<const char*>(&seconds), sizeof(seconds));
    });
    double seconds = 0;
    if (!text || text->size() != sizeof(seconds)) {
      state.SkipWithError("the process of its own died");
      return;
    }
    std::memcpy(&seconds, text->data(), sizeof(seconds));
    state.SetIterationTime(seconds / kTransfers);
  }
}
BENCHMARK(transfer)
    ->Arg(1)
    ->Arg(2)
    ->Arg(4)
    ->Arg(16)
    ->Arg(64)
    ->Arg(256)
    ->UseManualTime()
    ->Iterations(5)
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace aftershock::sim
