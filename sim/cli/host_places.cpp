#include "sim/cli/host_places.h"

#include <cstdlib>
#include <filesystem>

namespace aftershock::sim::cli {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

fs::path cache_folder() {
  if (const fs::path cache = variable("XDG_CACHE_HOME"); cache.is_absolute()) {
    return cache;
  }
  const fs::path home = variable("HOME");
  return home.is_absolute() ? home / ".cache" : fs::path();
}

}  // namespace

hosts::Places host_places(const std::string& python) {
  const fs::path cache = cache_folder();
  hosts::Places places{.programs = hosts::programs_folder(),
                       .environments = cache.empty() ? fs::path() : cache / "aftershock" / "hosts",
                       .python = python};
  if (const std::string active = variable("VIRTUAL_ENV"); python.empty() && !active.empty()) {
    places.python = (fs::path(active) / "bin" / "python").string();
  }
  return places;
}

}  // namespace aftershock::sim::cli
