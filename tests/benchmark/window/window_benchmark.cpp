// How fast the viewer's timeline is in a window of 1600x900, drawn in software: `./dev bench`.
#include <QApplication>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "gui/timeline/timeline.h"
#include "tests/benchmark/big_recording.h"

namespace aftershock::gui {
namespace {

constexpr int kFrames = 240;

double elapsed_ms(const QElapsedTimer& since) {
  return static_cast<double>(since.nsecsElapsed()) / 1e6;
}

/// The most memory that this process has had, in MB.
double peak_mb() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word == "VmHWM:") {
      double kib = 0;
      status >> kib;
      return kib * 1024 / 1e6;
    }
  }
  return 0;
}

struct Window {
  RunSession session;
  Timeline timeline;

  explicit Window(const QString& path) : session(path, false) {
    timeline.resize(1600, 900);
    timeline.show();
    timeline.set_session(&session);
  }
  ~Window() { timeline.set_session(nullptr); }

  void read_all() const {
    while (session.is_reading() || session.is_making_curves()) {
      QApplication::processEvents(QEventLoop::AllEvents, 50);
    }
    QApplication::processEvents();
  }
  double frame_ms(const std::function<void()>& change) {
    QElapsedTimer since;
    since.start();
    change();
    timeline.viewport()->repaint();
    return elapsed_ms(since);
  }
};

/// Zooms in twelve times around the middle and out again, pans through the run, and lets the cursor
/// run: what each frame took.
std::vector<double> scripted(Window& window) {
  std::vector<double> took;
  Timeline& timeline = window.timeline;
  const TimeRange run = timeline.run();
  const auto show = [&](const TimeRange& range) {
    took.push_back(window.frame_ms([&] {
      ViewState next = timeline.state();
      next.shown = range;
      timeline.change(std::move(next));
    }));
  };
  for (int i = 0; i < kFrames; ++i) {
    const double factor = i < kFrames / 2 ? 1.1 : 1 / 1.1;
    show(zoomed(timeline.state().shown, run.end_us / 2, factor, run));
  }
  show(zoomed(limits_of(run), 0, 16, run));
  for (int i = 0; i < kFrames; ++i) {
    show(panned(timeline.state().shown, 15.0 / kFrames, run));
  }
  for (int i = 0; i < kFrames; ++i) {
    took.push_back(window.frame_ms([&] { timeline.play_to(run.end_us / kFrames * i); }));
  }
  return took;
}

void tell(benchmark::State& state, std::vector<double> took) {
  std::ranges::sort(took);
  state.counters["median_ms"] = took[took.size() / 2];
  state.counters["p99_ms"] = took[took.size() * 99 / 100];
  state.counters["worst_ms"] = took.back();
}

void frames_of(benchmark::State& state, const char* scenario) {
  const QTemporaryDir folder;
  const std::string path = folder.filePath(QStringLiteral("run.aftershock")).toStdString();
  const std::string command = std::string(AFTERSHOCK_EXECUTABLE) + " run scenarios/" + scenario +
                              " --quiet --record " + path;
  if (std::system(command.c_str()) != 0) {
    state.SkipWithError((command + ": failed").c_str());
  }
  for (auto _ : state) {
    Window window(QString::fromStdString(path));
    window.read_all();
    tell(state, scripted(window));
  }
}
BENCHMARK_CAPTURE(frames_of, llama3_54_days, "llama3_54_days.json")
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(frames_of, npu_4096_year, "modelarts/npu_4096_year.json")
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

/// A recording of so many thousand spans on so many lanes: until the first picture, until all of it
/// is ready, and frames of it.
void opens(benchmark::State& state) {
  const QTemporaryDir folder;
  const std::string path = folder.filePath(QStringLiteral("big.aftershock")).toStdString();
  testing::BigRecording size;
  size.spans = state.range(0) * 1000;
  size.lanes = state.range(1);
  if (const std::string wrong = testing::write_big_recording(path, size); !wrong.empty()) {
    state.SkipWithError(wrong.c_str());
    return;
  }
  for (auto _ : state) {
    QElapsedTimer since;
    since.start();
    Window window(QString::fromStdString(path));
    while (window.session.scene() == nullptr && window.session.is_reading()) {
      QApplication::processEvents();
    }
    window.timeline.viewport()->repaint();
    state.counters["first_picture_ms"] = elapsed_ms(since);
    window.read_all();
    window.timeline.viewport()->repaint();
    state.counters["ready_ms"] = elapsed_ms(since);
    state.counters["peak_mb"] = peak_mb();
    tell(state, scripted(window));
  }
}
BENCHMARK(opens)
    ->Args({1'000, 2'000})
    ->Args({10'000, 100'000})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace aftershock::gui

int main(int count, char** arguments) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  const QApplication application(count, arguments);
  benchmark::Initialize(&count, arguments);
  if (benchmark::ReportUnrecognizedArguments(count, arguments)) {
    return 1;
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
