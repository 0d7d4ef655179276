// How fast the viewer's timeline is in a window of 1600x900, drawn in software: `./dev bench`.
#include <QApplication>
#include <QElapsedTimer>
#include <QScrollBar>
#include <QTemporaryDir>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <sys/wait.h>

#include "gui/panels/event_model.h"
#include "gui/timeline/player.h"
#include "gui/timeline/timeline.h"
#include "tests/benchmark/big_recording.h"
#include "tests/unit/simulator_path.h"

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

/// The processor time that the drawing thread was given. A machine that is shared gives it away for
/// milliseconds at a time, which no frame can help.
double cpu_ms() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

/// How long something took: by the clock, and of a processor.
struct Took {
  double wall_ms = 0;
  double cpu_ms = 0;
};

Took measured(const std::function<void()>& work) {
  QElapsedTimer since;
  since.start();
  const double cpu_before_ms = cpu_ms();
  work();
  const double cpu = cpu_ms() - cpu_before_ms;
  return {elapsed_ms(since), cpu};
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
  /// Widgets that a change makes stale are redrawn at once, as before the next one.
  Took frame(const std::function<void()>& change) const {
    return measured([&] {
      change();
      QApplication::sendPostedEvents();
    });
  }
};

/// Frames by what was done in them, in the order of doing.
using Frames = std::map<std::string, std::vector<Took>>;

/// Zooms in around the middle and out again, pans through the run and through the lanes, and lets
/// the cursor run over all of it and, zoomed in, with the view going on with it.
Frames scripted(Window& window) {
  Frames frames;
  Timeline& timeline = window.timeline;
  const TimeRange run = timeline.run();
  const auto show = [&](const char* what, const TimeRange& range) {
    frames[what].push_back(window.frame([&] {
      ViewState next = timeline.state();
      next.shown = range;
      timeline.change(std::move(next));
    }));
  };
  for (int i = 0; i < kFrames; ++i) {
    const double factor = i < kFrames / 2 ? 1.1 : 1 / 1.1;
    show("zoom", zoomed(timeline.state().shown, run.end_us / 2, factor, run));
  }
  show("zoom", zoomed(limits_of(run), 0, 16, run));
  for (int i = 0; i < kFrames; ++i) {
    show("pan", panned(timeline.state().shown, 15.0 / kFrames, run));
  }
  for (int i = 0; i < kFrames; ++i) {
    frames["scroll"].push_back(window.frame([&] {
      QScrollBar& bar = *timeline.verticalScrollBar();
      bar.setValue(static_cast<int>(std::int64_t{bar.maximum()} * i / kFrames));
    }));
  }
  timeline.verticalScrollBar()->setValue(0);
  show("zoom", limits_of(run));
  for (int i = 0; i < kFrames; ++i) {
    frames["replay"].push_back(window.frame([&] { timeline.play_to(run.end_us / kFrames * i); }));
  }
  show("zoom", zoomed(limits_of(run), 0, 64, run));
  for (int i = 0; i < kFrames; ++i) {
    frames["replay"].push_back(
        window.frame([&] { timeline.play_to(run.end_us / 8 / kFrames * i); }));
  }
  return frames;
}

/// Of all frames the median, the 99th of a hundred and the worst, each by its own clock; and the
/// worst of each thing done.
void tell(benchmark::State& state, const Frames& frames) {
  std::vector<double> wall;
  std::vector<double> cpu;
  for (const auto& [what, took] : frames) {
    std::vector<double> these;
    for (const Took& each : took) {
      wall.push_back(each.wall_ms);
      cpu.push_back(each.cpu_ms);
      these.push_back(each.cpu_ms);
    }
    std::ranges::sort(these);
    state.counters["cpu_median_" + what] = these[these.size() / 2];
    state.counters["cpu_worst_" + what] = these.back();
  }
  for (auto* took : {&wall, &cpu}) {
    const std::string prefix = took == &cpu ? "cpu_" : "";
    std::ranges::sort(*took);
    state.counters[prefix + "median_ms"] = (*took)[took->size() / 2];
    state.counters[prefix + "p99_ms"] = (*took)[took->size() * 99 / 100];
    state.counters[prefix + "worst_ms"] = took->back();
  }
}

/// When the viewport was painted.
class Paints : public QObject {
 public:
  bool eventFilter(QObject* /*watched*/, QEvent* event) override {
    if (event->type() == QEvent::Paint) {
      times_ms.push_back(elapsed_ms(since));
    }
    return false;
  }
  QElapsedTimer since;
  std::vector<double> times_ms;
};

/// Plays all of the run in four seconds, zoomed in, and tells how many pictures a second there were
/// and how many of the 60 there should be were missed.
void replay(benchmark::State& state, Window& window) {
  constexpr double kSlot_ms = 1000.0 / 60;
  constexpr double kPlayed_ms = 4000;
  Timeline& timeline = window.timeline;
  ViewState next = timeline.state();
  next.shown = zoomed(limits_of(timeline.run()), 0, 16, timeline.run());
  next.cursor_us = 0;
  timeline.change(std::move(next));
  QApplication::processEvents();
  Player player(timeline);
  Paints paints;
  timeline.viewport()->installEventFilter(&paints);
  paints.since.start();
  const double cpu_before_ms = cpu_ms();
  player.change([&](ReplayClock clock) {
    clock.playing = true;
    clock.slow_at_faults = false;
    clock.speed = std::max<std::int64_t>(1, timeline.run().end_us / 4'000'000);
    return clock;
  });
  while (elapsed_ms(paints.since) < kPlayed_ms) {
    QApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
  }
  player.change([](ReplayClock clock) { return paused(clock); });
  timeline.viewport()->removeEventFilter(&paints);
  state.counters["replay_cpu_percent"] = 100 * (cpu_ms() - cpu_before_ms) / kPlayed_ms;
  state.counters["replay_fps"] = static_cast<double>(paints.times_ms.size()) / kPlayed_ms * 1000;
  double missed = 0;
  double before_ms = 0;
  for (const double at_ms : paints.times_ms) {
    missed += std::max(0.0, std::round((at_ms - before_ms) / kSlot_ms) - 1);
    before_ms = at_ms;
  }
  state.counters["replay_missed"] = missed;
}

/// Closes all groups and opens them.
void unfold(benchmark::State& state, Window& window) {
  const auto change = [&](bool open) {
    return window.frame([&] {
      ViewState next = window.timeline.state();
      set_all_open(next.lanes, open);
      window.timeline.change(std::move(next));
    });
  };
  change(false);
  const Took took = change(true);
  state.counters["unfold_ms"] = took.wall_ms;
  state.counters["unfold_cpu_ms"] = took.cpu_ms;
}

/// A hundred thousand notes on lanes that are seen, one in ten of a range.
std::vector<NoteMark> many_notes(const Timeline& timeline) {
  constexpr std::int64_t kNotes = 100'000;
  const LaneTree& tree = timeline.session()->scene()->tree();
  std::vector<NoteMark> notes;
  for (std::int64_t i = 0; i < kNotes; ++i) {
    NoteMark note;
    note.begin_us = timeline.run().end_us / kNotes * i;
    note.end_us = note.begin_us + (i % 10 == 0 ? timeline.run().end_us / 1000 : 0);
    note.lane = tree.nodes[static_cast<std::size_t>(i) % tree.nodes.size()].key;
    note.text = QStringLiteral("note %1").arg(i);
    notes.push_back(std::move(note));
  }
  return notes;
}

void frames_of(benchmark::State& state, const char* scenario, bool noted = false) {
  const QTemporaryDir folder;
  const std::string path = folder.filePath(QStringLiteral("run.aftershock")).toStdString();
  const std::string command = std::string(aftershock::testing::kSimulatorPath) + " run scenarios/" +
                              scenario + " --quiet --record " + path;
  // A run whose job fails leaves a recording as good as any.
  constexpr int kStuck = 3;
  const int status = std::system(command.c_str());
  if (!WIFEXITED(status) || (WEXITSTATUS(status) > 1 && WEXITSTATUS(status) != kStuck)) {
    state.SkipWithError((command + ": failed").c_str());
  }
  for (auto _ : state) {
    Window window(QString::fromStdString(path));
    window.read_all();
    if (noted) {
      window.timeline.set_notes(many_notes(window.timeline), std::nullopt);
    }
    tell(state, scripted(window));
    replay(state, window);
  }
}
BENCHMARK_CAPTURE(frames_of, llama3_54_days, "llama3_54_days.json")
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(frames_of, npu_4096_year, "modelarts/npu_4096_year.json")
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(frames_of, llama3_54_days_noted, "llama3_54_days.json", true)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

/// The list of events: all are read, those that have a 7 are found and sorted by text.
Took lists(const Trace& trace, const std::string& path) {
  return measured([&] {
    EventModel model;
    model.set_trace(&trace, path);
    model.set_filter(QStringLiteral("7"), std::nullopt);
    model.sort(EventModel::kLane, Qt::AscendingOrder);
  });
}

/// A recording of so many thousand spans on so many lanes: until the first picture, until all of it
/// is ready, its list of events, and frames of it.
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
    state.counters["events_ms"] = lists(window.session.trace(), path).wall_ms;
    tell(state, scripted(window));
    replay(state, window);
    unfold(state, window);
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
