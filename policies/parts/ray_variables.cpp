#include "policies/parts/ray_variables.h"

#include <algorithm>
#include <array>

namespace aftershock::policies {
namespace {

constexpr std::string_view kLogging = "it changes only what is logged or measured";
constexpr std::string_view kTrainV2 = "only Ray Train V2 reads it";
constexpr std::string_view kCluster = "the cluster's own settings are what is simulated";
constexpr std::string_view kHost = "it concerns the host process only";
constexpr std::string_view kStorage = "where a run stores its files is the job's own setting";
constexpr std::string_view kScheduling = "what it tunes is not simulated";
constexpr std::string_view kRemoved = "Ray no longer reads it since 2.10; use storage_path";

constexpr std::array<RayVariable, 106> kWithoutEffect{{
    {"RAY_ADDRESS", kHost},
    {"RAY_AIR_LOCAL_CACHE_DIR", kRemoved},
    {"RAY_AIR_NEW_OUTPUT", kLogging},
    {"RAY_AIR_REENABLE_DEPRECATED_SYNC_TO_HEAD_NODE", kStorage},
    {"RAY_AIR_VERBOSITY", kLogging},
    {"RAY_ALLOW_SLOW_STORAGE", kHost},
    {"RAY_BACKEND_LOG_JSON", kLogging},
    {"RAY_BACKEND_LOG_LEVEL", kLogging},
    {"RAY_COLOR_PREFIX", kLogging},
    {"RAY_DEBUG", kHost},
    {"RAY_DEBUG_POST_MORTEM", kHost},
    {"RAY_DEDUP_LOGS", kLogging},
    {"RAY_DEDUP_LOGS_AGG_WINDOW_S", kLogging},
    {"RAY_DEDUP_LOGS_ALLOW_REGEX", kLogging},
    {"RAY_DEDUP_LOGS_SKIP_REGEX", kLogging},
    {"RAY_DISABLE_DASHBOARD_LOG_INFO", kLogging},
    {"RAY_DISABLE_DOCKER_CPU_WARNING", kHost},
    {"RAY_DISABLE_MEMORY_MONITOR", kCluster},
    {"RAY_ENABLE_RECORD_ACTOR_TASK_LOGGING", kLogging},
    {"RAY_EXPERIMENTAL_NOSET_CUDA_VISIBLE_DEVICES", kHost},
    {"RAY_GCS_SERVER_PORT", kHost},
    {"RAY_HEALTHCHECK_EXPIRATION_S", kCluster},
    {"RAY_IGNORE_UNHANDLED_ERRORS", kLogging},
    {"RAY_JOB_SUBMIT_HOOK", kHost},
    {"RAY_LOG_MONITOR_MAX_OPEN_FILES", kLogging},
    {"RAY_LOG_MONITOR_NUM_LINES_TO_READ", kLogging},
    {"RAY_LOG_TO_STDERR", kLogging},
    {"RAY_NAMESPACE", kHost},
    {"RAY_OVERRIDE_DASHBOARD_URL", kLogging},
    {"RAY_OVERRIDE_LABELS", kHost},
    {"RAY_OVERRIDE_RESOURCES", kHost},
    {"RAY_PROFILING", kLogging},
    {"RAY_ROTATION_BACKUP_COUNT", kLogging},
    {"RAY_ROTATION_MAX_BYTES", kLogging},
    {"RAY_RUNTIME_ENV", kHost},
    {"RAY_RUNTIME_ENV_HOOK", kHost},
    {"RAY_RUNTIME_ENV_IGNORE_GITIGNORE", kHost},
    {"RAY_RUNTIME_ENV_TEMPORARY_REFERENCE_EXPIRATION_S", kHost},
    {"RAY_SCHEDULER_EVENTS", kLogging},
    {"RAY_START_HOOK", kHost},
    {"RAY_STORAGE", kStorage},
    {"RAY_TMPDIR", kHost},
    {"RAY_TRAIN_CALLBACKS", kTrainV2},
    {"RAY_TRAIN_CHECKPOINT_UPLOAD_WARN_INTERVAL_S", kTrainV2},
    {"RAY_TRAIN_COLLECTIVE_TIMEOUT_S", kTrainV2},
    {"RAY_TRAIN_COLLECTIVE_WARN_INTERVAL_S", kTrainV2},
    {"RAY_TRAIN_ENABLE_CONTROLLER_STRUCTURED_LOGGING", kTrainV2},
    {"RAY_TRAIN_ENABLE_NCCL_HANG_DETECTOR", kTrainV2},
    {"RAY_TRAIN_ENABLE_PREEMPTION_WATCHER", kTrainV2},
    {"RAY_TRAIN_ENABLE_PRINT_PATCH", kTrainV2},
    {"RAY_TRAIN_ENABLE_STATE_ACTOR_RECONCILIATION", kTrainV2},
    {"RAY_TRAIN_ENABLE_STATE_TRACKING", kLogging},
    {"RAY_TRAIN_ENABLE_WORKER_STRUCTURED_LOGGING", kTrainV2},
    {"RAY_TRAIN_HEALTH_CHECK_INTERVAL_S", kTrainV2},
    {"RAY_TRAIN_METRICS_ENABLED", kTrainV2},
    {"RAY_TRAIN_NCCLRAS_PATH", kTrainV2},
    {"RAY_TRAIN_NCCL_RAS_ACTION", kTrainV2},
    {"RAY_TRAIN_NCCL_RAS_CONFIRM_DURATION_S", kTrainV2},
    {"RAY_TRAIN_NCCL_RAS_MIN_POLL_INTERVAL_S", kTrainV2},
    {"RAY_TRAIN_PREEMPTION_POLL_INTERVAL_S", kTrainV2},
    {"RAY_TRAIN_REPORT_BARRIER_TIMEOUT_S", kTrainV2},
    {"RAY_TRAIN_REPORT_BARRIER_WARN_INTERVAL_S", kTrainV2},
    {"RAY_TRAIN_STATE_ACTOR_RECONCILIATION_INTERVAL_S", kTrainV2},
    {"RAY_TRAIN_WORKER_GROUP_START_TIMEOUT_S", kTrainV2},
    {"RAY_TRAIN_WORKER_HEALTH_CHECK_TIMEOUT_S", kTrainV2},
    {"RAY_USAGE_STATS_ENABLED", kLogging},
    {"RAY_USE_MULTIPROCESSING_CPU_COUNT", kHost},
    {"RAY_WARN_BLOCKING_GET_INSIDE_ASYNC", kLogging},
    {"RAY_enable_autoscaler_v2", kCluster},
    {"RAY_event_stats", kLogging},
    {"RAY_gcs_rpc_server_reconnect_timeout_s", kCluster},
    {"RAY_grpc_enable_http_proxy", kHost},
    {"RAY_health_check_failure_threshold", kCluster},
    {"RAY_health_check_initial_delay_ms", kCluster},
    {"RAY_health_check_period_ms", kCluster},
    {"RAY_health_check_timeout_ms", kCluster},
    {"RAY_local_fs_capacity_threshold", kCluster},
    {"RAY_memory_monitor_refresh_ms", kCluster},
    {"RAY_memory_usage_threshold", kCluster},
    {"RAY_object_store_memory", kCluster},
    {"RAY_record_ref_creation_sites", kLogging},
    {"RAY_record_task_actor_creation_sites", kLogging},
    {"RAY_scheduler_spread_threshold", kCluster},
    {"RAY_task_oom_retries", kCluster},
    {"RAY_worker_register_timeout_seconds", kCluster},
    {"TUNE_DISABLE_AUTO_CALLBACK_LOGGERS", kLogging},
    {"TUNE_DISABLE_AUTO_CALLBACK_SYNCER", kStorage},
    {"TUNE_DISABLE_AUTO_INIT", kHost},
    {"TUNE_DISABLE_DATED_SUBDIR", kStorage},
    {"TUNE_DISABLE_SIGINT_HANDLER", kHost},
    {"TUNE_DISABLE_STRICT_METRIC_CHECKING", kLogging},
    {"TUNE_FUNCTION_THREAD_TIMEOUT_S", kScheduling},
    {"TUNE_MAX_LEN_IDENTIFIER", kLogging},
    {"TUNE_NODE_SYNCING_MAX_RETRIES", kStorage},
    {"TUNE_PLACEMENT_GROUP_PREFIX", kLogging},
    {"TUNE_PLACEMENT_GROUP_RECON_INTERVAL", kScheduling},
    {"TUNE_PRINT_ALL_TRIAL_ERRORS", kLogging},
    {"TUNE_RESULT_BUFFER_LENGTH", kScheduling},
    {"TUNE_RESULT_BUFFER_MAX_TIME_S", kScheduling},
    {"TUNE_RESULT_BUFFER_MIN_TIME_S", kScheduling},
    {"TUNE_RESULT_DELIM", kLogging},
    {"TUNE_SYNC_DISABLE_BOOTSTRAP", kStorage},
    {"TUNE_WARN_EXCESSIVE_EXPERIMENT_CHECKPOINT_SYNC_THRESHOLD_S", kLogging},
    {"TUNE_WARN_INSUFFICENT_RESOURCE_THRESHOLD_S", kLogging},
    {"TUNE_WARN_SLOW_EXPERIMENT_CHECKPOINT_SYNC_THRESHOLD_S", kLogging},
    {"TUNE_WARN_THRESHOLD_S", kLogging},
}};

bool looks_like_rays(std::string_view name) {
  return name.starts_with("RAY_") || name.starts_with("TUNE_");
}

}  // namespace

std::span<const RayVariable> ray_variables_without_effect() { return kWithoutEffect; }

void judge_ray_variable(std::string_view name, std::span<const std::string_view> read,
                        std::vector<ConfigIssue>& errors, std::vector<ConfigIssue>& warnings) {
  const std::string pointer = pointer_to("/env", name);
  const auto* known =
      std::find_if(kWithoutEffect.begin(), kWithoutEffect.end(),
                   [&](const RayVariable& variable) { return variable.name == name; });
  if (known != kWithoutEffect.end()) {
    warnings.push_back({pointer, "no effect here: " + std::string(known->why), {}, {}});
    return;
  }
  if (!looks_like_rays(name)) {
    return;
  }
  std::vector<std::string_view> names(read.begin(), read.end());
  for (const RayVariable& variable : kWithoutEffect) {
    names.push_back(variable.name);
  }
  errors.push_back({pointer, "no such variable of Ray is known", "a known variable",
                    std::string(nearest_name(name, names))});
}

}  // namespace aftershock::policies
