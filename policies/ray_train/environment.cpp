#include "policies/ray_train/environment.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "policies/parts/config_values.h"
#include "policies/parts/ray_variables.h"

namespace aftershock::policies::ray_train {
namespace {

constexpr std::string_view kV2Enabled = "RAY_TRAIN_V2_ENABLED";
constexpr std::string_view kHangDetector = "RAY_TRAIN_ENABLE_NCCL_HANG_DETECTOR";
constexpr std::string_view kHangAction = "RAY_TRAIN_NCCL_RAS_ACTION";

struct Duration {
  std::string_view name;
  Versions versions;
  DurationUs Config::* member;
  bool zero_is_fine;
};

// Ray Train V2, _internal/constants.py.
constexpr std::array<Duration, 6> kDurations{{
    {"RAY_TRAIN_HEALTH_CHECK_INTERVAL_S", kEveryVersion, &Config::health_check_interval_us, false},
    {"RAY_TRAIN_WORKER_HEALTH_CHECK_TIMEOUT_S", kEveryVersion,
     &Config::worker_health_check_timeout_us, true},
    {"RAY_TRAIN_WORKER_GROUP_START_TIMEOUT_S", kEveryVersion,
     &Config::worker_group_start_timeout_us, false},
    {"RAY_TRAIN_PREEMPTION_POLL_INTERVAL_S", kFrom202609, &Config::preemption_poll_interval_us,
     false},
    {"RAY_TRAIN_NCCL_RAS_MIN_POLL_INTERVAL_S", kFrom202609, &Config::nccl_hang_poll_interval_us,
     false},
    {"RAY_TRAIN_NCCL_RAS_CONFIRM_DURATION_S", kFrom202609, &Config::nccl_hang_confirm_us, false},
}};

/// The variable that the version reads for the patience of a rank in report().
struct Barrier {
  std::string_view name;
  Versions versions;
};
constexpr std::array<Barrier, 2> kBarriers{{
    {"RAY_TRAIN_REPORT_BARRIER_TIMEOUT_S", kUntil249},
    {"RAY_TRAIN_COLLECTIVE_TIMEOUT_S", kFrom255},
}};

struct Flag {
  std::string_view name;
  bool Config::* member;
};
constexpr std::array<Flag, 2> kFlagsFrom202609{{
    {"RAY_TRAIN_ENABLE_PREEMPTION_WATCHER", &Config::preemption_watcher},
    {kHangDetector, &Config::nccl_hang_callback},
}};

constexpr std::string_view kChdir = "RAY_CHDIR_TO_TRIAL_DIR";

constexpr std::string_view kLogging = "it changes only what is logged or measured";
constexpr std::string_view kCollective = "the job's own collective_timeout is what is simulated";
constexpr std::string_view kNotRead = "this profile's version does not read it";
constexpr std::string_view kHost = "it concerns the host process only";
constexpr std::string_view kOther = "another part of Ray reads it";

/// Variables that the other families read, or that are Ray Train V2's own and change nothing here.
constexpr std::array<RayVariable, 19> kWithoutEffect{{
    {"RAY_TRAIN_CALLBACKS", kHost},
    {"RAY_TRAIN_CHECKPOINT_UPLOAD_WARN_INTERVAL_S", kLogging},
    {"RAY_TRAIN_COLLECTIVE_WARN_INTERVAL_S", kLogging},
    {"RAY_TRAIN_COUNT_PREEMPTION_AS_FAILURE", kOther},
    {"RAY_TRAIN_ENABLE_CONTROLLER_STRUCTURED_LOGGING", kLogging},
    {"RAY_TRAIN_ENABLE_PRINT_PATCH", kLogging},
    {"RAY_TRAIN_ENABLE_STATE_ACTOR_RECONCILIATION", kLogging},
    {"RAY_TRAIN_ENABLE_STATE_TRACKING", kLogging},
    {"RAY_TRAIN_ENABLE_WORKER_STRUCTURED_LOGGING", kLogging},
    {"RAY_TRAIN_METRICS_ENABLED", kLogging},
    {"RAY_TRAIN_NCCLRAS_PATH", kHost},
    {"RAY_TRAIN_REPORT_BARRIER_WARN_INTERVAL_S", kLogging},
    {"RAY_TRAIN_STATE_ACTOR_RECONCILIATION_INTERVAL_S", kLogging},
    {"TORCH_PROCESS_GROUP_SHUTDOWN_TIMEOUT_S", kCollective},
    {"TRAIN_PLACEMENT_GROUP_TIMEOUT_S", kOther},
    {"TUNE_FORCE_TRIAL_CLEANUP_S", kOther},
    {"TUNE_GLOBAL_CHECKPOINT_S", kOther},
    {"TUNE_MAX_PENDING_TRIALS_PG", kOther},
    {"TUNE_RESTORE_RETRY_NUM", kOther},
}};

/// All that the nearest to a misspelt variable may be.
std::vector<std::string_view> own_names() {
  std::vector<std::string_view> names{kV2Enabled, kChdir, kHangAction};
  for (const Flag& flag : kFlagsFrom202609) {
    names.push_back(flag.name);
  }
  for (const Duration& duration : kDurations) {
    names.push_back(duration.name);
  }
  for (const Barrier& barrier : kBarriers) {
    names.push_back(barrier.name);
  }
  for (const RayVariable& other : kWithoutEffect) {
    names.push_back(other.name);
  }
  return names;
}

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return text;
}

/// "1" or "0", or Python's words for them, or an error.
std::optional<bool> flag_of_text(const std::string& pointer, const std::string& value,
                                 std::vector<ConfigIssue>& errors) {
  const std::string lower = lower_case(value);
  if (lower == "1" || lower == "true") {
    return true;
  }
  if (lower == "0" || lower == "false") {
    return false;
  }
  errors.push_back({pointer, "got \"" + value.substr(0, 80) + "\"", "\"1\" or \"0\"", {}});
  return std::nullopt;
}

/// Whether the version reads the variable; a warning where it does not.
bool is_read(const std::string& pointer, Versions versions, const Profile& profile,
             ConfigReading& reading) {
  if (versions.contains(profile.version)) {
    return true;
  }
  reading.warnings.push_back(
      {pointer,
       "no effect here: " + std::string(kNotRead) + ", only " + names_of(versions),
       {},
       {}});
  return false;
}

/// Whether it is a variable that some version of Ray Train V2 reads. Sets what it says.
bool read_own(const std::string& name, const std::string& value, const Profile& profile,
              ConfigReading& reading) {
  const std::string pointer = pointer_to("/env", name);
  const auto named = [&](const auto& entry) { return entry.name == name; };
  if (name == kHangAction) {
    const std::string action = lower_case(value);
    if (is_read(pointer, kFrom202609, profile, reading) && action != "fail" &&
        action != "observe") {
      reading.errors.push_back(
          {pointer, "got \"" + value.substr(0, 80) + "\"", "\"fail\" or \"observe\"", {}});
    }
    return true;
  }
  if (name == kV2Enabled || name == kChdir) {
    flag_of_text(pointer, value, reading.errors);
    return true;
  }
  if (const auto* flag = std::find_if(kFlagsFrom202609.begin(), kFlagsFrom202609.end(), named);
      flag != kFlagsFrom202609.end()) {
    if (is_read(pointer, kFrom202609, profile, reading)) {
      bool& out = reading.config.*flag->member;
      out = flag_of_text(pointer, value, reading.errors).value_or(out);
    }
    return true;
  }
  if (const auto* barrier = std::find_if(kBarriers.begin(), kBarriers.end(), named);
      barrier != kBarriers.end()) {
    if (is_read(pointer, barrier->versions, profile, reading)) {
      DurationUs timeout = 0;
      read_seconds_text(pointer, value, timeout, reading.errors);
      reading.config.report_barrier_timeout_us = timeout;
    }
    return true;
  }
  if (const auto* duration = std::find_if(kDurations.begin(), kDurations.end(), named);
      duration != kDurations.end()) {
    if (is_read(pointer, duration->versions, profile, reading)) {
      DurationUs& out = reading.config.*duration->member;
      read_seconds_text(pointer, value, out, reading.errors);
      if (out == 0 && !duration->zero_is_fine) {
        refuse_zero(pointer, reading.errors);
      }
    }
    return true;
  }
  return false;
}

/// The detector that the environment installs only tells of a hang, unless it is told to fail.
void observe_hangs(const std::map<std::string, std::string>& env, ConfigReading& reading) {
  const auto action = env.find(std::string(kHangAction));
  if (!reading.config.nccl_hang_callback || !env.contains(std::string(kHangDetector)) ||
      (action != env.end() && lower_case(action->second) == "fail")) {
    return;
  }
  reading.config.nccl_hang_callback = false;
  reading.warnings.push_back({pointer_to("/env", std::string(kHangDetector)),
                              "no effect here: without " + std::string(kHangAction) +
                                  "=fail it changes only what is logged",
                              {},
                              {}});
}

}  // namespace

void refuse_zero(const std::string& pointer, std::vector<ConfigIssue>& errors) {
  errors.push_back(
      {pointer, "with 0 the controller would spin without time passing", "seconds above 0", {}});
}

void read_environment(const std::map<std::string, std::string>& env, const Profile& profile,
                      ConfigReading& reading) {
  for (const auto& [name, value] : env) {
    if (read_own(name, value, profile, reading)) {
      continue;
    }
    const auto* known =
        std::find_if(kWithoutEffect.begin(), kWithoutEffect.end(),
                     [&](const RayVariable& variable) { return variable.name == name; });
    if (known != kWithoutEffect.end()) {
      reading.warnings.push_back(
          {pointer_to("/env", name), "no effect here: " + std::string(known->why), {}, {}});
    } else {
      judge_ray_variable(name, own_names(), reading.errors, reading.warnings);
    }
  }
  observe_hangs(env, reading);
}

}  // namespace aftershock::policies::ray_train
