#include "sim/sweep/temporary_folder.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

namespace aftershock::sim::sweep {

TemporaryFolder::TemporaryFolder() {
  std::error_code error;
  const auto above = std::filesystem::temp_directory_path(error);
  path_ = (above / "aftershock-XXXXXX").string();
  if (!error && ::mkdtemp(path_.data()) == nullptr) {
    error = std::error_code(errno, std::generic_category());
  }
  if (error) {
    problem_ = fmt::format("no folder for temporary files{}: {}; TMPDIR says where they go",
                           above.empty() ? "" : " in " + above.string(), error.message());
  }
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (problem_.empty()) {
    std::filesystem::remove_all(path_, ignored);
  }
}

}  // namespace aftershock::sim::sweep
