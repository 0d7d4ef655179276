#include "sim/cli/recording_file.h"

#include <filesystem>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "sim/cli/command.h"

namespace aftershock::sim::cli {

namespace {

// A file that is written over may be one that somebody wants to keep, such as the scenario itself:
// only a file that is called a recording is taken for one. Pipes and devices keep nothing.
bool named_like_a_recording(const std::string& path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  return named_as_recording(path) ||
         (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status));
}

}  // namespace

bool named_as_recording(std::string_view path) {
  return path.ends_with(".aftershock") || path.ends_with(".aftershock.zst");
}

bool may_record(const std::string& record) {
  if (!named_like_a_recording(record)) {
    complain(
        fmt::format("--record {}: does not have the name of a recording; expected a name that ends "
                    "in .aftershock or .aftershock.zst",
                    record));
    return false;
  }
  // A file behind a link may be called anything.
  std::error_code ignored;
  const auto kind = std::filesystem::status(record, ignored).type();
  if (std::filesystem::is_symlink(std::filesystem::symlink_status(record, ignored)) &&
      (kind == std::filesystem::file_type::regular ||
       kind == std::filesystem::file_type::not_found)) {
    complain(fmt::format("--record {}: is a link; expected the recording itself", record));
    return false;
  }
  return true;
}

bool open_recording(const std::string& record, std::optional<reports::FileSink>& sink) {
  if (!may_record(record)) {
    return false;
  }
  sink.emplace(record, reports::FileSink::Earlier::kKept);
  if (sink->error()) {
    complain(*sink->error());
    return false;
  }
  return true;
}

}  // namespace aftershock::sim::cli
