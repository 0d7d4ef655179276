#include "sim/control/external/process_channel.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/types.h>
#include <unistd.h>

#include "sim/control/external/guardian.h"
#include "sim/control/external/last_lines.h"
#include "sim/control/external/line_faults.h"
#include "sim/control/external/same_cpu.h"
#include "sim/processes/process.h"
#include "sim/processes/process_end.h"
#include "sim/processes/timer.h"

namespace aftershock::sim::control {
namespace {

constexpr std::int64_t kGraceMs = 1'000;
/// Most answers come sooner: the timer is set for those that do not.
constexpr int kSoonMs = 20;
constexpr std::size_t kReadAtOnce = 65536;

class ProcessChannel final : public Channel {
 public:
  explicit ProcessChannel(const ProcessOptions& options) : options_(options), owner_(::getpid()) {
    auto started = start_guarded(options.words, options.environment);
    if (const auto* problem = std::get_if<std::string>(&started)) {
      lost_ = *problem;
    } else {
      program_ = std::get<Guarded>(std::move(started));
      same_cpu_.emplace(program_.guardian);
    }
  }
  ProcessChannel(const ProcessChannel&) = delete;
  ProcessChannel& operator=(const ProcessChannel&) = delete;
  ~ProcessChannel() override {
    if (ours()) {
      end();
    }
  }

  std::variant<std::string_view, NoAnswer> ask(std::string_view line,
                                               std::string_view what) override;
  [[nodiscard]] bool ours() const override { return owner_ == ::getpid(); }
  std::string blame(std::string_view why) override;
  void kill() override;

 private:
  enum class Look : std::uint8_t { kLine, kEnd, kLate };

  void arm(std::int64_t ms);
  bool write_some();
  /// False at the end of what can be read.
  bool read_some();
  void read_errors();
  Look look();
  NoAnswer late(std::string_view what);
  NoAnswer ended(std::string_view what);
  NoAnswer lose(std::string why);
  std::optional<processes::ProcessEnd> wait_for_end(std::int64_t ms);
  void end();
  void bury_guardian(int signal);

  ProcessOptions options_;
  pid_t owner_;
  processes::Timer timer_;
  Guarded program_;
  std::optional<SameCpu> same_cpu_;
  std::string lost_;
  std::string sending_;
  std::size_t sent_ = 0;
  bool armed_ = false;  ///< the timer is
  std::vector<char> buffer_ = std::vector<char>(kReadAtOnce);
  std::string read_;          ///< not yet answered with
  std::size_t searched_ = 0;  ///< of that, without a newline
  std::string answer_;
  LastLines errors_;
};

void ProcessChannel::arm(std::int64_t ms) {
  timer_.set(ms);
  armed_ = true;
}

bool ProcessChannel::write_some() {
  while (sent_ < sending_.size()) {
    const ssize_t count =
        ::write(program_.to.number(), sending_.data() + sent_, sending_.size() - sent_);
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      // The pipe is full: the rest goes out while the answer is waited for, or two full pipes would
      // wait for each other.
      return errno == EAGAIN;
    }
    sent_ += static_cast<std::size_t>(count);
  }
  return true;
}

bool ProcessChannel::read_some() {
  const ssize_t count = ::read(program_.from.number(), buffer_.data(), buffer_.size());
  if (count > 0) {
    read_.append(buffer_.data(), static_cast<std::size_t>(count));
  }
  return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
}

void ProcessChannel::read_errors() {
  // One that writes without end is not listened to without end.
  constexpr int kMost = 64;
  for (int i = 0; i < kMost && program_.errors.is_open(); ++i) {
    const ssize_t count = ::read(program_.errors.number(), buffer_.data(), buffer_.size());
    if (count > 0) {
      errors_.add({buffer_.data(), static_cast<std::size_t>(count)});
    } else if (count < 0 && errno == EAGAIN) {
      return;
    } else if (count == 0 || errno != EINTR) {
      program_.errors.close();
    }
  }
}

/// Until there is a line, there is none to come, or it is too late.
ProcessChannel::Look ProcessChannel::look() {
  for (bool waited = false;; waited = true) {
    if (read_.find('\n', searched_) != std::string::npos || read_.size() > kLongestLine) {
      return Look::kLine;
    }
    searched_ = read_.size();
    if (waited && !armed_) {
      arm(options_.deadline_ms);
    }
    const bool writing = sent_ < sending_.size() && program_.to.is_open();
    std::array<pollfd, 4> files{{{program_.from.number(), POLLIN, 0},
                                 {armed_ ? timer_.file().number() : -1, POLLIN, 0},
                                 {program_.errors.number(), POLLIN, 0},
                                 {writing ? program_.to.number() : -1, POLLOUT, 0}}};
    if (::poll(files.data(), files.size(), armed_ ? -1 : kSoonMs) <= 0) {
      continue;
    }
    if (files[2].revents != 0) {
      read_errors();
    }
    if (files[3].revents != 0 && !write_some()) {
      sent_ = sending_.size();  // it reads no more; whether it still speaks shows on the other pipe
    }
    if (files[0].revents != 0) {
      if (!read_some()) {
        return Look::kEnd;
      }
    } else if (files[1].revents != 0) {
      return Look::kLate;
    }
  }
}

std::variant<std::string_view, NoAnswer> ProcessChannel::ask(std::string_view line,
                                                             std::string_view what) {
  if (!lost_.empty()) {
    return NoAnswer{lost_};
  }
  // A line too many would answer this question with what was said to the last.
  if (!read_.empty()) {
    return lose(fmt::format("said more than was asked for before {}: {}", what, quote(read_)));
  }
  // From before the question is sent, so that the program wakes on this CPU.
  const SameCpu::Turn turn(*same_cpu_);
  sending_.assign(line);
  sending_ += '\n';
  sent_ = 0;
  searched_ = 0;
  armed_ = false;
  if (!write_some()) {
    sent_ = sending_.size();
  }
  switch (look()) {
    case Look::kEnd:
      return ended(what);
    case Look::kLate:
      return late(what);
    case Look::kLine:
      break;
  }
  const std::size_t newline = read_.find('\n');
  if (newline > kLongestLine) {
    return lose(fmt::format("answered {} with a line of more than {} bytes", what, kLongestLine));
  }
  answer_.swap(read_);
  read_.assign(answer_, newline + 1);
  answer_.resize(newline);
  searched_ = 0;
  return std::string_view(answer_);
}

/// It did not answer in time. The output that follows when its input is closed tells why.
NoAnswer ProcessChannel::late(std::string_view what) {
  const std::string partial = read_;
  const bool reads = sent_ == sending_.size();
  program_.to.close();
  // Many programs flush when their input ends: an answer that comes now was written and kept back.
  arm(kGraceMs);
  const bool flushed = look() == Look::kLine && partial.empty();
  const std::string in_time =
      fmt::format("did not answer {} within {} ms", what, options_.deadline_ms);
  if (!reads) {
    return lose(in_time + ": it does not read its standard input");
  }
  if (!partial.empty()) {
    return lose(nlohmann::json::accept(partial)
                    ? fmt::format("{}: there is no newline behind {}", in_time, quote(partial))
                    : fmt::format("{}: it wrote but half a line: {}", in_time, quote(partial)));
  }
  if (flushed) {
    return lose(in_time +
                ": the answer came when its input was closed, so it does not flush what it writes "
                "(Python: print(..., flush=True))");
  }
  return lose(in_time + ": it is silent");
}

NoAnswer ProcessChannel::ended(std::string_view what) {
  const std::string half =
      read_.empty() ? "" : fmt::format(", in the middle of a line: {}", quote(read_));
  program_.to.close();
  const auto end = wait_for_end(kGraceMs);
  read_errors();
  if (end && end->how == processes::ProcessEnd::How::kNotStarted) {
    return lose(processes::words_of(*end));
  }
  const bool killed = end && end->how == processes::ProcessEnd::How::kKilled;
  return lose(end ? fmt::format("{}{} before it answered {}{}", killed ? "was " : "",
                                processes::words_of(*end), what, half)
                  : fmt::format("closed its standard output before it answered {}{}", what, half));
}

NoAnswer ProcessChannel::lose(std::string why) {
  lost_ = std::move(why);
  // Ended before the words are made: its last lines may come with its end.
  end();
  lost_ =
      fmt::format("policy process {}: {}{}", quote(options_.words.front()), lost_, errors_.words());
  return {lost_};
}

std::string ProcessChannel::blame(std::string_view why) {
  return lost_.empty() ? lose(std::string(why)).why : lost_;
}

std::optional<processes::ProcessEnd> ProcessChannel::wait_for_end(std::int64_t ms) {
  arm(ms);
  for (;;) {
    std::array<pollfd, 3> files{{{program_.end.number(), POLLIN, 0},
                                 {timer_.file().number(), POLLIN, 0},
                                 {program_.errors.number(), POLLIN, 0}}};
    if (::poll(files.data(), files.size(), -1) < 0) {
      continue;
    }
    if (files[2].revents != 0) {
      read_errors();
    }
    if (files[0].revents != 0) {
      processes::ProcessEnd end;
      return ::read(program_.end.number(), &end, sizeof(end)) == sizeof(end) ? std::optional(end)
                                                                             : std::nullopt;
    }
    if (files[1].revents != 0) {
      return std::nullopt;
    }
  }
}

/// Nobody is left behind. One that was not lost is asked, by the end of its input.
void ProcessChannel::end() {
  if (program_.guardian <= 0) {
    return;
  }
  program_.to.close();
  if (lost_.empty()) {
    program_.from.close();
    wait_for_end(kGraceMs);
  }
  bury_guardian(SIGTERM);
  read_errors();
}

void ProcessChannel::bury_guardian(int signal) {
  // It is waited for as long as it works, and not for one that the program has stopped.
  constexpr int kPatienceMs = 100;
  constexpr int kTries = 100;
  ::kill(program_.guardian, signal);
  for (int i = 0; !processes::wait_at_most(program_.guardian, kPatienceMs); ++i) {
    ::kill(program_.guardian, i < kTries ? SIGCONT : SIGKILL);
  }
  program_.guardian = -1;
}

void ProcessChannel::kill() {
  if (program_.guardian > 0) {
    bury_guardian(SIGQUIT);
  }
  lost_ = "was killed";
}

}  // namespace

std::unique_ptr<Channel> open_process(const ProcessOptions& options) {
  return std::make_unique<ProcessChannel>(options);
}

}  // namespace aftershock::sim::control
