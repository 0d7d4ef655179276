#include "sim/live/driver.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <optional>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include "sim/processes/file.h"
#include "sim/processes/held_stops.h"
#include "sim/processes/process.h"
#include "sim/processes/program.h"
#include "sim/processes/timer.h"

namespace aftershock::sim::live {

namespace {

using Clock = std::chrono::steady_clock;

// A driver that was told to stop has so long to clean up before it is killed.
constexpr std::int64_t kCleaningMs = 10'000;
// A line of facts is short; something else on that pipe is not kept.
constexpr std::size_t kLongestLine = 1U << 20U;

/// Whole lines of what comes in parts.
class Lines {
 public:
  /// Adds a part; false where `take` wants no more, or the line grows beyond all bounds.
  bool add(std::string_view part, const TakeLine& take) {
    text_ += part;
    std::size_t begin = 0;
    for (std::size_t end = text_.find('\n'); end != std::string::npos;
         end = text_.find('\n', begin)) {
      if (!take(std::string_view(text_).substr(begin, end - begin))) {
        return false;
      }
      begin = end + 1;
    }
    text_.erase(0, begin);
    return text_.size() <= kLongestLine;
  }

 private:
  std::string text_;
};

/// A driver that runs.
struct Running {
  pid_t child = 0;
  processes::File orders;  ///< closed: it is to stop
  processes::File facts;
  Lines lines{};
  bool silent = false;                       ///< it has closed its standard output
  std::string why{};                         ///< it is being stopped
  std::optional<Clock::time_point> first{};  ///< when it told its first fact, at 0 s of its run
  std::int64_t stopped_us = 0;               ///< after that; where it is being stopped
  bool ends_run = false;                     ///< with that the run is over

  void stop(std::string reason, processes::Timer& timer) {
    if (why.empty()) {
      why = std::move(reason);
      if (first) {
        stopped_us =
            std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - *first).count();
      }
      orders.close();
      timer.set(kCleaningMs);
    }
  }
};

void hear(Running& running, const TakeLine& take, processes::Timer& timer) {
  std::array<char, 65536> bytes{};
  const ::ssize_t count = ::read(running.facts.number(), bytes.data(), bytes.size());
  if (count < 0 && errno == EINTR) {
    return;
  }
  if (count <= 0) {
    running.silent = true;
    return;
  }
  running.first = running.first.value_or(Clock::now());
  if (running.why.empty() &&
      !running.lines.add({bytes.data(), static_cast<std::size_t>(count)}, take)) {
    running.stop("its last line was not understood", timer);
  }
}

std::variant<Running, std::string> start(const DriverOptions& options) {
  auto orders = processes::make_pipe();
  auto facts = processes::make_pipe();
  if (!orders || !facts) {
    return "no pipe is left";
  }
  auto started = processes::start_program(
      {.words = options.words, .files = {orders->read.number(), facts->write.number(), 2}});
  if (const auto* failed = std::get_if<processes::ProcessEnd>(&started)) {
    return processes::words_of(*failed);
  }
  Running running{
      .child = std::get<pid_t>(started),
      .orders = std::move(orders->write),
      .facts = std::move(facts->read),
  };
  // A driver that cannot read it ends, and that is told.
  processes::write_all(running.orders, options.plan + "\n");
  return running;
}

}  // namespace

std::vector<std::string> in_namespaces() {
  return {"unshare", "--fork",       "--pid", "--kill-child=SIGKILL",
          "--mount", "--mount-proc", "--net", "--ipc"};
}

bool may_make_namespaces() {
  std::vector<std::string> words = in_namespaces();
  words.emplace_back("true");
  auto started = processes::start_program({.words = words});
  const auto* child = std::get_if<pid_t>(&started);
  return child != nullptr && processes::wait_for(*child) == processes::ProcessEnd{};
}

std::string run_driver(const DriverOptions& options, const TakeLine& take) {
  processes::HeldStops stops;
  auto begun = start(options);
  if (auto* why = std::get_if<std::string>(&begun)) {
    return *why;
  }
  auto& running = std::get<Running>(begun);
  processes::Timer timer;
  timer.set(options.longest_ms);
  while (!running.silent) {
    std::array<::pollfd, 3> wait{{{running.facts.number(), POLLIN, 0},
                                  {stops.file().number(), POLLIN, 0},
                                  {timer.file().number(), POLLIN, 0}}};
    if (::poll(wait.data(), wait.size(), -1) < 0 && errno != EINTR) {
      break;
    }
    if (wait[1].revents != 0 && stops.take() != 0) {
      running.ends_run = running.why.empty();
      running.stop("interrupted", timer);
    }
    if (wait[2].revents != 0) {
      if (!running.why.empty()) {
        processes::kill_group(running.child);
        return running.why;
      }
      running.stop(
          "it took longer than the scenario's \"until\" and the time to start and clean "
          "up",
          timer);
    }
    if (wait[0].revents != 0) {
      hear(running, take, timer);
    }
  }
  running.orders.close();
  // The driver may tell more as it cleans up; the run ends where it was stopped.
  if (running.first && running.ends_run) {
    take(fmt::format(R"({{"fact":"invalid","t_us":{},"why":"{}"}})", running.stopped_us,
                     running.why));
  }
  const auto end = processes::wait_at_most(running.child, kCleaningMs);
  if (!end) {
    processes::kill_group(running.child);
    return running.why.empty() ? "it did not end" : running.why;
  }
  if (!running.why.empty()) {
    return running.why;
  }
  return *end == processes::ProcessEnd{} ? std::string() : processes::words_of(*end);
}

}  // namespace aftershock::sim::live
