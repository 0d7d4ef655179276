#pragma once

#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace aftershock::sim {

/// The scenario files in a folder and below it, sorted: all .json but schemas.
std::vector<std::filesystem::path> scenario_files(const std::filesystem::path& folder,
                                                  std::error_code& error);

/// A path as baselines have it: without "./" and "..", and from the working folder where it is
/// below that, so that it is the same however it was written.
std::string plain_path(const std::filesystem::path& path);

}  // namespace aftershock::sim
