#include "sim/control/external/same_cpu.h"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>

namespace aftershock::sim::control {
namespace {

/// A program may begin threads and children at any time; until it is looked at again they stay on
/// its CPU.
constexpr std::uint64_t kTurnsBetweenLooks = 1024;
/// The start of a program, such as the load of its modules, may take threads.
constexpr std::uint64_t kFirstLook = 4;
/// A thread that was woken on another CPU than it waited on would be so again.
constexpr std::uint64_t kTurnsToStay = 64;

std::vector<pid_t> children_of(pid_t process) {
  std::ifstream file(fmt::format("/proc/{0}/task/{0}/children", process));
  std::vector<pid_t> children;
  for (pid_t child = 0; file >> child;) {
    children.push_back(child);
  }
  return children;
}

std::vector<pid_t> threads_of(pid_t process) {
  std::vector<pid_t> threads;
  std::error_code error;
  std::filesystem::directory_iterator entry(fmt::format("/proc/{}/task", process), error);
  for (; !error && entry != std::filesystem::directory_iterator{}; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    pid_t thread = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), thread).ec == std::errc{}) {
      threads.push_back(thread);
    }
  }
  return threads;
}

/// The guardian's only child, which is one thread without children; -1: there is none such.
pid_t lone_program(pid_t guardian) {
  const auto programs = children_of(guardian);
  return programs.size() == 1 && threads_of(programs[0]).size() == 1 &&
                 children_of(programs[0]).empty()
             ? programs[0]
             : -1;
}

/// A refusal changes how long an answer takes, never the answer.
bool allow(pid_t thread, const cpu_set_t& cpus) {
  return ::sched_setaffinity(thread, sizeof(cpus), &cpus) == 0;
}

}  // namespace

SameCpu::SameCpu(pid_t guardian)
    : guardian_(guardian),
      possible_(guardian > 0 && ::sched_getaffinity(0, sizeof(allowed_), &allowed_) == 0 &&
                CPU_COUNT(&allowed_) > 1) {}

void SameCpu::begin() {
  if (!possible_) {
    return;
  }
  ++turns_;
  const int cpu = ::sched_getcpu();
  const bool moved = program_ > 0 && cpu != cpu_;
  if ((moved || turns_ % kTurnsBetweenLooks == kFirstLook) && !look()) {
    return;
  }
  if (program_ <= 0 || cpu < 0 || cpu >= CPU_SETSIZE) {
    return;
  }
  cpu_set_t here;
  CPU_ZERO(&here);
  CPU_SET(static_cast<std::size_t>(cpu), &here);
  if (cpu != cpu_) {
    possible_ = allow(program_, here);
    cpu_ = cpu;
    moved_ = turns_;
  }
  staying_ = turns_ - moved_ < kTurnsToStay && allow(0, here);
}

void SameCpu::end() {
  if (staying_) {
    allow(0, allowed_);
    staying_ = false;
  }
}

/// Whether the program is still one thread. One that is not gets back what it was given.
bool SameCpu::look() {
  const pid_t now = lone_program(guardian_);
  possible_ = now > 0 && (program_ <= 0 || now == program_);
  if (!possible_ && cpu_ >= 0) {
    for (const pid_t process : children_of(guardian_)) {
      for (const pid_t thread : threads_of(process)) {
        allow(thread, allowed_);
      }
      for (const pid_t child : children_of(process)) {
        allow(child, allowed_);
      }
    }
  }
  program_ = possible_ ? now : -1;
  return possible_;
}

}  // namespace aftershock::sim::control
