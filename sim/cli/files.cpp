#include "sim/cli/files.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "sim/cli/command.h"

namespace aftershock::sim::cli {

namespace fs = std::filesystem;

namespace {

/// The same for every way to a file, also to one that is not there yet.
fs::path place_of(std::string_view path) {
  std::error_code ignored;
  return fs::weakly_canonical(fs::absolute(path, ignored), ignored);
}

}  // namespace

bool files_apart(const std::vector<NamedFile>& read, const std::vector<NamedFile>& written) {
  std::map<fs::path, std::string_view> known;
  for (const NamedFile& file : read) {
    known.emplace(place_of(file.path), file.what);
  }
  for (const NamedFile& file : written) {
    if (file.path.empty()) {
      continue;
    }
    const auto [other, fresh] = known.emplace(place_of(file.path), file.what);
    if (!fresh) {
      complain(fmt::format("{} {}: is {} as well; expected a file of its own", file.what,
                           scenario::in_quotes(file.path), other->second));
      return false;
    }
  }
  return true;
}

bool standard_input_once(const std::vector<std::string>& paths) {
  if (std::ranges::count(paths, "-") < 2) {
    return true;
  }
  complain("-: standard input is given twice, and can be read once; expected another file");
  return false;
}

bool files_alone(const std::vector<std::string>& paths, std::string_view why) {
  if (std::ranges::find(paths, "-") == paths.end()) {
    return true;
  }
  complain(fmt::format("-: standard input cannot be read here: {}", why));
  return false;
}

bool is_new_file(std::string_view option, const std::string& path) {
  std::error_code ignored;
  const fs::file_status there = fs::symlink_status(path, ignored);
  if (path.empty() || !fs::exists(there) || fs::is_character_file(there) || fs::is_fifo(there)) {
    return true;
  }
  complain(fmt::format("{} {}: is there already; choose another name", option, path));
  return false;
}

}  // namespace aftershock::sim::cli
