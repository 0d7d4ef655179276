#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "reports/baseline/baseline.h"

namespace aftershock::reports {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
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
  std::unique_ptr<std::FILE, CloseFile> file(std::fopen(part.c_str(), "w"));
  if (!file) {
    return problem();
  }
  if (std::fwrite(text.data(), 1, text.size(), file.get()) != text.size() ||
      std::fflush(file.get()) != 0 || (beside && ::fsync(::fileno(file.get())) != 0) ||
      std::fclose(file.release()) != 0 ||
      (beside && std::rename(part.c_str(), path.c_str()) != 0)) {
    return problem();
  }
  return std::nullopt;
}

}  // namespace aftershock::reports
