#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace aftershock::sim::processes {

/// A file that the system has opened for this process; closed when this is gone.
class File {
 public:
  File() = default;
  explicit File(int number) : number_(number) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  File(File&& other) noexcept;
  File& operator=(File&& other) noexcept;
  ~File() { close(); }

  /// The system's number for it, -1 where it is closed.
  [[nodiscard]] int number() const { return number_; }
  /// Whether it can be read or written.
  [[nodiscard]] bool is_open() const { return number_ >= 0; }
  /// Closes it; one that is closed stays so.
  void close();

 private:
  int number_ = -1;
};

/// Both ends of a pipe. Programs that are started do not inherit them.
struct Pipe {
  File read;
  File write;
};

/// A new pipe; none where the system has none left, for the reason in errno.
std::optional<Pipe> make_pipe();

/// Writes all the bytes, waiting for the reader; false where it is gone.
bool write_all(const File& file, std::string_view bytes);

/// All that comes until the writers are gone.
std::string read_all(const File& file);

}  // namespace aftershock::sim::processes
