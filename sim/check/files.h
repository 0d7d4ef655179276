#pragma once

#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace aftershock::sim::check {

/// The scenario files in a folder and below it, sorted: all .json but schemas and baselines, which
/// may be kept in the tree that they are about.
std::vector<std::filesystem::path> scenario_files(const std::filesystem::path& folder,
                                                  std::error_code& error);

/// A path from the root, without "./" and "..", its folder without symbolic links: the same however
/// it was written.
std::filesystem::path whole_path(const std::filesystem::path& path);

/// That as people read it: from the working folder where it is below that.
std::string plain_path(const std::filesystem::path& path);

}  // namespace aftershock::sim::check
