#include "sim/check/files.h"

#include <algorithm>
#include <variant>

#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "reports/recording/open_file.h"

namespace aftershock::sim::check {

namespace fs = std::filesystem;

namespace {

/// Whether it is JSON of a baseline's form, of whatever schema.
bool is_baseline(const fs::path& file) {
  const auto read = reports::read_text(file.string());
  const auto* text = std::get_if<std::string>(&read);
  if (text == nullptr || text->find("\"runs\"") == text->npos) {
    return false;
  }
  const auto whole = policies::json_or_discarded(*text);
  return whole.is_object() && whole.size() == (whole.contains("metrics") ? 3 : 2) &&
         whole.contains("schema") && whole.contains("runs") && whole["runs"].is_array();
}

}  // namespace

std::vector<fs::path> scenario_files(const fs::path& folder, std::error_code& error) {
  std::vector<fs::path> files;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    const std::string name = it->path().filename().string();
    std::error_code unknown;  // its kind: a file of unknown kind is not listed
    if (it->is_regular_file(unknown) && name.ends_with(".json") &&
        !name.ends_with(".schema.json") && !is_baseline(it->path())) {
      files.push_back(it->path());
    }
  }
  std::ranges::sort(files);
  return files;
}

fs::path whole_path(const fs::path& path) {
  std::error_code unknown;
  const fs::path whole = path.is_absolute() ? path : fs::current_path(unknown) / path;
  const fs::path normal = whole.lexically_normal();
  fs::path folder = fs::weakly_canonical(normal.parent_path(), unknown);
  return unknown ? normal : folder / normal.filename();
}

std::string plain_path(const fs::path& path) {
  std::error_code unknown;
  const fs::path whole = whole_path(path);
  const fs::path relative = whole.lexically_relative(fs::current_path(unknown));
  const bool below = !unknown && !relative.empty() && *relative.begin() != "..";
  return (below ? relative : whole).string();
}

}  // namespace aftershock::sim::check
