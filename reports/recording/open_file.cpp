#include "reports/recording/open_file.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reports/recording/byte_source.h"

namespace aftershock::reports {
namespace {

constexpr std::size_t kLargestText = std::size_t{64} << 20U;
constexpr int kWriterWaitMs = 5000;

/// A pipe of a shell, `<(command)`, has its writer already; one with a name may never get one.
bool has_a_name(int file) {
  std::error_code unknown;
  const auto target = std::filesystem::read_symlink(fmt::format("/proc/self/fd/{}", file), unknown);
  return !unknown && !target.string().starts_with("pipe:");
}

/// The problem of an open file.
std::optional<FileProblem> problem_of(int file) {
  struct stat status{};
  if (::fstat(file, &status) != 0) {
    return FileProblem{errno, "cannot be opened: " + std::generic_category().message(errno)};
  }
  if (S_ISDIR(status.st_mode)) {
    return FileProblem{EISDIR, "is a directory, not a file"};
  }
  const bool device = S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode);
  if (device && ::isatty(file) != 1) {
    return FileProblem{0, "is a device, not a file"};
  }
  if (S_ISFIFO(status.st_mode) && has_a_name(file)) {
    pollfd waiting{.fd = file, .events = POLLIN, .revents = 0};
    if (::poll(&waiting, 1, kWriterWaitMs) == 0) {
      return FileProblem{0, "is a pipe that nobody writes to, not a file"};
    }
  }
  return std::nullopt;
}

/// Up to `most` bytes; `whole`: more than that is a problem.
std::variant<std::string, FileProblem> read_bytes(const std::string& path, std::size_t most,
                                                  bool whole) {
  auto opened = open_to_read(path);
  if (auto* problem = std::get_if<FileProblem>(&opened)) {
    return std::move(*problem);
  }
  FileBytes bytes(std::get<int>(opened));
  std::string text;
  // Read to the end instead of asking for the size: a pipe has none.
  for (;;) {
    constexpr std::size_t kChunk = std::size_t{64} << 10U;
    const std::size_t had = text.size();
    const std::size_t want = whole ? kChunk : std::min(kChunk, most - had);
    text.resize(had + want);
    const std::ptrdiff_t got = bytes.read(std::span(text).subspan(had));
    if (got < 0) {
      const int number = static_cast<int>(-got);
      return FileProblem{number, "cannot be read: " + std::generic_category().message(number)};
    }
    text.resize(had + static_cast<std::size_t>(got));
    if (got == 0 || (!whole && text.size() == most)) {
      return text;
    }
    if (text.size() > most) {
      return FileProblem{EFBIG, fmt::format("is larger than {} MiB", most >> 20U)};
    }
  }
}

}  // namespace

std::variant<int, FileProblem> open_to_read(const std::string& path) {
  int file = -1;
  do {
    // To open a pipe without a writer waits for one, unless it is told not to.
    file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  } while (file < 0 && errno == EINTR);
  if (file < 0) {
    const int number = errno;
    return FileProblem{number, "cannot be opened: " + std::generic_category().message(number)};
  }
  if (auto problem = problem_of(file)) {
    ::close(file);
    return *std::move(problem);
  }
  ::fcntl(file, F_SETFL, ::fcntl(file, F_GETFL) & ~O_NONBLOCK);
  return file;
}

std::variant<std::string, FileProblem> read_text(const std::string& path) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  auto read = read_bytes(path, kLargestText, true);
  auto* text = std::get_if<std::string>(&read);
  if (text == nullptr) {
    return read;
  }
  if (text->starts_with("\xFF\xFE") || text->starts_with("\xFE\xFF")) {
    return FileProblem{0, "begins with a byte order mark of UTF-16; expected UTF-8"};
  }
  if (text->starts_with(kMark)) {
    text->erase(0, kMark.size());
  }
  return read;
}

std::variant<std::string, FileProblem> read_beginning(const std::string& path, std::size_t bytes) {
  return read_bytes(path, bytes, false);
}

}  // namespace aftershock::reports
