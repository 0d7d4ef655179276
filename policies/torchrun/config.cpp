#include "policies/torchrun/config.h"

#include <algorithm>
#include <string>

#include <nlohmann/json.hpp>

#include "policies/parts/integer_text.h"
#include "policies/parts/settings.h"
#include "policies/torchrun/agents.h"

namespace aftershock::policies::torchrun {
namespace {

constexpr std::array<std::string_view, 4> kBackends{"c10d", "etcd-v2", "etcd", "static"};
constexpr std::size_t kC10d = 0;
constexpr std::size_t kStatic = 3;
constexpr std::array<std::string_view, 2> kEntries{"torchrun", "elastic_launch"};
constexpr std::uint32_t kLaunchConfigRestarts = 3;

/// "4", 4 or "2:4": the least and the most.
void read_nnodes(Settings& settings, Config& config) {
  const auto* value = settings.member("nnodes");
  if (value == nullptr || value->is_number_unsigned()) {
    return;
  }
  const std::string text = value->is_string() ? value->get<std::string>() : std::string();
  const std::size_t colon = text.find(':');
  const auto least = integer_from_text(text.substr(0, colon));
  const auto most = colon == std::string::npos ? least : integer_from_text(text.substr(colon + 1));
  if (!least || !most || *least < 1 || *most < *least || *most > INT32_MAX) {
    settings.refuse("nnodes", "a number of nodes, or \"MIN:MAX\"");
  } else if (*least < *most) {
    config.min_nodes = static_cast<std::uint32_t>(*least);
  }
}

void read_rdzv_conf(Settings conf, ConfigReading& reading) {
  conf.seconds("join_timeout", reading.config.join_timeout_us);
  conf.seconds("last_call_timeout", reading.config.last_call_timeout_us);
  conf.without_effect({"close_timeout"}, "a rendezvous is closed at once", reading.warnings);
  conf.without_effect({"keep_alive_interval", "keep_alive_max_attempt"},
                      "the cluster's heartbeat says when a node is given up", reading.warnings);
  conf.without_effect({"timeout", "read_timeout", "is_host"},
                      "the store answers as long as its nodes are reached", reading.warnings);
  conf.finish("a setting of the rendezvous");
}

}  // namespace

ConfigReading read_config(const PolicyRequest& request) {
  ConfigReading reading;
  Config& config = reading.config;
  Settings settings(*request.config, "/config", reading.errors);
  std::size_t entry = 0;
  settings.word("entry", kEntries, entry);
  config.max_restarts = entry == 1 ? kLaunchConfigRestarts : 0;
  settings.count("max_restarts", 0, config.max_restarts);
  settings.count("nproc_per_node", 1, config.nproc_per_node);
  read_nnodes(settings, config);
  settings.seconds("monitor_interval", config.monitor_interval_us);
  if (config.monitor_interval_us == 0) {
    settings.refuse("monitor_interval", "more than 0 s");
  }
  std::size_t backend = 0;
  settings.word("rdzv_backend", kBackends, backend);
  config.store_on_first_node = backend == kC10d || backend == kStatic;
  config.joins_are_seen = backend != kStatic;
  if (backend == kStatic && config.min_nodes) {
    settings.refuse("nnodes", "a number of nodes: a static rendezvous has no range of them");
  }
  config.shares_store = request.profile == kSharedStore && backend != kStatic;
  config.profile = request.profile == kSharedStore ? kSharedStore : kProfiles.front();
  config.seed = request.seed;
  read_rdzv_conf(settings.object("rdzv_conf"), reading);
  settings.seconds("exit_barrier_timeout", config.exit_barrier_timeout_us);
  settings.without_effect({"rdzv_endpoint", "rdzv_id"}, "names alone", reading.warnings);
  settings.without_effect({"start_method", "log_dir", "redirects", "tee", "role"},
                          "it is about how workers are started and what they write",
                          reading.warnings);
  settings.finish("an option of torchrun");
  return reading;
}

std::vector<Parameter> parameters() {
  return {
      {"entry", "\"torchrun\" or \"elastic_launch\"", "", "torchrun",
       "the command line, or LaunchConfig, whose max_restarts is 3", ""},
      {"max_restarts", "integer", "", "0", "of each agent, for the failures of its own workers",
       ""},
      {"nnodes", "integer or \"MIN:MAX\"", "", "the job's",
       "a range makes the group elastic; the most is the job's workers", ""},
      {"nproc_per_node", "integer", "", "the pool's accelerators per node",
       "workers of an agent; filled in from the scenario", ""},
      {"monitor_interval", "number", "s", "0.1", "how often an agent looks at its workers", ""},
      {"rdzv_backend", "\"c10d\", \"etcd-v2\", \"etcd\" or \"static\"", "", "c10d",
       "c10d and static have their store on the first node, etcd elsewhere; static is torchrun's "
       "own "
       "where no backend is named, and tells nobody of a restart",
       ""},
      {"rdzv_conf", "object", "", "{}", "limits of the rendezvous", ""},
      {"rdzv_conf/join_timeout", "number", "s", "600",
       "agents wait so long for the least number of nodes, and give up", ""},
      {"rdzv_conf/last_call_timeout", "number", "s", "30", "and so long for more than that", ""},
      {"exit_barrier_timeout", "number", "s", "300",
       "agents whose workers are through wait so long for the others", ""},
  };
}

MakeResult make(const PolicyRequest& request) {
  return make_configured<Torchrun>("torchrun", kProfiles, read_config, request);
}

}  // namespace aftershock::policies::torchrun
