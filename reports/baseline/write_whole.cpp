#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "reports/baseline/baseline.h"

namespace aftershock::reports {
namespace {

/// An open file, closed with this.
struct OpenFile {
  int number = -1;

  explicit OpenFile(const char* path)
      : number(::open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {}
  ~OpenFile() { close(); }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  bool close() {
    const int file = std::exchange(number, -1);
    return file < 0 || ::close(file) == 0;
  }
  [[nodiscard]] bool take(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t count = ::write(number, text.data(), text.size());
      if (count < 0 && errno != EINTR) {
        return false;
      }
      text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    }
    return true;
  }
};

}  // namespace

std::optional<std::string> write_whole(const std::string& path, std::string_view text) {
  // A pipe or a device keeps its place, and keeps nothing that could be half.
  std::error_code unknown;
  const auto status = std::filesystem::status(path, unknown);
  const bool beside = !std::filesystem::exists(status) || std::filesystem::is_regular_file(status);
  const std::string part = beside ? fmt::format("{}.{}.part", path, ::getpid()) : path;
  const auto problem = [&] {
    const std::string words = std::strerror(errno);
    if (beside) {
      std::remove(part.c_str());
    }
    return fmt::format("{}: {}", path, words);
  };
  OpenFile file(part.c_str());
  if (file.number < 0 || !file.take(text) || (beside && ::fsync(file.number) != 0) ||
      !file.close() || (beside && std::rename(part.c_str(), path.c_str()) != 0)) {
    return problem();
  }
  return std::nullopt;
}

}  // namespace aftershock::reports
