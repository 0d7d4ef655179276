#include "sim/workload/run_storage.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"

namespace aftershock::sim::workload {

const TrialCheckpoint* StoredTrial::find(std::uint32_t id) const {
  const auto place = std::ranges::lower_bound(checkpoints, id, {}, &TrialCheckpoint::id);
  return place != checkpoints.end() && place->id == id ? &*place : nullptr;
}

const TrialCheckpoint* StoredTrial::newest_of(std::uint32_t writer) const {
  const auto found =
      std::find_if(checkpoints.rbegin(), checkpoints.rend(),
                   [writer](const TrialCheckpoint& one) { return one.writer == writer; });
  return found == checkpoints.rend() ? nullptr : &*found;
}

void StoredTrial::remove(std::uint32_t id) {
  std::erase_if(checkpoints, [id](const TrialCheckpoint& one) { return one.id == id; });
}

std::string torn(std::string durable, std::string_view file) {
  nlohmann::json state = policies::json_or_discarded(durable);
  constexpr std::string_view kCutShort = "{\"checkpoints\": [";
  // Tune and Train V1 keep states and what is written once in files of their own (ray.md 3.4): one
  // is torn, and the others can be read.
  const bool beside = state.is_object() && state.contains("experiment_state");
  if (beside && file == "snapshot") {
    state["experiment_state"] = kCutShort;
    return policies::text_from_json(state);
  }
  if (beside && file == "tuner.pkl" && state.contains("trainer")) {
    state["tuner"] = kCutShort;
    return policies::text_from_json(state);
  }
  durable.resize(durable.size() / 2);
  return durable;
}

std::optional<std::uint32_t> session_of(const nlohmann::json& durable) {
  static const nlohmann::json::json_pointer kSession("/experiment_state/session");
  if (!durable.is_object() || !durable.contains(kSession) ||
      !durable.at(kSession).is_number_unsigned()) {
    return std::nullopt;
  }
  return durable.at(kSession).get<std::uint32_t>();
}

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

}  // namespace aftershock::sim::workload
