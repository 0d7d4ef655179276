#include "policies/ray_tune/run_config.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include <nlohmann/json.hpp>

#include "policies/parts/config_values.h"

namespace aftershock::policies::ray_tune {
namespace {

using nlohmann::json;

constexpr std::string_view kSnapshotPeriod = "TUNE_GLOBAL_CHECKPOINT_S";
constexpr std::string_view kRestoreRetries = "TUNE_RESTORE_RETRY_NUM";
constexpr std::string_view kCountPreemption = "RAY_TRAIN_COUNT_PREEMPTION_AS_FAILURE";
constexpr std::string_view kCleanup = "TUNE_FORCE_TRIAL_CLEANUP_S";
constexpr std::string_view kWorkingDirectory = "RAY_CHDIR_TO_TRIAL_DIR";

constexpr std::array<std::string_view, 5> kVariables{kSnapshotPeriod, kRestoreRetries,
                                                     kCountPreemption, kCleanup, kWorkingDirectory};

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return text;
}

void read_max_failures(const std::string& pointer, const json& value, ConfigReading& reading) {
  const auto limit = integer_value(value);
  if (!limit) {
    reading.errors.push_back(
        {pointer, shown(value), "an integer; a negative one means unlimited", {}});
    return;
  }
  reading.config.failure.max_failures = *limit;
  if (*limit < -1) {
    reading.warnings.push_back(
        {pointer,
         "any negative number means unlimited to Tune; to Ray Train V2 only -1 does",
         {},
         {}});
  }
}

void read_fail_fast(const std::string& pointer, const json& value, ConfigReading& reading) {
  FailFast& out = reading.config.failure.fail_fast;
  if (value.is_boolean()) {
    out = value.get<bool>() ? FailFast::kStop : FailFast::kOff;
  } else if (value.is_string() && lower_case(value.get<std::string>()) == "raise") {
    out = FailFast::kRaise;
  } else {
    reading.errors.push_back({pointer, shown(value), "true, false or \"raise\"", {}});
  }
}

void read_flag_variable(const std::string& pointer, const std::string& value, bool& out,
                        std::vector<ConfigIssue>& errors) {
  if (value == "0" || value == "1") {
    out = value == "1";
  } else {
    errors.push_back({pointer, "got \"" + value.substr(0, 80) + "\"", "\"1\" or \"0\"", {}});
  }
}

void read_restore_retries(const std::string& pointer, const std::string& value,
                          ConfigReading& reading) {
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), count);
  if (error != std::errc() || end != value.data() + value.size()) {
    reading.errors.push_back({pointer, "got \"" + value.substr(0, 80) + "\"", "an integer", {}});
    return;
  }
  reading.config.failure.rules.restore_retries = count;
}

}  // namespace

bool read_run_member(const std::string& key, const json& value, ConfigReading& reading) {
  const std::string pointer = pointer_to("/config", key);
  if (key == "max_failures") {
    read_max_failures(pointer, value, reading);
  } else if (key == "fail_fast") {
    read_fail_fast(pointer, value, reading);
  } else if (key == "num_to_keep") {
    read_count(pointer, value, 1, "keep all", reading.config.num_to_keep, reading.errors);
  } else if (key == "snapshot_save_s") {
    read_seconds_value(pointer, value, reading.config.snapshots.save_us, reading.errors);
  } else {
    return false;
  }
  return true;
}

void check_failure_settings(ConfigReading& reading) {
  const FailureSettings& failure = reading.config.failure;
  if (failure.fail_fast != FailFast::kOff && failure.max_failures != 0) {
    reading.errors.push_back({"/config/fail_fast",
                              "Tune raises ValueError for fail_fast with max_failures " +
                                  std::to_string(failure.max_failures),
                              "max_failures 0 with fail_fast, or no fail_fast",
                              {}});
  }
}

bool read_run_variable(const std::string& name, const std::string& value, ConfigReading& reading) {
  const std::string pointer = pointer_to("/env", name);
  Config& config = reading.config;
  if (name == kSnapshotPeriod) {
    if (value == "auto") {
      config.snapshots.period_us.reset();
    } else {
      DurationUs period_us = 0;
      read_seconds_text(pointer, value, period_us, reading.errors);
      config.snapshots.period_us = period_us;
    }
  } else if (name == kRestoreRetries) {
    read_restore_retries(pointer, value, reading);
  } else if (name == kCountPreemption) {
    read_flag_variable(pointer, value, config.failure.rules.count_preemption, reading.errors);
  } else if (name == kCleanup) {
    read_seconds_text(pointer, value, config.cleanup_us, reading.errors);
  } else if (name == kWorkingDirectory) {
    bool changes = true;
    read_flag_variable(pointer, value, changes, reading.errors);
    if (!changes) {
      reading.warnings.push_back(
          {pointer,
           "workers keep the driver's working directory; no recovery depends on it",
           {},
           {}});
    }
  } else {
    return false;
  }
  return true;
}

std::span<const std::string_view> run_variables() { return kVariables; }

void read_restore_when(const std::string& pointer, const json& value, RestoreWhen& out,
                       std::vector<ConfigIssue>& errors) {
  constexpr std::array<std::string_view, 2> kWords{"can_restore", "always"};
  if (value == kWords[0]) {
    out = RestoreWhen::kCanRestore;
  } else if (value == kWords[1]) {
    out = RestoreWhen::kAlways;
  } else {
    std::string nearest;
    if (value.is_string()) {
      nearest = nearest_name(value.get_ref<const std::string&>(), kWords);
    }
    errors.push_back({pointer, shown(value), "\"can_restore\" or \"always\"", std::move(nearest)});
  }
}

std::vector<ConfigIssue> unknown_profile(std::string_view family, const std::string& profile,
                                         std::span<const std::string_view> known) {
  std::string expected = "one of ";
  for (std::size_t index = 0; index < known.size(); ++index) {
    expected += index == 0 ? "" : ", ";
    expected += known[index];
  }
  return {{"/profile", std::string(family) + " has no profile \"" + profile + "\"",
           std::move(expected), std::string(nearest_name(profile, known))}};
}

}  // namespace aftershock::policies::ray_tune
