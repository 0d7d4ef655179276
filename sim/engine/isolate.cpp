#include "sim/engine/isolate.h"

#include <array>
#include <cerrno>
#include <cstddef>

#include <sys/wait.h>
#include <unistd.h>

#include "sim/engine/sharing.h"

namespace aftershock::sim {

namespace {

bool write_all(int file, const std::string& bytes) {
  std::size_t written = 0;
  while (written < bytes.size()) {
    const ssize_t count = write(file, bytes.data() + written, bytes.size() - written);
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count <= 0) {
      return false;
    }
    written += static_cast<std::size_t>(count);
  }
  return true;
}

}  // namespace

std::optional<std::string> run_isolated(const std::function<std::string()>& work) {
  load_sharing();
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) {
    return std::nullopt;
  }
  const pid_t child = fork();
  if (child < 0) {
    close(ends[0]);
    close(ends[1]);
    return std::nullopt;
  }
  if (child == 0) {
    close(ends[0]);
    const bool sent = write_all(ends[1], work());
    // No destructors: they are the parent's.
    _exit(sent ? 0 : 1);
  }
  close(ends[1]);
  std::string bytes;
  std::array<char, 65536> buffer;  // not cleared: most of it is never used
  for (;;) {
    const ssize_t count = read(ends[0], buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count <= 0) {
      break;
    }
    bytes.append(buffer.data(), static_cast<std::size_t>(count));
  }
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    return std::nullopt;
  }
  return bytes;
}

}  // namespace aftershock::sim
