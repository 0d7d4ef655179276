#include "policies/nvrx/config.h"

#include <nlohmann/json.hpp>

#include "policies/nvrx/launcher.h"
#include "policies/parts/settings.h"

namespace aftershock::policies::nvrx {
namespace {

constexpr std::array<std::string_view, 2> kEntries{"ft_launcher", "launch_config"};
constexpr std::array<std::string_view, 2> kStoreHosts{"rank_0", "outside"};
constexpr std::uint32_t kLaunchConfigRestarts = 3;
constexpr DurationUs kLaunchConfigMonitorUs = 30 * kSecondUs;

void read_in_process(Settings wrapper, ConfigReading& reading) {
  InProcess& in_process = reading.config.in_process.emplace();
  wrapper.seconds("soft_timeout", in_process.soft_timeout_us);
  wrapper.seconds("hard_timeout", in_process.hard_timeout_us);
  wrapper.seconds("barrier_timeout", in_process.barrier_timeout_us);
  wrapper.count("max_iterations", 1, in_process.max_iterations);
  if (in_process.soft_timeout_us == 0) {
    wrapper.refuse("soft_timeout", "more than 0 s");
  }
  if (in_process.hard_timeout_us <= in_process.soft_timeout_us) {
    wrapper.refuse("hard_timeout", "more than soft_timeout");
  }
  wrapper.without_effect({"monitor_thread_interval", "monitor_process_interval",
                          "progress_watchdog_interval", "last_call_wait"},
                         "they are the default of 1 s", reading.warnings);
  wrapper.without_effect({"heartbeat_interval", "heartbeat_timeout"},
                         "the cluster's heartbeat says when a node is given up", reading.warnings);
  wrapper.without_effect({"completion_timeout", "termination_grace_time"},
                         "the script's phases say how long it takes to stop", reading.warnings);
  wrapper.without_effect({"min_world_size", "min_active_world_size"},
                         "a job is of one size, and keeps no ranks in reserve", reading.warnings);
  wrapper.finish("a setting of the wrapper");
}

void read_launcher(Settings& settings, ConfigReading& reading) {
  Config& config = reading.config;
  std::size_t entry = 0;
  settings.word("entry", kEntries, entry);
  config.max_restarts = entry == 1 ? kLaunchConfigRestarts : 0;
  config.monitor_interval_us = entry == 1 ? kLaunchConfigMonitorUs : config.monitor_interval_us;
  settings.count("max_restarts", 0, config.max_restarts);
  settings.count("max_no_progress_cycles", 0, config.max_no_progress_cycles);
  settings.seconds("rank_heartbeat_timeout", config.rank_heartbeat_timeout_us);
  settings.seconds("workload_check_interval", config.workload_check_us);
  settings.seconds("node_health_check_interval", config.health_check_us);
  settings.seconds("monitor_interval", config.monitor_interval_us);
  settings.seconds("workers_stop_timeout", config.workers_stop_us);
  settings.seconds("rdzv_join_timeout", config.join_timeout_us);
  settings.count("nproc_per_node", 1, config.nproc_per_node);
  std::size_t host = 0;
  settings.word("store_host", kStoreHosts, host);
  config.store_on_rank_0 = host == 0;
  if (const auto* file = settings.member("checkpoint_iteration_file"); file != nullptr) {
    config.checkpoint_file = file->is_string() && !file->get<std::string>().empty();
    if (!config.checkpoint_file && !file->is_null()) {
      settings.refuse("checkpoint_iteration_file", "the path of a file, or null");
    }
  }
  const auto positive = [&](const char* name, DurationUs value_us) {
    if (value_us == 0) {
      settings.refuse(name, "more than 0 s");
    }
  };
  positive("workload_check_interval", config.workload_check_us);
  positive("node_health_check_interval", config.health_check_us);
  positive("monitor_interval", config.monitor_interval_us);
}

}  // namespace

ConfigReading read_config(const PolicyRequest& request) {
  ConfigReading reading;
  Settings settings(*request.config, "/config", reading.errors);
  read_launcher(settings, reading);
  if (settings.has("in_process")) {
    read_in_process(settings.object("in_process"), reading);
  }
  settings.without_effect({"initial_rank_heartbeat_timeout", "rank_section_timeouts",
                           "rank_out_of_section_timeout", "safety_factor", "num_warmup_iterations"},
                          "ranks send nothing here: only rank_heartbeat_timeout is looked at",
                          reading.warnings);
  settings.without_effect({"gpu_memory_reclaim_timeout", "gpu_memory_tolerance_mb",
                           "gpu_memory_poll_interval", "term_timeout", "restart_check_interval"},
                          "the script's phases say how long it takes to stop", reading.warnings);
  settings.without_effect({"restart_policy", "min_progress_iterations"},
                          "it is the default, any-failed and 1", reading.warnings);
  settings.finish("an option of ft_launcher");
  return reading;
}

std::vector<Parameter> parameters() {
  return {
      {"entry", "\"ft_launcher\" or \"launch_config\"", "", "ft_launcher",
       "the command line, or LaunchConfig: max_restarts 3, monitor_interval 30", ""},
      {"max_restarts", "integer", "", "0", "restarts of all processes, for whatever reason", ""},
      {"max_no_progress_cycles", "integer", "", "3",
       "cycles in a row, the first included, that may end without a new checkpoint; 0: any", ""},
      {"checkpoint_iteration_file", "string or null", "", "null",
       "where the script writes how far its newest checkpoint is; no cycle is scored without it, "
       "or "
       "before the first checkpoint",
       ""},
      {"in_process", "object", "", "none",
       "the wrapper: soft_timeout (60 s), hard_timeout (90 s), barrier_timeout (120 s), "
       "max_iterations (none): calls of the function in a process, the first included",
       ""},
      {"rank_heartbeat_timeout", "number or null", "s", "null",
       "without the wrapper: ranks that get no further for so long are restarted", ""},
      {"workload_check_interval", "number", "s", "5", "how often that is looked at", ""},
      {"node_health_check_interval", "number", "s", "5", "how often devices are looked at", ""},
      {"monitor_interval", "number", "s", "0.3",
       "how often the launcher looks at processes; with the wrapper that is each second", ""},
      {"workers_stop_timeout", "number", "s", "15", "how long processes may take to end", ""},
      {"rdzv_join_timeout", "number", "s", "300", "how long nodes are waited for", ""},
      {"store_host", "\"rank_0\" or \"outside\"", "", "rank_0",
       "where the store is: with its node the job goes", ""},
      {"nproc_per_node", "integer", "", "the pool's accelerators per node",
       "workers of a node; filled in from the scenario", ""},
  };
}

MakeResult make(const PolicyRequest& request) {
  return make_configured<Launcher>("nvrx", kProfiles, read_config, request);
}

}  // namespace aftershock::policies::nvrx
