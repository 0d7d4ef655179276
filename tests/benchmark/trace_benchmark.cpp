#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include <benchmark/benchmark.h>
#include <unistd.h>

#include "gui/trace/loader.h"
#include "tests/benchmark/big_recording.h"

namespace {

using namespace aftershock;

/// A recording on the disk as long as it is measured.
class BigFile {
 public:
  explicit BigFile(const aftershock::testing::BigRecording& size)
      : path_(std::filesystem::temp_directory_path() /
              ("aftershock_benchmark_" + std::to_string(::getpid()) + ".aftershock")),
        problem_(aftershock::testing::write_big_recording(path_.string(), size)) {}
  ~BigFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  BigFile(const BigFile&) = delete;
  BigFile& operator=(const BigFile&) = delete;

  [[nodiscard]] std::string path() const { return path_.string(); }
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  std::filesystem::path path_;
  std::string problem_;
};

double resident_mb() {
  std::ifstream pages("/proc/self/statm");
  double total = 0;
  double resident = 0;
  pages >> total >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE)) / 1e6;
}

/// `first_s`: until there is something to draw; `grown_MB`: what the trace takes.
void load_trace(benchmark::State& state) {
  const BigFile file({.spans = state.range(0), .lanes = state.range(1)});
  if (!file.problem().empty()) {
    state.SkipWithError(file.problem().c_str());
    return;
  }
  double first_s = 0;
  double grown_mb = 0;
  for (auto _ : state) {
    const double before_mb = resident_mb();
    const auto begin = std::chrono::steady_clock::now();
    gui::Trace trace;
    gui::Loader loader(trace, file.path());
    loader.wait();
    loader.take();
    loader.seal();
    first_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    while (loader.wait()) {
      loader.take();
    }
    grown_mb = resident_mb() - before_mb;
    if (trace.end.state != reports::ReadState::kComplete || trace.spans < state.range(0)) {
      state.SkipWithError("the recording was not loaded whole");
      return;
    }
  }
  state.counters["first_s"] = first_s;
  state.counters["grown_MB"] = grown_mb;
}

BENCHMARK(load_trace)
    ->Args({1'000'000, 10'000})
    ->Args({10'000'000, 100'000})
    ->Iterations(1)
    ->UseRealTime()
    ->Unit(benchmark::kSecond);

}  // namespace
