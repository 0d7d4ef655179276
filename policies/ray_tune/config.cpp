#include "policies/ray_tune/config.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "policies/parts/config_values.h"
#include "policies/parts/ray_variables.h"
#include "policies/ray_tune/experiment.h"
#include "policies/ray_tune/run_config.h"

namespace aftershock::policies::ray_tune {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 10> kKeys{
    "max_failures",    "fail_fast", "num_to_keep", "max_concurrent_trials",
    "snapshot_save_s", "trainable", "param_space", "object_refs",
    "restore",         "resume",
};

constexpr std::array<std::string_view, 7> kRestoreKeys{
    "when",      "resume_unfinished", "resume_errored",         "restart_errored",
    "trainable", "param_space",       "object_refs_given_anew",
};

constexpr std::string_view kMaxPending = "TUNE_MAX_PENDING_TRIALS_PG";

/// The strings that tune.run takes for `resume`, and what they stand for.
struct ResumeWord {
  std::string_view suffix;
  ResumeOptions options;
};
constexpr std::array<ResumeWord, 5> kResumeWords{{
    {"", {}},
    {"+ERRORED", {.errored = true}},
    {"+RESTART_ERRORED", {.restart_errored = true}},
    {"+ERRORED_ONLY", {.unfinished = false, .errored = true}},
    {"+RESTART_ERRORED_ONLY", {.unfinished = false, .restart_errored = true}},
}};

void read_restore_member(const std::string& key, const json& value, ConfigReading& reading) {
  const std::string pointer = pointer_to("/config/restore", key);
  RestoreOptions& restore = reading.config.restore;
  if (key == "when") {
    read_restore_when(pointer, value, restore.when, reading.errors);
  } else if (key == "resume_unfinished") {
    read_flag(pointer, value, restore.resume.unfinished, reading.errors);
  } else if (key == "resume_errored") {
    read_flag(pointer, value, restore.resume.errored, reading.errors);
  } else if (key == "restart_errored") {
    read_flag(pointer, value, restore.resume.restart_errored, reading.errors);
  } else if (key == "trainable") {
    read_text(pointer, value, restore.trainable.emplace(), reading.errors);
  } else if (key == "param_space") {
    read_names(pointer, value, restore.param_space.emplace(), reading.errors);
  } else if (key == "object_refs_given_anew") {
    read_flag(pointer, value, restore.object_refs_given_anew, reading.errors);
  } else {
    reading.errors.push_back({pointer, "no such setting", "a setting of Tuner.restore",
                              std::string(nearest_name(key, kRestoreKeys))});
  }
}

void read_restore(const json& value, ConfigReading& reading) {
  const std::string pointer = "/config/restore";
  if (value.is_boolean() || value.is_null()) {
    if (value == true) {
      reading.config.restore.when = RestoreWhen::kCanRestore;
    }
    return;
  }
  if (!value.is_object()) {
    reading.errors.push_back({pointer, shown(value), "true, false or an object", {}});
    return;
  }
  reading.config.restore.when = RestoreWhen::kCanRestore;
  for (const auto& item : value.items()) {
    read_restore_member(item.key(), item.value(), reading);
  }
  const ResumeOptions& resume = reading.config.restore.resume;
  if (resume.errored && resume.restart_errored) {
    reading.warnings.push_back(
        {pointer_to(pointer, "restart_errored"), "resume_errored beats it", {}, {}});
  }
}

void read_resume(const json& value, ConfigReading& reading) {
  const std::string pointer = "/config/resume";
  RestoreOptions& restore = reading.config.restore;
  if (value.is_boolean()) {
    restore.when = value.get<bool>() ? RestoreWhen::kAlways : RestoreWhen::kNever;
    return;
  }
  std::vector<std::string> words;
  for (const std::string_view stem : {"AUTO", "LOCAL"}) {
    for (const ResumeWord& word : kResumeWords) {
      words.push_back(std::string(stem) + std::string(word.suffix));
      if (value == words.back()) {
        restore.when = stem == "AUTO" ? RestoreWhen::kCanRestore : RestoreWhen::kAlways;
        restore.resume = word.options;
        return;
      }
    }
  }
  std::string nearest;
  if (value.is_string()) {
    const std::vector<std::string_view> known(words.begin(), words.end());
    nearest = nearest_name(value.get_ref<const std::string&>(), known);
  }
  reading.errors.push_back({pointer, shown(value),
                            "true, false, or AUTO or LOCAL with +ERRORED, +RESTART_ERRORED, "
                            "+ERRORED_ONLY or +RESTART_ERRORED_ONLY",
                            std::move(nearest)});
}

void read_member(const std::string& key, const json& value, ConfigReading& reading) {
  if (read_run_member(key, value, reading)) {
    return;
  }
  const std::string pointer = pointer_to("/config", key);
  Config& config = reading.config;
  if (key == "max_concurrent_trials") {
    read_count(pointer, value, 0, "no limit", config.max_concurrent_trials, reading.errors);
    if (config.max_concurrent_trials == 0U) {
      config.max_concurrent_trials.reset();
    }
  } else if (key == "trainable") {
    read_text(pointer, value, config.trainable, reading.errors);
  } else if (key == "param_space") {
    read_names(pointer, value, config.param_space, reading.errors);
  } else if (key == "object_refs") {
    read_names(pointer, value, config.object_refs, reading.errors);
  } else if (key == "restore") {
    read_restore(value, reading);
  } else if (key == "resume") {
    read_resume(value, reading);
  } else {
    reading.errors.push_back({pointer, "no such setting", "a setting of ray_tune",
                              std::string(nearest_name(key, kKeys))});
  }
}

void read_max_pending(const std::string& value, ConfigReading& reading) {
  const std::string pointer = pointer_to("/env", kMaxPending);
  if (value == "auto") {
    return;  // so large that it does not bind where trials are many to a node
  }
  const json number = json_or_discarded<json>(value);
  const auto count = number.is_discarded() ? std::nullopt : integer_value(number);
  if (!count || *count < 1 || *count > std::int64_t{1} << 31) {
    reading.errors.push_back(
        {pointer, "got \"" + value.substr(0, 80) + "\"", "\"auto\" or an integer above 0", {}});
    return;
  }
  reading.config.max_pending_trials = static_cast<std::uint32_t>(*count);
}

void read_environment(const std::map<std::string, std::string>& env, ConfigReading& reading) {
  const auto shared = run_variables();
  std::vector<std::string_view> read(shared.begin(), shared.end());
  read.push_back(kMaxPending);
  for (const auto& [name, value] : env) {
    if (name == kMaxPending) {
      read_max_pending(value, reading);
    } else if (!read_run_variable(name, value, reading)) {
      judge_ray_variable(name, read, reading.errors, reading.warnings);
    }
  }
}

}  // namespace

ConfigReading read_config(const PolicyRequest& request) {
  ConfigReading reading;
  if (request.config->is_object()) {
    for (const auto& item : request.config->items()) {
      read_member(item.key(), item.value(), reading);
    }
    if (request.config->contains("restore") && request.config->contains("resume")) {
      reading.errors.push_back(
          {"/config/resume", "given together with restore", "one of the two", {}});
    }
  } else if (!request.config->is_null()) {
    reading.errors.push_back({"/config", shown(*request.config), "an object", {}});
  }
  check_failure_settings(reading);
  read_environment(request.env, reading);
  return reading;
}

MakeResult make(const PolicyRequest& request) {
  const Profile* profile = find_profile(request.profile);
  if (profile == nullptr) {
    std::vector<std::string_view> names;
    for (const Profile& known : profiles()) {
      names.push_back(known.name);
    }
    return unknown_profile("ray_tune", request.profile, names);
  }
  ConfigReading reading = read_config(request);
  if (!reading.errors.empty()) {
    return std::move(reading.errors);
  }
  return ConfiguredPolicy{std::make_unique<RayTune>(*profile, std::move(reading.config)),
                          std::move(reading.warnings)};
}

}  // namespace aftershock::policies::ray_tune
