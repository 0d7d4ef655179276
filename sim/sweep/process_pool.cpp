#include "sim/sweep/process_pool.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "policies/api/assert.h"

namespace aftershock::sim {
namespace {

/// Exit codes of workers, for words.
constexpr int kIsolatedRunDied = 71;
constexpr int kThrew = 72;

bool send_all(int file, const char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t sent = ::send(file, bytes, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) {
      continue;
    }
    if (sent <= 0) {
      return false;
    }
    bytes += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return true;
}

/// False at the end of what can be read.
bool receive_all(int file, char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t got = ::recv(file, bytes, size, 0);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got <= 0) {
      return false;
    }
    bytes += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

/// The kind of a worker's frame; the rest of it is a row or a text.
enum class Says : std::uint8_t { kRow, kNotRecorded, kDone, kError };

bool send_frame(int file, Says says, const std::string& bytes) {
  const auto size = static_cast<std::uint32_t>(bytes.size());
  std::string frame(sizeof(size), '\0');
  std::memcpy(frame.data(), &size, sizeof(size));
  frame += static_cast<char>(says);
  frame += bytes;
  return send_all(file, frame.data(), frame.size());
}

/// A worker's life. Rows go up as they come.
int work(const Plan& plan, const WorkerPoolOptions& options, int file) {
  Worker worker(plan, options.folder);
  Task task;
  while (receive_all(file, reinterpret_cast<char*>(&task), sizeof(task))) {
    for (std::uint32_t i = 0; i < task.count; ++i) {
      const auto row = worker.run(task.cell, task.first + i, task.record);
      if (!row) {
        return kIsolatedRunDied;
      }
      const std::string problem = worker.take_problem();
      if ((!problem.empty() && !send_frame(file, Says::kNotRecorded, problem)) ||
          !send_frame(file, Says::kRow, reports::to_bytes(*row))) {
        return 0;
      }
    }
    if (!send_frame(file, Says::kDone, {})) {
      return 0;
    }
  }
  return 0;
}

std::string words_of(int status) {
  if (WIFSIGNALED(status)) {
    return fmt::format("killed by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  }
  switch (WEXITSTATUS(status)) {
    case kIsolatedRunDied:
      return "the process of a run with shared transfers died";
    default:
      return fmt::format("exited with code {}", WEXITSTATUS(status));
  }
}

class ProcessCrew final : public WorkerPool {
 public:
  ProcessCrew(const Plan& plan, const WorkerPoolOptions& options) : plan_(plan), options_(options) {
    sigemptyset(&stops_);
    sigaddset(&stops_, SIGINT);
    sigaddset(&stops_, SIGTERM);
    sigprocmask(SIG_BLOCK, &stops_, &signals_before_);
    signals_ = signalfd(-1, &stops_, SFD_CLOEXEC);
    members_.resize(options.workers);
    for (Member& member : members_) {
      hire(member);
    }
  }
  ProcessCrew(const ProcessCrew&) = delete;
  ProcessCrew& operator=(const ProcessCrew&) = delete;

  ~ProcessCrew() override {
    for (Member& member : members_) {
      if (member.process > 0) {
        kill(member.process, SIGKILL);
        account_zombie(member);
      }
    }
    if (signals_ >= 0) {
      close(signals_);
    }
    sigprocmask(SIG_SETMASK, &signals_before_, nullptr);
  }

  [[nodiscard]] std::uint32_t size() const override {
    return static_cast<std::uint32_t>(members_.size());
  }

  void give(std::uint32_t worker, const Task& task) override {
    // One that died meanwhile shows in `wait`.
    send_all(members_[worker].file, reinterpret_cast<const char*>(&task), sizeof(task));
  }

  WorkerNews wait(int timeout_ms) override;

 private:
  struct Member {
    pid_t process = -1;
    int file = -1;
    std::string bytes;  ///< of frames, received and not yet looked at
    std::size_t looked = 0;
    std::string error;  ///< its last words
  };

  void hire(Member& member);
  int account_zombie(Member& member);
  std::optional<WorkerNews> next_frame(std::uint32_t worker);
  std::optional<WorkerNews> receive(std::uint32_t worker);

  const Plan& plan_;
  WorkerPoolOptions options_;
  sigset_t stops_{};
  sigset_t signals_before_{};
  int signals_ = -1;
  std::vector<Member> members_;
  std::string cannot_hire_;
};

void ProcessCrew::hire(Member& member) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    cannot_hire_ = fmt::format("no worker can be started: {}", std::strerror(errno));
    return;
  }
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) {
    cannot_hire_ = fmt::format("no worker can be started: {}", std::strerror(errno));
    close(ends[0]);
    close(ends[1]);
    return;
  }
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
      _exit(0);
    }
    // Not to keep open what tells others that this pool is gone.
    close(ends[0]);
    close(signals_);
    for (const Member& other : members_) {
      if (other.file >= 0) {
        close(other.file);
      }
    }
    int code = kThrew;
    try {
      code = work(plan_, options_, ends[1]);
    } catch (const std::exception& error) {
      send_frame(ends[1], Says::kError, error.what());
    }
    // No destructors: they are the parent's.
    _exit(code);
  }
  close(ends[1]);
  member.process = child;
  member.file = ends[0];
  member.bytes.clear();
  member.looked = 0;
  member.error.clear();
}

int ProcessCrew::account_zombie(Member& member) {
  int status = 0;
  while (waitpid(member.process, &status, 0) < 0 && errno == EINTR) {
  }
  close(member.file);
  member.process = -1;
  member.file = -1;
  return status;
}

std::optional<WorkerNews> ProcessCrew::next_frame(std::uint32_t worker) {
  Member& member = members_[worker];
  std::uint32_t size = 0;
  constexpr std::size_t kHead = sizeof(size) + 1;
  if (member.bytes.size() - member.looked < kHead) {
    return std::nullopt;
  }
  std::memcpy(&size, member.bytes.data() + member.looked, sizeof(size));
  if (member.bytes.size() - member.looked - kHead < size) {
    return std::nullopt;
  }
  const auto says = static_cast<Says>(member.bytes[member.looked + sizeof(size)]);
  const std::string text = member.bytes.substr(member.looked + kHead, size);
  member.looked += kHead + size;
  if (member.looked == member.bytes.size()) {
    member.bytes.clear();
    member.looked = 0;
  }
  switch (says) {
    case Says::kRow: {
      auto row = reports::row_from_bytes(text);
      AFTERSHOCK_ASSERT(row);
      return RowCame{worker, *std::move(row)};
    }
    case Says::kNotRecorded:
      return NotRecorded{text};
    case Says::kDone:
      return TaskDone{worker};
    case Says::kError:
      member.error = text;
      break;
  }
  return std::nullopt;
}

std::optional<WorkerNews> ProcessCrew::receive(std::uint32_t worker) {
  Member& member = members_[worker];
  // Not cleared: that would cost more than most of what comes.
  std::array<char, 65536> buffer;
  const ssize_t got = ::recv(member.file, buffer.data(), buffer.size(), 0);
  if (got < 0 && errno == EINTR) {
    return std::nullopt;
  }
  if (got > 0) {
    member.bytes.append(buffer.data(), static_cast<std::size_t>(got));
    return next_frame(worker);
  }
  const std::string error = std::move(member.error);
  std::string how = words_of(account_zombie(member));
  if (!error.empty()) {
    how = fmt::format("internal error: {}", error);
  }
  hire(member);
  return WorkerLost{worker, std::move(how)};
}

WorkerNews ProcessCrew::wait(int timeout_ms) {
  for (std::uint32_t worker = 0; worker < members_.size(); ++worker) {
    if (auto news = next_frame(worker)) {
      return *std::move(news);
    }
  }
  if (!cannot_hire_.empty()) {
    return PoolLost{cannot_hire_};
  }
  std::vector<pollfd> files;
  for (const Member& member : members_) {
    files.push_back({member.file, POLLIN, 0});
  }
  files.push_back({signals_, POLLIN, 0});
  if (poll(files.data(), files.size(), timeout_ms) <= 0) {
    return Quiet{};
  }
  if (files.back().revents != 0) {
    signalfd_siginfo taken{};
    if (read(signals_, &taken, sizeof(taken)) == sizeof(taken)) {
      return Interrupted{};
    }
  }
  for (std::uint32_t worker = 0; worker < members_.size(); ++worker) {
    if (files[worker].revents != 0) {
      if (auto news = receive(worker)) {
        return *std::move(news);
      }
    }
  }
  return Quiet{};
}

}  // namespace

std::unique_ptr<WorkerPool> make_process_pool(const Plan& plan, const WorkerPoolOptions& options) {
  return std::make_unique<ProcessCrew>(plan, options);
}

}  // namespace aftershock::sim
