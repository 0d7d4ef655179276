#pragma once

#include <cstddef>
#include <string>
#include <variant>

namespace aftershock::reports {

/// Why a file cannot be read.
struct FileProblem {
  int number = 0;       ///< the system's error, EISDIR for a directory; 0: of another kind
  std::string message;  ///< in words: "is a directory, not a file"
};

/// An open file descriptor of what somebody named as a file to read, for the caller to close. That
/// may be a file, a pipe or a terminal. A file that never comes to an end (a folder, a device such
/// as /dev/zero, a named pipe that nobody writes to for some seconds) is a problem, not a wait.
std::variant<int, FileProblem> open_to_read(const std::string& path);

/// The whole text of such a file, of at most 64 MiB, without the byte order mark that some editors
/// put before UTF-8. One of UTF-16 is a problem.
std::variant<std::string, FileProblem> read_text(const std::string& path);

/// At most so many of its first bytes.
std::variant<std::string, FileProblem> read_beginning(const std::string& path, std::size_t bytes);

}  // namespace aftershock::reports
