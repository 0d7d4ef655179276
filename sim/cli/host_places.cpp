#include "sim/cli/host_places.h"

#include <cstdlib>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include "policies/api/config.h"
#include "sim/scenario/text/error.h"

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

std::string no_host(std::string_view name) {
  if (const hosts::Family* family = hosts::find_family(name)) {
    return fmt::format("{} has no host: {}", name, family->without);
  }
  std::vector<std::string_view> hosted;
  for (const hosts::Family& family : hosts::families()) {
    if (!family.package.empty()) {
      hosted.push_back(family.name);
    }
  }
  const std::string_view nearest = policies::nearest_name(name, hosted);
  return fmt::format(
      "{} has no host; `aftershock hosts list` says which have one{}", scenario::in_quotes(name),
      nearest.empty() ? "" : fmt::format("; did you mean {}?", scenario::in_quotes(nearest)));
}

}  // namespace aftershock::sim::cli
