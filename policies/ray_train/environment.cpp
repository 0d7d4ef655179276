#include "policies/ray_train/environment.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "policies/parts/decimal_seconds.h"

namespace aftershock::policies::ray_train {
namespace {

constexpr std::string_view kV2Enabled = "RAY_TRAIN_V2_ENABLED";

struct Setting {
  std::string_view name;
  DurationUs Config::* member;
  bool zero_is_fine;
};

// Ray Train V2, _internal/constants.py (2026-05).
constexpr std::array<Setting, 3> kSettings{{
    {"RAY_TRAIN_HEALTH_CHECK_INTERVAL_S", &Config::health_check_interval_us, false},
    {"RAY_TRAIN_WORKER_HEALTH_CHECK_TIMEOUT_S", &Config::worker_health_check_timeout_us, true},
    {"RAY_TRAIN_WORKER_GROUP_START_TIMEOUT_S", &Config::worker_group_start_timeout_us, false},
}};

constexpr std::string_view kLogging = "it changes only what is logged or measured";
constexpr std::string_view kCollective = "the job's own collective_timeout is what is simulated";
constexpr std::string_view kLater = "this profile's version does not read it yet";
constexpr std::string_view kEarlier = "this profile's version no longer reads it";
constexpr std::string_view kCluster = "the cluster's own settings are what is simulated";
constexpr std::string_view kHost = "it concerns the host process only";
constexpr std::string_view kOther = "another part of Ray reads it";

struct Known {
  std::string_view name;
  std::string_view why;
};

constexpr std::array<Known, 45> kWithoutEffect{{
    {"RAY_TRAIN_CALLBACKS", kHost},
    {"RAY_TRAIN_CHECKPOINT_UPLOAD_WARN_INTERVAL_S", kLogging},
    {"RAY_TRAIN_COLLECTIVE_TIMEOUT_S", kCollective},
    {"RAY_TRAIN_COLLECTIVE_WARN_INTERVAL_S", kLogging},
    {"RAY_TRAIN_COUNT_PREEMPTION_AS_FAILURE", kEarlier},
    {"RAY_TRAIN_ENABLE_CONTROLLER_STRUCTURED_LOGGING", kLogging},
    {"RAY_TRAIN_ENABLE_PREEMPTION_WATCHER", kLater},
    {"RAY_TRAIN_ENABLE_PRINT_PATCH", kLogging},
    {"RAY_TRAIN_ENABLE_STATE_ACTOR_RECONCILIATION", kLogging},
    {"RAY_TRAIN_ENABLE_STATE_TRACKING", kLogging},
    {"RAY_TRAIN_ENABLE_WORKER_STRUCTURED_LOGGING", kLogging},
    {"RAY_TRAIN_METRICS_ENABLED", kLogging},
    {"RAY_TRAIN_PREEMPTION_POLL_INTERVAL_S", kLater},
    {"RAY_TRAIN_REPORT_BARRIER_TIMEOUT_S", kEarlier},
    {"RAY_TRAIN_REPORT_BARRIER_WARN_INTERVAL_S", kEarlier},
    {"RAY_TRAIN_STATE_ACTOR_RECONCILIATION_INTERVAL_S", kLogging},
    {"RAY_ADDRESS", kHost},
    {"RAY_AIR_NEW_OUTPUT", kLogging},
    {"RAY_BACKEND_LOG_LEVEL", kLogging},
    {"RAY_CHDIR_TO_TRIAL_DIR", kOther},
    {"RAY_COLOR_PREFIX", kLogging},
    {"RAY_DEDUP_LOGS", kLogging},
    {"RAY_IGNORE_UNHANDLED_ERRORS", kLogging},
    {"RAY_LOG_TO_STDERR", kLogging},
    {"RAY_NAMESPACE", kHost},
    {"RAY_RUNTIME_ENV_HOOK", kHost},
    {"RAY_SCHEDULER_EVENTS", kLogging},
    {"RAY_TMPDIR", kHost},
    {"RAY_USAGE_STATS_ENABLED", kLogging},
    {"RAY_WARN_BLOCKING_GET_INSIDE_ASYNC", kLogging},
    {"RAY_health_check_failure_threshold", kCluster},
    {"RAY_health_check_initial_delay_ms", kCluster},
    {"RAY_health_check_period_ms", kCluster},
    {"RAY_health_check_timeout_ms", kCluster},
    {"RAY_memory_monitor_refresh_ms", kCluster},
    {"RAY_memory_usage_threshold", kCluster},
    {"TORCH_PROCESS_GROUP_SHUTDOWN_TIMEOUT_S", kCollective},
    {"TUNE_DISABLE_AUTO_CALLBACK_LOGGERS", kOther},
    {"TUNE_DISABLE_AUTO_CALLBACK_SYNCER", kOther},
    {"TUNE_DISABLE_SIGINT_HANDLER", kOther},
    {"TUNE_DISABLE_STRICT_METRIC_CHECKING", kOther},
    {"TUNE_FUNCTION_THREAD_TIMEOUT_S", kOther},
    {"TUNE_GLOBAL_CHECKPOINT_S", kOther},
    {"TUNE_MAX_PENDING_TRIALS_PG", kOther},
    {"TUNE_RESULT_BUFFER_LENGTH", kOther},
}};

bool looks_like_rays(std::string_view name) {
  return name.starts_with("RAY_") || name.starts_with("TUNE_");
}

std::string_view nearest_variable(std::string_view name) {
  std::vector<std::string_view> known{kV2Enabled};
  for (const Setting& setting : kSettings) {
    known.push_back(setting.name);
  }
  for (const Known& other : kWithoutEffect) {
    known.push_back(other.name);
  }
  return nearest_name(name, known);
}

void read_v2_enabled(const std::string& pointer, std::string value,
                     std::vector<ConfigIssue>& errors) {
  std::transform(value.begin(), value.end(), value.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  if (value == "1" || value == "true") {
    return;
  }
  if (value == "0" || value == "false") {
    errors.push_back({pointer,
                      "this asks for Ray Train V1, which is not shipped yet",
                      "\"1\", or no such variable",
                      {}});
    return;
  }
  errors.push_back({pointer, "got \"" + value + "\"", "\"1\" or \"0\"", {}});
}

}  // namespace

void read_seconds(const std::string& pointer, std::string_view text, DurationUs& out,
                  bool zero_is_fine, std::vector<ConfigIssue>& errors) {
  const auto duration = microseconds_from_seconds(text);
  if (duration && (*duration > 0 || zero_is_fine)) {
    out = *duration;
    return;
  }
  std::string message = "got \"" + std::string(text.substr(0, 80)) + "\"";
  if (duration) {
    message += ", with which the controller would spin without time passing";
  }
  errors.push_back({pointer,
                    std::move(message),
                    std::string(zero_is_fine ? "seconds" : "seconds above 0") +
                        ", at most six digits after the point",
                    {}});
}

void read_environment(const std::map<std::string, std::string>& env, ConfigReading& reading) {
  for (const auto& [name, value] : env) {
    const std::string pointer = pointer_to("/env", name);
    if (name == kV2Enabled) {
      read_v2_enabled(pointer, value, reading.errors);
      continue;
    }
    const auto named = [&](const auto& entry) { return entry.name == name; };
    const auto* setting = std::find_if(kSettings.begin(), kSettings.end(), named);
    if (setting != kSettings.end()) {
      read_seconds(pointer, value, reading.config.*setting->member, setting->zero_is_fine,
                   reading.errors);
      continue;
    }
    const auto* known = std::find_if(kWithoutEffect.begin(), kWithoutEffect.end(), named);
    if (known != kWithoutEffect.end()) {
      reading.warnings.push_back({pointer, "no effect here: " + std::string(known->why), {}, {}});
    } else if (looks_like_rays(name)) {
      reading.errors.push_back({pointer, "no such variable of Ray is known", "a known variable",
                                std::string(nearest_variable(name))});
    }
  }
}

}  // namespace aftershock::policies::ray_train
