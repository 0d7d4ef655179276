#include "sim/sweep/child.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <optional>
#include <variant>

#include <fmt/format.h>
#include <poll.h>
#include <sys/types.h>
#include <unistd.h>

#include "sim/processes/file.h"
#include "sim/processes/held_stops.h"
#include "sim/processes/process.h"
#include "sim/processes/process_end.h"
#include "sim/processes/program.h"
#include "sim/processes/timer.h"

namespace aftershock::sim::sweep {
namespace {

constexpr std::size_t kErrorsMax = 4096;
constexpr int kLookMs = 20;

/// Takes what can be read, and closes the file at its end.
void take(processes::File& file, std::string& text) {
  std::array<char, 4096> bytes{};
  const ssize_t got = ::read(file.number(), bytes.data(), bytes.size());
  if (got > 0) {
    text.append(bytes.data(), static_cast<std::size_t>(got));
    if (text.size() > 2 * kErrorsMax) {
      text.erase(0, text.size() - kErrorsMax);
    }
  } else if (got == 0 || errno != EINTR) {
    file.close();
  }
}

/// Reads its last output. A program that left others behind that hold its error open is not
/// waited for.
void take_last(processes::File& errors, std::string& text) {
  pollfd waiting{errors.number(), POLLIN, 0};
  while (errors.is_open() && ::poll(&waiting, 1, kLookMs) > 0) {
    take(errors, text);
  }
}

/// Waits for a process that was started; its standard error is read meanwhile.
ChildEnd wait_for_program(pid_t child, processes::File& errors, std::int64_t timeout_s,
                          processes::HeldStops& stops) {
  ChildEnd end;
  const processes::File watched = processes::watch(child);
  processes::Timer timer;
  timer.set(timeout_s * 1000);
  for (;;) {
    if (const auto ended = processes::look_at(child)) {
      take_last(errors, end.errors);
      end.how = ended->how == processes::ProcessEnd::How::kKilled ? ChildEnd::How::kKilled
                                                                  : ChildEnd::How::kExited;
      end.code = ended->code;
      ::kill(-child, SIGKILL);
      return end;
    }
    std::array<pollfd, 4> files{{{errors.number(), POLLIN, 0},
                                 {timer.file().number(), POLLIN, 0},
                                 {stops.file().number(), POLLIN, 0},
                                 {watched.number(), POLLIN, 0}}};
    if (::poll(files.data(), files.size(), watched.is_open() ? -1 : kLookMs) <= 0) {
      continue;
    }
    if (files[0].revents != 0) {
      take(errors, end.errors);
    }
    const int asked = stops.take();
    if (asked != 0 || files[1].revents != 0) {
      processes::kill_group(child);
      end.how = asked != 0 ? ChildEnd::How::kInterrupted : ChildEnd::How::kTimedOut;
      end.code = asked != 0 ? asked : static_cast<int>(timeout_s);
      return end;
    }
  }
}

}  // namespace

std::string ChildEnd::words() const {
  std::string last = errors.substr(0, errors.find_last_not_of(" \n\r\t") + 1);
  last.erase(0, last.size() > 500 ? last.size() - 500 : 0);
  const std::string said = last.empty() ? "" : ": " + last;
  switch (how) {
    case How::kExited:
      return processes::words_of(processes::ProcessEnd{processes::ProcessEnd::How::kExited, code}) +
             said;
    case How::kKilled:
      return processes::words_of(processes::ProcessEnd{processes::ProcessEnd::How::kKilled, code}) +
             said;
    case How::kTimedOut:
      return fmt::format("not done after {} s, and killed", code);
    case How::kInterrupted:
      return fmt::format("interrupted ({})", strsignal(code));
    case How::kNotStarted:
      break;
  }
  return processes::words_of(processes::ProcessEnd{processes::ProcessEnd::How::kNotStarted, code});
}

ChildEnd run_child(const std::vector<std::string>& words, std::int64_t timeout_s) {
  auto errors = processes::make_pipe();
  if (!errors) {
    return {.how = ChildEnd::How::kNotStarted, .code = errno, .errors = {}};
  }
  processes::HeldStops stops;
  const auto started =
      processes::start_program({.words = words, .files = {-1, -1, errors->write.number()}});
  errors->write.close();
  if (const auto* never = std::get_if<processes::ProcessEnd>(&started)) {
    return {.how = ChildEnd::How::kNotStarted, .code = never->code, .errors = {}};
  }
  return wait_for_program(std::get<pid_t>(started), errors->read, timeout_s, stops);
}

}  // namespace aftershock::sim::sweep
