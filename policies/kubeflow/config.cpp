#include "policies/kubeflow/config.h"

#include <string>

#include <nlohmann/json.hpp>

#include "policies/kubeflow/pytorch_job.h"
#include "policies/parts/settings.h"

namespace aftershock::policies::kubeflow {
namespace {

// In the order of RestartPolicy.
constexpr std::array<std::string_view, 4> kRestartPolicies{"OnFailure", "Always", "Never",
                                                           "ExitCode"};

void read_run_policy(Settings policy, ConfigReading& reading) {
  policy.count("backoffLimit", 0, reading.config.backoff_limit);
  policy.seconds("activeDeadlineSeconds", reading.config.active_deadline_us);
  policy.without_effect(
      {"cleanPodPolicy", "ttlSecondsAfterFinished", "schedulingPolicy", "suspend", "managedBy"},
      "it is about the queue, or about what is left when the job has ended", reading.warnings);
  policy.finish("a field of runPolicy");
}

void read_elastic_policy(Settings settings, ConfigReading& reading) {
  std::optional<std::uint32_t> most;
  ElasticPolicy& elastic = reading.config.elastic.emplace();
  settings.count("maxRestarts", 0, elastic.max_restarts);
  settings.count("minReplicas", 1, elastic.min_replicas);
  settings.count("maxReplicas", 1, most);
  if (most && elastic.min_replicas && *most < *elastic.min_replicas) {
    settings.refuse("maxReplicas", "at least minReplicas");
  }
  if (most && most == elastic.min_replicas) {
    elastic.min_replicas.reset();
  }
  settings.count("nProcPerNode", 1, reading.config.nproc_per_node);
  settings.without_effect(
      {"rdzvBackend", "rdzvHost", "rdzvPort", "rdzvId", "rdzvConf", "standalone", "metrics"},
      "the rendezvous has torchrun's own limits", reading.warnings);
  settings.finish("a field of elasticPolicy");
}

}  // namespace

ConfigReading read_config(const PolicyRequest& request) {
  ConfigReading reading;
  Settings settings(*request.config, "/config", reading.errors);
  std::size_t word = 0;
  settings.word("restartPolicy", kRestartPolicies, word);
  reading.config.restart_policy = static_cast<RestartPolicy>(word);
  settings.count("nprocPerNode", 1, reading.config.nproc_per_node);
  settings.seconds("tolerationSeconds", reading.config.toleration_us);
  read_run_policy(settings.object("runPolicy"), reading);
  if (settings.has("elasticPolicy")) {
    read_elastic_policy(settings.object("elasticPolicy"), reading);
  }
  settings.finish("a field of a PyTorchJob");
  return reading;
}

std::vector<Parameter> parameters() {
  return {
      {"restartPolicy", "\"OnFailure\", \"Always\", \"Never\" or \"ExitCode\"", "", "OnFailure",
       "what becomes of a pod that failed; ExitCode: 1 to 127 end the job, 128 to 255 do not", ""},
      {"runPolicy", "object", "", "{}",
       "backoffLimit (none: no limit): restarts of containers; activeDeadlineSeconds", ""},
      {"elasticPolicy", "object", "", "none",
       "torchrun in every pod: minReplicas, maxReplicas (the job's), maxRestarts (0)", ""},
      {"nprocPerNode", "integer", "", "the pool's accelerators per node",
       "workers of a pod; filled in from the scenario", ""},
      {"tolerationSeconds", "number", "s", "300",
       "how long a pod stays on a node that cannot be reached", ""},
  };
}

MakeResult make(const PolicyRequest& request) {
  return make_configured<PytorchJob>("kubeflow", kProfiles, read_config, request);
}

}  // namespace aftershock::policies::kubeflow
