#include "sim/workload/run_storage.h"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace aftershock::sim {

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
  nlohmann::json state = nlohmann::json::parse(durable, nullptr, false);
  constexpr std::string_view kCutShort = "{\"checkpoints\": [";
  const bool beside = state.is_object() && state.contains("experiment_state");
  if (beside && file == "snapshot") {
    state["experiment_state"] = kCutShort;
    return state.dump();
  }
  if (beside && file == "tuner.pkl" && state.contains("trainer")) {
    state["tuner"] = kCutShort;
    return state.dump();
  }
  durable.resize(durable.size() / 2);
  return durable;
}

std::string run_key(const RunSpec& run, std::uint32_t index) {
  const std::string storage = run.storage ? std::to_string(*run.storage) : "-";

  const std::string name = run.name.empty() ? '#' + std::to_string(index) : '=' + run.name;
  return storage + '\0' + run.storage_path + '\0' + name;
}

}  // namespace aftershock::sim
