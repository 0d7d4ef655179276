#include "policies/kubeflow/config.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "policies/kubeflow/pytorch_job.h"
#include "policies/parts/config_values.h"
#include "policies/parts/integer_text.h"
#include "policies/parts/manifest.h"
#include "policies/parts/pod_template.h"
#include "policies/parts/settings.h"

namespace aftershock::policies::kubeflow {
namespace {

using nlohmann::json;

// In the order of RestartPolicy.
constexpr std::array<std::string_view, 4> kRestartPolicies{"OnFailure", "Always", "Never",
                                                           "ExitCode"};

constexpr std::array<std::string_view, 2> kOurs{"nprocPerNode", "tolerationSeconds"};

void read_run_policy(Settings policy, Config& config, Findings& findings) {
  policy.count("backoffLimit", 0, config.backoff_limit);
  policy.seconds("activeDeadlineSeconds", config.active_deadline_us);
  if (const auto* suspend = policy.member("suspend")) {
    read_suspend(policy.pointer_of("suspend"), *suspend, findings);
  }
  policy.without_effect({"cleanPodPolicy", "ttlSecondsAfterFinished", "schedulingPolicy"},
                        "it is about the queue, or about what is left when the job has ended",
                        findings.warnings);
  policy.not_modelled({"managedBy"}, "another controller decides, by rules of its own", findings);
  policy.finish("a field of runPolicy");
}

/// One of the two bounds alone is both (setDefaultsElasticPolicy, pytorch_defaults.go).
void read_elastic_policy(Settings settings, ConfigReading& reading, SaidPods& pods,
                         Findings& findings) {
  Config& config = reading.config;
  std::optional<std::uint32_t> most;
  ElasticPolicy& elastic = config.elastic.emplace();
  settings.count("maxRestarts", 0, elastic.max_restarts);
  settings.count("minReplicas", 1, elastic.min_replicas);
  settings.count("maxReplicas", 1, most);
  if (most && elastic.min_replicas && *most < *elastic.min_replicas) {
    settings.refuse("maxReplicas", "at least minReplicas");
  }
  const char* const least_key = elastic.min_replicas ? "minReplicas" : "maxReplicas";
  const char* const most_key = most ? "maxReplicas" : "minReplicas";
  elastic.min_replicas = elastic.min_replicas ? elastic.min_replicas : most;
  most = most ? most : elastic.min_replicas;
  pods.least = {elastic.min_replicas.value_or(0), settings.pointer_of(least_key)};
  pods.most = {most.value_or(0), settings.pointer_of(most_key)};
  if (most == elastic.min_replicas) {
    elastic.min_replicas.reset();
  }
  settings.count("nProcPerNode", 1, config.nproc_per_node);
  settings.without_effect(
      {"rdzvBackend", "rdzvHost", "rdzvPort", "rdzvId", "rdzvConf", "standalone", "metrics"},
      "the rendezvous has torchrun's own limits", findings.warnings);
  settings.finish("a field of elasticPolicy");
}

/// nprocPerNode of a manifest is text: a number, or a word for as many as the node has.
void read_processes(Settings& spec, Config& config) {
  const auto* value = spec.member("nprocPerNode");
  if (value == nullptr || *value == "auto" || *value == "gpu") {
    return;
  }
  const auto number =
      value->is_string() ? integer_from_text(value->get<std::string>()) : integer_value(*value);
  if (!number || *number < 1 || *number > INT32_MAX) {
    spec.refuse("nprocPerNode", R"(a number of processes such as "8", "auto" or "gpu")");
    return;
  }
  config.nproc_per_node = static_cast<std::uint32_t>(*number);
}

/// Pods of one role of pytorchReplicaSpecs. `policy` is that of a role that names none.
Role read_role(Settings replicas, RestartPolicy policy, Config& config, Findings& findings) {
  Role role{.restart_policy = policy};
  auto word = static_cast<std::size_t>(policy);
  replicas.count("replicas", 1, role.pods);
  replicas.word("restartPolicy", kRestartPolicies, word);
  role.restart_policy = static_cast<RestartPolicy>(word);
  if (const auto* pod = replicas.member("template")) {
    const PodTemplate read = read_pod_template(replicas.pointer_of("template"), *pod,
                                               ContainerRestarts::kNotRead, findings);
    config.toleration_us = read.toleration_us.value_or(config.toleration_us);
    config.grace_us = read.grace_us.value_or(config.grace_us);
  }
  replicas.finish("a field of a replica's spec");
  return role;
}

/// pytorchReplicaSpecs: the Master has the first ranks.
void read_replicas(Settings specs, std::string pointer, Config& config, SaidPods& pods,
                   Findings& findings) {
  pods.pointer = std::move(pointer);
  for (const char* const name : {"Master", "Worker"}) {
    if (const json* role = specs.member(name); role != nullptr && !role->is_null()) {
      config.roles.push_back(
          read_role(specs.object(name), config.restart_policy, config, findings));
      pods.pods += config.roles.back().pods;
      if (std::string_view(name) == "Master" && config.roles.back().pods != 1) {
        findings.errors.push_back({specs.pointer_of(name),
                                   std::to_string(config.roles.back().pods) + " replicas",
                                   "one Master (pytorchjob_webhook.go)",
                                   {}});
      }
    }
  }
  specs.finish("Master or Worker");
}

/// Settings of ours, which stand beside the spec of a manifest.
void read_ours(Settings& settings, Config& config) {
  settings.count("nprocPerNode", 1, config.nproc_per_node);
  settings.seconds("tolerationSeconds", config.toleration_us);
}

}  // namespace

RestartPolicy restart_policy_of(const Config& config, std::size_t pod) {
  for (const Role& role : config.roles) {
    if (pod < role.pods) {
      return role.restart_policy;
    }
    pod -= role.pods;
  }
  return config.restart_policy;
}

ConfigReading read_config(const PolicyRequest& request) {
  ConfigReading reading;
  Config& config = reading.config;
  Findings findings;
  const ManifestSpec manifest = manifest_spec(*request.config, kManifests, kOurs, findings);
  Settings settings(*manifest.spec, manifest.pointer, findings.errors);
  if (findings.pasted) {
    Settings beside(*request.config, "/config", findings.errors);
    read_ours(beside, config);
    read_processes(settings, config);
  } else {
    std::size_t word = 0;
    settings.word("restartPolicy", kRestartPolicies, word);
    config.restart_policy = static_cast<RestartPolicy>(word);
    read_ours(settings, config);
  }
  read_run_policy(settings.object("runPolicy"), config, findings);
  SaidPods pods;
  const json* elastic = settings.member("elasticPolicy");
  const json* roles = settings.member("pytorchReplicaSpecs");
  if (elastic != nullptr && !elastic->is_null()) {
    read_elastic_policy(settings.object("elasticPolicy"), reading, pods, findings);
  }
  if (roles != nullptr && !roles->is_null()) {
    read_replicas(settings.object("pytorchReplicaSpecs"),
                  settings.pointer_of("pytorchReplicaSpecs"), config, pods, findings);
  }
  pods.ranks_each = config.nproc_per_node;
  if (pods.pods > 0 || pods.least.pods > 0 || pods.most.pods > 0) {
    reading.pods = std::move(pods);
  }
  settings.finish("a field of a PyTorchJob");
  reading.errors = std::move(findings.errors);
  reading.warnings = std::move(findings.warnings);
  return reading;
}

std::vector<Parameter> parameters() {
  return {
      {"restartPolicy", "\"OnFailure\", \"Always\", \"Never\" or \"ExitCode\"", "", "OnFailure",
       "what becomes of a pod that failed; ExitCode: 1 to 127 end the job, 128 to 255 do not", ""},
      {"pytorchReplicaSpecs", "object", "", "one role of all pods",
       "Master and Worker: {replicas, restartPolicy, template}, the Master with the first ranks",
       ""},
      {"runPolicy", "object", "", "{}",
       "backoffLimit (none: no limit): as many restarts of containers fail the job; "
       "activeDeadlineSeconds",
       ""},
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
