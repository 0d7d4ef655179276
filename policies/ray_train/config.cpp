#include "policies/ray_train/config.h"

#include <array>
#include <limits>
#include <memory>
#include <utility>

#include <nlohmann/json.hpp>

#include "policies/parts/config_values.h"
#include "policies/ray_train/controller.h"
#include "policies/ray_train/environment.h"
#include "policies/ray_train/parameters.h"

namespace aftershock::policies::ray_train {
namespace {

using nlohmann::json;

/// A key that Ray Train V2 does not have any more, and what it says of it.
struct Removed {
  std::string_view name;
  std::string_view message;
  std::string_view expected;
};

constexpr std::string_view kSameName =
    "an ordinary trainer with the storage_path and the name of the run that it goes on with";
constexpr std::string_view kLoopConfig =
    "the first checkpoint handed to the training function through train_loop_config";

constexpr std::array<Removed, 5> kRefused{{
    {"fail_fast",
     "Ray Train V2 refuses fail_fast, whatever its value: it is deprecated, and a run that shall "
     "stop at the first failure is one with max_failures 0",
     "no fail_fast"},
    {"restore", "DeprecationWarning: Trainer.restore is gone in Ray Train V2", kSameName},
    {"can_restore", "DeprecationWarning: Trainer.can_restore is gone in Ray Train V2", kSameName},
    {"restore_from_checkpoint",
     "DeprecationWarning: Ray Train V2 sets no first checkpoint for the trainer", kLoopConfig},
    {"resume_from_checkpoint",
     "DeprecationWarning: Ray Train V2 sets no first checkpoint for the trainer", kLoopConfig},
}};

constexpr std::string_view kNoArtifacts =
    "no effect: Ray Train V2 no longer copies the workers' files to storage, only checkpoints";

constexpr std::array<Removed, 3> kIgnored{{
    {"sync_config", kNoArtifacts, {}},
    {"sync_artifacts", kNoArtifacts, {}},
    {"local_dir", "no effect: Ray Train V2 has no local staging directory of the run", {}},
}};

void read_limit(const std::string& pointer, const json& value, std::int64_t& out,
                ConfigReading& reading) {
  const auto limit = integer_value(value);
  if (!limit) {
    reading.errors.push_back({pointer, shown(value), "an integer; -1 means unlimited", {}});
    return;
  }
  out = *limit;
  if (out < -1) {
    reading.warnings.push_back(
        {pointer,
         "only -1 means unlimited: Ray compares any other negative limit as it is, so that the "
         "first failure ends the run",
         {},
         {}});
  }
}

void read_duration(const std::string& pointer, const json& value, DurationUs& out,
                   bool zero_is_fine, ConfigReading& reading) {
  DurationUs duration = out;
  read_seconds_value(pointer, value, duration, reading.errors);
  if (duration > 0 || zero_is_fine) {
    out = duration;
  } else {
    refuse_zero(pointer, reading.errors);
  }
}

void read_barrier(const std::string& pointer, const json& value, ConfigReading& reading) {
  if (value.is_null()) {
    reading.config.report_barrier_timeout_us.reset();
    return;
  }
  DurationUs timeout = 0;
  read_duration(pointer, value, timeout, true, reading);
  reading.config.report_barrier_timeout_us = timeout;
}

void read_score_attribute(const std::string& pointer, const json& value, ConfigReading& reading) {
  std::string& attribute = reading.config.scoring.attribute;
  attribute.clear();
  if (value.is_string() && !value.get_ref<const std::string&>().empty()) {
    attribute = value.get<std::string>();
  } else if (!value.is_null()) {
    reading.errors.push_back({pointer, shown(value), "null or the name of a metric", {}});
  }
}

void read_score_order(const std::string& pointer, const json& value, ConfigReading& reading) {
  if (value == "max" || value == "min") {
    reading.config.scoring.smaller_is_better = value == "min";
  } else {
    reading.errors.push_back({pointer, shown(value), "\"max\" or \"min\"", {}});
  }
}

/// A size of a group; zero is Ray's word for training in the driver's own process.
std::optional<std::uint32_t> read_size(const std::string& pointer, const json& value,
                                       ConfigReading& reading) {
  const auto size = integer_value(value);
  if (!size || *size < 0 || *size > std::numeric_limits<std::uint32_t>::max()) {
    reading.errors.push_back({pointer, shown(value), "an integer of at least 1", {}});
    return std::nullopt;
  }
  return static_cast<std::uint32_t>(*size);
}

void read_num_workers(const std::string& pointer, const json& value, const Profile& profile,
                      ConfigReading& reading) {
  WorkerCount count;
  if (!value.is_array()) {
    const auto size = read_size(pointer, value, reading);
    if (!size) {
      return;
    }
    count = {*size, *size, false};
  } else if (!kFrom255.contains(profile.version)) {
    reading.errors.push_back({pointer,
                              "this version knows fixed scaling only",
                              "an integer; elastic scaling is of " + names_of(kFrom255),
                              {}});
    return;
  } else if (value.size() != 2) {
    reading.errors.push_back({pointer, shown(value), "an integer, or two: least and most", {}});
    return;
  } else {
    const auto min = read_size(pointer + "/0", value[0], reading);
    const auto max = read_size(pointer + "/1", value[1], reading);
    if (!min || !max) {
      return;
    }
    if (*min > *max) {
      reading.errors.push_back({pointer, shown(value), "the least number first", {}});
      return;
    }
    count = {*min, *max, true};
  }
  if (count.max == 0) {
    reading.errors.push_back({pointer,
                              "0 is Ray's local mode, in which the training function runs in the "
                              "driver: there is no controller, and nothing is retried",
                              "at least 1",
                              {}});
    return;
  }
  reading.config.workers = count;
}

/// Whether the key is one that Ray Train V2 has given up, and what becomes of it.
bool read_removed(const std::string& key, const std::string& pointer, ConfigReading& reading) {
  for (const Removed& removed : kRefused) {
    if (removed.name == key) {
      reading.errors.push_back(
          {pointer, std::string(removed.message), std::string(removed.expected), {}});
      return true;
    }
  }
  for (const Removed& removed : kIgnored) {
    if (removed.name == key) {
      reading.warnings.push_back({pointer, std::string(removed.message), {}, {}});
      return true;
    }
  }
  return false;
}

/// Whether the profile has the setting; says what is wrong where it has not.
bool is_setting(const std::string& key, const std::string& pointer, const Profile& profile,
                ConfigReading& reading) {
  std::string elsewhere;
  for (const Versions versions : versions_with(key)) {
    if (versions.contains(profile.version)) {
      return true;
    }
    elsewhere = names_of(versions);
  }
  if (!elsewhere.empty()) {
    reading.errors.push_back(
        {pointer,
         "TypeError: ray_train@" + std::string(profile.name) + " has no such setting",
         "a profile that has it: " + elsewhere,
         {}});
    return false;
  }
  std::vector<std::string_view> names;
  for (const Parameter& parameter : parameters(profile)) {
    names.push_back(parameter.name);
  }
  reading.errors.push_back({pointer, "no such setting", "a setting of ray_train",
                            std::string(nearest_name(key, names))});
  return false;
}

void read_member(const std::string& key, const json& value, const Profile& profile,
                 ConfigReading& reading) {
  const std::string pointer = pointer_to("/config", key);
  if (read_removed(key, pointer, reading) || !is_setting(key, pointer, profile, reading)) {
    return;
  }
  Config& config = reading.config;
  if (key == "max_failures") {
    read_limit(pointer, value, config.max_failures, reading);
  } else if (key == "controller_failure_limit") {
    read_limit(pointer, value, config.controller_failure_limit, reading);
  } else if (key == "max_preemption_failures") {
    read_limit(pointer, value, config.max_preemption_failures, reading);
  } else if (key == "relax_collectives_on_preemption") {
    read_flag(pointer, value, config.relax_collectives_on_preemption, reading.errors);
  } else if (key == "preemption_grace_s") {
    read_duration(pointer, value, config.preemption_grace_us, true, reading);
  } else if (key == "num_to_keep") {
    read_count(pointer, value, 1, "keep all", config.num_to_keep, reading.errors);
  } else if (key == "checkpoint_score_attribute") {
    read_score_attribute(pointer, value, reading);
  } else if (key == "checkpoint_score_order") {
    read_score_order(pointer, value, reading);
  } else if (key == "num_workers") {
    read_num_workers(pointer, value, profile, reading);
  } else if (key == "elastic_resize_monitor_interval_s") {
    read_duration(pointer, value, config.elastic_resize_monitor_interval_us, true, reading);
  } else if (key == "replica_groups") {
    read_flag(pointer, value, config.replica_groups, reading.errors);
  } else if (key == "health_check_interval_s") {
    read_duration(pointer, value, config.health_check_interval_us, false, reading);
  } else if (key == "worker_health_check_timeout_s") {
    read_duration(pointer, value, config.worker_health_check_timeout_us, true, reading);
  } else if (key == "worker_group_start_timeout_s") {
    read_duration(pointer, value, config.worker_group_start_timeout_us, false, reading);
  } else if (key == "report_barrier_timeout_s" || key == "collective_timeout_s") {
    read_barrier(pointer, value, reading);
  } else if (key == "enable_preemption_watcher") {
    read_flag(pointer, value, config.preemption_watcher, reading.errors);
  } else if (key == "preemption_poll_interval_s") {
    read_duration(pointer, value, config.preemption_poll_interval_us, false, reading);
  } else if (key == "nccl_hang_callback") {
    read_flag(pointer, value, config.nccl_hang_callback, reading.errors);
  } else if (key == "nccl_hang_poll_interval_s") {
    read_duration(pointer, value, config.nccl_hang_poll_interval_us, false, reading);
  } else if (key == "nccl_hang_confirm_s") {
    read_duration(pointer, value, config.nccl_hang_confirm_us, false, reading);
  }
}

}  // namespace

ConfigReading read_config(const PolicyRequest& request, const Profile& profile) {
  ConfigReading reading;
  reading.config.health_check_interval_us = profile.health_check_interval_us;
  reading.config.worker_health_check_timeout_us = profile.worker_health_check_timeout_us;
  reading.config.worker_group_start_timeout_us = profile.worker_group_start_timeout_us;
  reading.config.report_barrier_timeout_us = profile.report_barrier_timeout_us;
  if (request.config->is_object()) {
    for (const auto& item : request.config->items()) {
      read_member(item.key(), item.value(), profile, reading);
    }
  } else if (!request.config->is_null()) {
    reading.errors.push_back({"/config", shown(*request.config), "an object", {}});
  }
  read_environment(request.env, profile, reading);
  return reading;
}

bool asks_for_v1(const PolicyRequest& request) {
  const Profile* profile = find_profile(request.profile);
  return profile != nullptr && !v2_enabled(*profile, request.env);
}

MakeResult make(const PolicyRequest& request) {
  const Profile* profile = find_profile(request.profile);
  if (profile == nullptr) {
    std::vector<std::string_view> names;
    std::string expected = "one of ";
    for (const Profile& known : profiles()) {
      expected += names.empty() ? "" : ", ";
      expected += known.name;
      names.push_back(known.name);
    }
    return std::vector<ConfigIssue>{
        {"/profile", "ray_train has no profile \"" + request.profile + "\"", std::move(expected),
         std::string(nearest_name(request.profile, names))}};
  }
  ConfigReading reading = read_config(request, *profile);
  if (!reading.errors.empty()) {
    return std::move(reading.errors);
  }
  return ConfiguredPolicy{std::make_unique<RayTrain>(*profile, reading.config),
                          std::move(reading.warnings)};
}

}  // namespace aftershock::policies::ray_train
