#include "sim/drivers/run_storage.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/assert.h"
#include "policies/api/json_as_text.h"

namespace aftershock::sim::drivers {

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

bool StoredRun::refused_to(const std::string& trial) const {
  return trial.empty() && !checkpoints.empty() && !checkpoints.back().trial.empty();
}

void StoredRun::replace(const std::string& trial, std::vector<workload::Checkpoint> committed) {
  AFTERSHOCK_ASSERT(!refused_to(trial));
  std::erase_if(checkpoints, [&](const workload::Checkpoint& one) { return one.trial == trial; });
  std::ranges::move(committed, std::back_inserter(checkpoints));
}

const StoredRun* RunStorage::find(const std::string& key) const {
  const auto found = runs_.find(key);
  return found == runs_.end() ? nullptr : &found->second;
}

void RunStorage::leave_behind(const std::string& key, const std::string& trial,
                              std::vector<workload::Leftover> leftovers) {
  if (const auto found = runs_.find(key); found != runs_.end()) {
    for (workload::Leftover& leftover : leftovers) {
      leftover.trial = trial;
      found->second.leftovers.push_back(std::move(leftover));
    }
  }
}

void RunStorage::tear(const std::string& key, const std::string& file) {
  if (const auto found = runs_.find(key); found != runs_.end()) {
    found->second.durable = torn(std::move(found->second.durable), file);
    found->second.torn = file;
  }
}

void RunStorage::lose_state(const std::string& key) {
  if (const auto found = runs_.find(key); found != runs_.end()) {
    found->second.durable.clear();
  }
}

}  // namespace aftershock::sim::drivers
