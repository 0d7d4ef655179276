#include "reports/render/storage_tree.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace aftershock::reports {

namespace {

/// How many folders a path lies in.
std::size_t depth_of(std::string_view path) {
  if (path.ends_with('/')) {
    path.remove_suffix(1);
  }
  return static_cast<std::size_t>(std::ranges::count(path, '/'));
}

/// The last part of a path, with the "/" of a folder.
std::string_view name_in(std::string_view path) {
  const std::size_t end = path.ends_with('/') ? path.size() - 1 : path.size();
  const std::size_t slash = path.rfind('/', end == 0 ? 0 : end - 1);
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

/// Whether a later file lies in the same folder, before that folder ends.
bool more_at(const std::vector<StoredFile>& files, std::size_t after, std::size_t depth) {
  for (std::size_t i = after + 1; i < files.size(); ++i) {
    const std::size_t here = depth_of(files[i].path);
    if (here == depth) {
      return true;
    }
    if (here < depth) {
      return false;
    }
  }
  return false;
}

}  // namespace

std::string storage_tree(const std::vector<StoredFolder>& folders, const Style& style) {
  std::string out;
  for (const StoredFolder& folder : folders) {
    out += fmt::format("{}/\n", folder.path);
    for (std::size_t i = 0; i < folder.files.size(); ++i) {
      const StoredFile& file = folder.files[i];
      const std::size_t depth = depth_of(file.path);
      for (std::size_t level = 0; level < depth; ++level) {
        const bool goes_on = more_at(folder.files, i, level);
        out += !goes_on ? "    " : style.unicode ? "│   " : "|   ";
      }
      const bool last = !more_at(folder.files, i, depth);
      out += style.unicode ? (last ? "└── " : "├── ") : (last ? "`-- " : "|-- ");
      out += name_in(file.path);
      out += file.what.empty() ? "\n" : fmt::format("  ({})\n", file.what);
    }
  }
  return out;
}

}  // namespace aftershock::reports
