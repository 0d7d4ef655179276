#include "sim/drivers/run_name.h"

#include <fmt/format.h>

#include "sim/scenario/scenario.h"

namespace aftershock::sim::drivers {

std::string run_path(const scenario::RunSpec& run, std::uint32_t holder, std::uint32_t driver) {
  if (run.name.empty()) {
    return {};
  }
  // By numbers and not by chance: a run that is made again has the same names.
  constexpr std::string_view kFreshName = "{uuid}";
  std::string name = run.name;
  if (const auto at = name.find(kFreshName); at != std::string::npos) {
    name.replace(at, kFreshName.size(), fmt::format("{:04x}{:04x}", holder, driver));
  }
  std::string_view path = run.storage_path;
  while (path.ends_with('/')) {
    path.remove_suffix(1);
  }
  return fmt::format("{}/{}", path, name);
}

std::string run_key(const scenario::RunSpec& run, std::uint32_t holder, std::uint32_t driver,
                    std::string_view policy) {
  // fit() of Train V1 is a Tune experiment of one trial, so that each finds what the other left
  // (ray.md 2).
  const bool tune = policy == "ray_tune" || policy == "ray_train_v1";
  const std::string path = run_path(run, holder, driver);
  return fmt::format("{}\n{}\n{}", tune ? "ray_tune" : policy,
                     run.storage ? std::to_string(*run.storage) : "-",
                     path.empty() ? '#' + std::to_string(holder) : path);
}

}  // namespace aftershock::sim::drivers
