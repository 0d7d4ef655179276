#include "sim/sweep/process_pool.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/types.h>

#include "base/assert.h"
#include "sim/processes/file.h"
#include "sim/processes/held_stops.h"
#include "sim/processes/process.h"
#include "sim/processes/process_end.h"

namespace aftershock::sim::sweep {
namespace {

/// Exit codes of workers, for words.
constexpr int kIsolatedRunDied = 71;
constexpr int kThrew = 72;

bool send_all(const processes::File& file, const char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t sent = ::send(file.number(), bytes, size, MSG_NOSIGNAL);
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
bool receive_all(const processes::File& file, char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t got = ::recv(file.number(), bytes, size, 0);
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

bool send_frame(const processes::File& file, Says says, const std::string& bytes) {
  const auto size = static_cast<std::uint32_t>(bytes.size());
  std::string frame(sizeof(size), '\0');
  std::memcpy(frame.data(), &size, sizeof(size));
  frame += static_cast<char>(says);
  frame += bytes;
  return send_all(file, frame.data(), frame.size());
}

/// A worker's life. Rows go up as they come.
int work(const Plan& plan, const WorkerPoolOptions& options, const processes::File& file) {
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

std::string words_of_worker(const processes::ProcessEnd& end) {
  if (end.how != processes::ProcessEnd::How::kExited) {
    return processes::words_of(end);
  }
  return end.code == kIsolatedRunDied ? "the process of a run with shared transfers died"
                                      : fmt::format("exited with code {}", end.code);
}

class ProcessCrew final : public WorkerPool {
 public:
  ProcessCrew(const Plan& plan, const WorkerPoolOptions& options) : plan_(plan), options_(options) {
    members_.resize(options.workers);
    for (Member& member : members_) {
      hire(member);
    }
  }
  ProcessCrew(const ProcessCrew&) = delete;
  ProcessCrew& operator=(const ProcessCrew&) = delete;

  ~ProcessCrew() override {
    for (const Member& member : members_) {
      if (member.process > 0) {
        processes::kill_process(member.process);
      }
    }
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
    processes::File file;
    std::string bytes;  ///< of frames, received and not yet looked at
    std::size_t looked = 0;
    std::string error;  ///< its last words
  };

  void hire(Member& member);
  int be_worker(const processes::File& file);
  std::optional<WorkerNews> next_frame(std::uint32_t worker);
  std::optional<WorkerNews> receive(std::uint32_t worker);

  const Plan& plan_;
  WorkerPoolOptions options_;
  processes::HeldStops stops_;
  std::vector<Member> members_;
  std::string cannot_hire_;
};

void ProcessCrew::hire(Member& member) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    cannot_hire_ = fmt::format("no worker can be started: {}", std::strerror(errno));
    return;
  }
  processes::File ours(ends[0]);
  const processes::File theirs(ends[1]);
  const pid_t child = processes::start_process({.death_signal = SIGKILL}, [&] {
    ours.close();
    return be_worker(theirs);
  });
  if (child < 0) {
    cannot_hire_ = fmt::format("no worker can be started: {}", std::strerror(errno));
    return;
  }
  member = {.process = child, .file = std::move(ours), .bytes = {}, .looked = 0, .error = {}};
}

/// In the worker: its life, and the code that it exits with.
int ProcessCrew::be_worker(const processes::File& file) {
  // Not to keep open what tells others that this pool is gone.
  stops_.disown();
  for (Member& other : members_) {
    other.file.close();
  }
  try {
    return work(plan_, options_, file);
  } catch (const std::exception& error) {
    send_frame(file, Says::kError, error.what());
    return kThrew;
  }
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
  const ssize_t got = ::recv(member.file.number(), buffer.data(), buffer.size(), 0);
  if (got < 0 && errno == EINTR) {
    return std::nullopt;
  }
  if (got > 0) {
    member.bytes.append(buffer.data(), static_cast<std::size_t>(got));
    return next_frame(worker);
  }
  const std::string error = std::move(member.error);
  std::string how = words_of_worker(processes::wait_for(member.process));
  member.process = -1;
  member.file.close();
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
    files.push_back({member.file.number(), POLLIN, 0});
  }
  files.push_back({stops_.file().number(), POLLIN, 0});
  if (poll(files.data(), files.size(), timeout_ms) <= 0) {
    return Quiet{};
  }
  if (files.back().revents != 0 && stops_.take() != 0) {
    return Interrupted{};
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

}  // namespace aftershock::sim::sweep
