#include "sim/cli/out_of_memory.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>
#if __has_include(<mimalloc.h>)
#include <mimalloc.h>
#pragma weak mi_option_enable
#pragma weak mi_register_output
#endif

#include "sim/cli/command.h"

// Nothing here may allocate: there is no memory.
namespace aftershock::sim::cli {

namespace {

constexpr std::uint64_t kBytesInMib = 1U << 20U;

using Buffer = std::array<char, 512>;

/// The beginning of a file of the kernel's.
std::string_view kernel_text(const char* path, Buffer& buffer) {
  const int file = ::open(path, O_RDONLY | O_CLOEXEC);
  const ssize_t size = file < 0 ? -1 : ::read(file, buffer.data(), buffer.size());
  return {buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0))};
}

/// The word behind the program's name, with which it was started.
std::string_view command_of_this(Buffer& buffer) {
  std::string_view words = kernel_text("/proc/self/cmdline", buffer);
  words.remove_prefix(std::min(words.find('\0'), words.size()));
  words.remove_prefix(words.empty() ? 0 : 1);
  return words.substr(0, words.find('\0'));
}

/// The address space that the process has, as the kernel counts it.
std::optional<std::uint64_t> bytes_in_use() {
  Buffer buffer{};
  const std::string_view text = kernel_text("/proc/self/statm", buffer);
  std::uint64_t pages = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), pages).ec != std::errc{}) {
    return std::nullopt;
  }
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

/// `wanted`: bytes that were asked for; 0: nobody knows.
[[noreturn]] void end_out_of_memory(std::uint64_t wanted) {
  Buffer line{};
  Buffer words{};
  char* end = line.data();
  const auto add = [&](auto text, auto... values) {
    const auto room = static_cast<std::size_t>(line.data() + line.size() - end);
    end = std::min(fmt::format_to_n(end, room, text, values...).out, line.data() + line.size());
  };
  constexpr std::size_t kLongestCommand = 40;
  add(FMT_STRING("aftershock {}: out of memory"),
      command_of_this(words).substr(0, kLongestCommand));
  if (wanted != 0) {
    add(FMT_STRING(": {} bytes more were asked for"), wanted);
  }
  if (const auto bytes = bytes_in_use()) {
    add(FMT_STRING("{} {} MiB are in use"), wanted != 0 ? "," : ":", *bytes / kBytesInMib);
  }
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    add(FMT_STRING(", and `ulimit -v` allows {} MiB"), limit.rlim_cur / kBytesInMib);
  }
  add(FMT_STRING("\n"));
  // There is nobody to tell that standard error took too little.
  [[maybe_unused]] const ssize_t written =
      ::write(STDERR_FILENO, line.data(), static_cast<std::size_t>(end - line.data()));
  ::_exit(kOutOfMemory);
}

#if __has_include(<mimalloc.h>)
/// mimalloc calls no new-handler where it is a library of its own: it says so, and aborts.
void hear_mimalloc(const char* said, void* /*nothing*/) {
  constexpr std::string_view kFails = "unable to allocate memory (";
  std::string_view text = said;
  if (text.starts_with(kFails)) {
    text.remove_prefix(kFails.size());
    std::uint64_t wanted = 0;
    std::from_chars(text.data(), text.data() + text.size(), wanted);
    end_out_of_memory(wanted);
  }
}
#endif

}  // namespace

void end_when_out_of_memory() {
  std::set_new_handler([] { end_out_of_memory(0); });
#if __has_include(<mimalloc.h>)
  // The program may be linked without it.
  if (mi_register_output != nullptr && mi_option_enable != nullptr) {
    mi_register_output(hear_mimalloc, nullptr);
    mi_option_enable(mi_option_show_errors);
  }
#endif
}

}  // namespace aftershock::sim::cli
