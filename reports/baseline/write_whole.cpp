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

  OpenFile(const char* path, int how) : number(::open(path, O_WRONLY | O_CLOEXEC | how, 0666)) {}
  ~OpenFile() { close(); }
  OpenFile(OpenFile&& other) noexcept : number(std::exchange(other.number, -1)) {}
  OpenFile& operator=(OpenFile&&) = delete;

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

/// A file that was not there before: in a folder that others may write to, too, the name may lead
/// to a file that is none of their business, or be one that they go on reading.
OpenFile made_anew(const std::string& path) {
  constexpr int kHow = O_CREAT | O_EXCL | O_NOFOLLOW;
  OpenFile file(path.c_str(), kHow);
  if (file.number >= 0 || errno != EEXIST) {
    return file;
  }
  // Another program of this number was killed; or it is somebody's link, which goes.
  ::unlink(path.c_str());
  return {path.c_str(), kHow};
}

}  // namespace

std::optional<std::string> write_whole(const std::string& path, std::string_view text) {
  // A pipe or a device keeps its place, and keeps nothing that could be half.
  std::error_code unknown;
  const auto status = std::filesystem::status(path, unknown);
  const bool beside = !std::filesystem::exists(status) || std::filesystem::is_regular_file(status);
  const std::string part = beside ? fmt::format("{}.{}.part", path, ::getpid()) : path;
  OpenFile file = beside ? made_anew(part) : OpenFile(part.c_str(), O_CREAT | O_TRUNC);
  const bool made = file.number >= 0;
  const auto problem = [&] {
    const std::string words = std::strerror(errno);
    if (beside && made) {
      std::remove(part.c_str());
    }
    return fmt::format("{}: {}", path, words);
  };
  if (!made || !file.take(text) || (beside && ::fsync(file.number) != 0) || !file.close() ||
      (beside && std::rename(part.c_str(), path.c_str()) != 0)) {
    return problem();
  }
  return std::nullopt;
}

}  // namespace aftershock::reports
