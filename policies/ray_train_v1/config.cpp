#include "policies/ray_train_v1/config.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <memory>
#include <utility>

#include <nlohmann/json.hpp>

#include "policies/parts/config_values.h"
#include "policies/parts/ray_variables.h"
#include "policies/ray_train_v1/profile.h"
#include "policies/ray_train_v1/trainer.h"
#include "policies/ray_tune/run_config.h"

namespace aftershock::policies::ray_train_v1 {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 8> kKeys{
    "max_failures", "fail_fast", "num_to_keep", "snapshot_save_s",
    "trainer",      "datasets",  "restore",     "resume_from_checkpoint",
};

// BaseTrainer.restore, and what DataParallelTrainer.restore takes besides; `when` and `trainer` say
// how it is called.
constexpr std::array<std::string_view, 7> kRestoreKeys{
    "when",
    "trainer",
    "datasets",
    "scaling_config",
    "train_loop_per_worker",
    "train_loop_config",
    "storage_filesystem",
};
constexpr std::array<std::string_view, 2> kDataParallelOnly{"train_loop_per_worker",
                                                            "train_loop_config"};

// Trainers whose restore is DataParallelTrainer's; that of all others is BaseTrainer's.
constexpr std::array<std::string_view, 4> kDataParallel{"DataParallelTrainer", "TorchTrainer",
                                                        "TensorflowTrainer", "HorovodTrainer"};

constexpr std::string_view kPlacementTimeout = "TRAIN_PLACEMENT_GROUP_TIMEOUT_S";
constexpr std::string_view kV2Enabled = "RAY_TRAIN_V2_ENABLED";

bool contains(auto names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void read_scaling_config(const std::string& pointer, const json& value, ConfigReading& reading) {
  if (!value.is_object()) {
    reading.errors.push_back({pointer, shown(value), "an object", {}});
    return;
  }
  for (const auto& item : value.items()) {
    const std::string member = pointer_to(pointer, item.key());
    if (item.key() == "num_workers") {
      read_count(member, item.value(), 1, "as before", reading.config.restore.workers,
                 reading.errors);
    } else {
      reading.warnings.push_back(
          {member, "no effect here: what a worker needs is the job's own setting", {}, {}});
    }
  }
}

void read_restore_member(const std::string& key, const json& value, ConfigReading& reading) {
  const std::string pointer = pointer_to("/config/restore", key);
  RestoreOptions& restore = reading.config.restore;
  if (key == "when") {
    ray_tune::read_restore_when(pointer, value, restore.when, reading.errors);
  } else if (key == "trainer") {
    read_text(pointer, value, restore.trainer.emplace(), reading.errors);
  } else if (key == "datasets") {
    read_names(pointer, value, restore.datasets, reading.errors);
  } else if (key == "scaling_config") {
    read_scaling_config(pointer, value, reading);
  } else if (!contains(kRestoreKeys, key)) {
    const bool fixed = contains(kKeys, key);
    reading.errors.push_back({pointer,
                              fixed ? "the restored run has this from trainer.pkl; it cannot be "
                                      "given anew"
                                    : "no such argument",
                              "an argument of Trainer.restore",
                              fixed ? "" : std::string(nearest_name(key, kRestoreKeys))});
  }
}

/// The types that the restoring class takes are known only once all members were read.
void check_restore(const json& value, ConfigReading& reading) {
  const std::string trainer = reading.config.restore.trainer.value_or(reading.config.trainer);
  if (contains(kDataParallel, trainer)) {
    return;
  }
  for (const std::string_view key : kDataParallelOnly) {
    if (value.contains(key)) {
      reading.errors.push_back({pointer_to("/config/restore", key),
                                trainer + ".restore takes what BaseTrainer.restore takes, and this "
                                          "is an argument of DataParallelTrainer.restore",
                                "datasets, scaling_config or storage_filesystem",
                                {}});
    }
  }
}

void read_restore(const json& value, ConfigReading& reading) {
  const std::string pointer = "/config/restore";
  RestoreOptions& restore = reading.config.restore;
  if (value.is_boolean() || value.is_null()) {
    restore.when =
        value == true ? ray_tune::RestoreWhen::kCanRestore : ray_tune::RestoreWhen::kNever;
    return;
  }
  if (!value.is_object()) {
    reading.errors.push_back({pointer, shown(value), "true, false or an object", {}});
    return;
  }
  restore.when = ray_tune::RestoreWhen::kCanRestore;
  for (const auto& item : value.items()) {
    read_restore_member(item.key(), item.value(), reading);
  }
  check_restore(value, reading);
}

void read_member(const std::string& key, const json& value, ConfigReading& reading) {
  const std::string pointer = pointer_to("/config", key);
  Config& config = reading.config;
  if (key == "trainer") {
    read_text(pointer, value, config.trainer, reading.errors);
  } else if (key == "datasets") {
    read_names(pointer, value, config.datasets, reading.errors);
  } else if (key == "resume_from_checkpoint") {
    // It begins a new run, at iteration 0, that finds a checkpoint there is. Which one is the
    // job's: the host gives it to an attempt that is started from none.
  } else if (key != "restore") {
    reading.errors.push_back({pointer, "no such setting", "a setting of ray_train_v1",
                              std::string(nearest_name(key, kKeys))});
  }
}

void read_v2_enabled(const std::string& pointer, std::string value, ConfigReading& reading) {
  std::transform(value.begin(), value.end(), value.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  if (value == "1" || value == "true") {
    reading.errors.push_back(
        {pointer, "this asks for Ray Train V2", "\"0\", or the policy ray_train", {}});
  } else if (value != "0" && value != "false") {
    reading.errors.push_back({pointer, "got \"" + value + "\"", "\"1\" or \"0\"", {}});
  }
}

void read_variable(const std::string& name, const std::string& value, ConfigReading& reading,
                   std::span<const std::string_view> read) {
  const std::string pointer = pointer_to("/env", name);
  if (name == kV2Enabled) {
    read_v2_enabled(pointer, value, reading);
  } else if (name == kPlacementTimeout) {
    reading.warnings.push_back({pointer,
                                "no effect here: it limits the wait for a placement group that "
                                "Train makes itself, and the workers of fit() run in the trial's",
                                {},
                                {}});
  } else {
    judge_ray_variable(name, read, reading.errors, reading.warnings);
  }
}

}  // namespace

ConfigReading read_config(const PolicyRequest& request) {
  ConfigReading reading;
  ray_tune::ConfigReading run;
  if (request.config->is_object()) {
    for (const auto& item : request.config->items()) {
      if (!ray_tune::read_run_member(item.key(), item.value(), run)) {
        read_member(item.key(), item.value(), reading);
      }
    }
    if (request.config->contains("restore")) {
      read_restore((*request.config)["restore"], reading);
    }
  } else if (!request.config->is_null()) {
    reading.errors.push_back({"/config", shown(*request.config), "an object", {}});
  }
  ray_tune::check_failure_settings(run);
  const auto shared = ray_tune::run_variables();
  std::vector<std::string_view> read(shared.begin(), shared.end());
  read.push_back(kPlacementTimeout);
  read.push_back(kV2Enabled);
  for (const auto& [name, value] : request.env) {
    if (!ray_tune::read_run_variable(name, value, run)) {
      read_variable(name, value, reading, read);
    }
  }
  reading.config.failure = run.config.failure;
  reading.config.num_to_keep = run.config.num_to_keep;
  reading.config.snapshots = run.config.snapshots;
  reading.errors.insert(reading.errors.begin(), run.errors.begin(), run.errors.end());
  reading.warnings.insert(reading.warnings.begin(), run.warnings.begin(), run.warnings.end());
  return reading;
}

MakeResult make(const PolicyRequest& request) {
  const Profile* profile = find_profile(request.profile);
  if (profile == nullptr) {
    std::vector<std::string_view> names;
    for (const Profile& known : profiles()) {
      names.push_back(known.name);
    }
    return ray_tune::unknown_profile("ray_train_v1", request.profile, names);
  }
  ConfigReading reading = read_config(request);
  if (!reading.errors.empty()) {
    return std::move(reading.errors);
  }
  return ConfiguredPolicy{std::make_unique<RayTrainV1>(*profile, std::move(reading.config)),
                          std::move(reading.warnings)};
}

}  // namespace aftershock::policies::ray_train_v1
