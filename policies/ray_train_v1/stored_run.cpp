#include "policies/ray_train_v1/stored_run.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"

namespace aftershock::policies::ray_train_v1 {

using nlohmann::json;

StoredRun read_stored_run(std::string_view durable) {
  StoredRun run;
  const json object = json_or_discarded<json>(durable);
  if (!object.is_object() || !object.contains("trainer")) {
    return run;
  }
  const json& trainer = object["trainer"];
  const auto is_text = [](const json& name) { return name.is_string(); };
  if (!trainer.is_object() || !trainer.contains("class") || !trainer["class"].is_string() ||
      !trainer.contains("datasets") || !trainer["datasets"].is_array() ||
      !std::all_of(trainer["datasets"].begin(), trainer["datasets"].end(), is_text)) {
    return run;
  }
  run.trainer = StoredTrainer{trainer["class"].get<std::string>(),
                              trainer["datasets"].get<std::vector<std::string>>()};
  run.experiment = ray_tune::read_stored(durable);
  return run;
}

json to_json(const StoredTrainer& trainer) {
  return {{"class", trainer.trainer}, {"datasets", trainer.datasets}};
}

}  // namespace aftershock::policies::ray_train_v1
