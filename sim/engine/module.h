#pragma once

#include <filesystem>
#include <stdexcept>
#include <string_view>

namespace aftershock::sim::engine {

/// A part of the program that a run needs is not there, in words for the user.
struct MissingModule : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Where a part of the program lies that is loaded only when it is needed: ../lib/aftershock/NAME,
/// from the program's own folder, in a build as where it is installed. It may not be there. Throws
/// std::filesystem::filesystem_error where the system does not say where the program is.
std::filesystem::path module_path(std::string_view name);

}  // namespace aftershock::sim::engine
