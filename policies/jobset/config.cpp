#include "policies/jobset/config.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include <nlohmann/json.hpp>

#include "policies/job/config.h"
#include "policies/jobset/controller.h"
#include "policies/jobset/message_patterns.h"
#include "policies/parts/config_values.h"
#include "policies/parts/manifest.h"

namespace aftershock::policies::jobset {
namespace {

using nlohmann::json;
using Errors = std::vector<ConfigIssue>;
using Names = std::span<const std::string_view>;

constexpr std::array<std::string_view, 3> kKeys{"failurePolicy", "replicatedJobs", "suspend"};
constexpr std::array<std::string_view, 1> kOurs{"featureGates"};
constexpr std::array<std::string_view, 4> kKeysAndOurs{"failurePolicy", "featureGates",
                                                       "replicatedJobs", "suspend"};
constexpr std::array<std::string_view, 2> kGates{"InPlaceRestart", "RestartJob"};
constexpr std::array<std::string_view, 4> kRest{"coordinator", "network", "ttlSecondsAfterFinished",
                                                "volumeClaimPolicies"};
constexpr std::array<NotModelled, 3> kLoud{
    {{"managedBy", "another controller decides, by rules of its own"},
     {"startupPolicy", "all Jobs start at once, also after a restart"},
     {"successPolicy", "the set succeeds when all its Jobs have"}}};
constexpr std::array<std::string_view, 3> kReplicatedKeys{"name", "replicas", "template"};
constexpr std::array<std::string_view, 1> kReplicatedRest{"groupName"};
constexpr std::array<NotModelled, 1> kReplicatedLoud{
    {{"dependsOn", "all Jobs start at once, also after a restart"}}};
constexpr std::array<std::string_view, 3> kPolicyKeys{"maxRestarts", "restartStrategy", "rules"};
constexpr std::array<std::string_view, 5> kRuleKeys{"action", "name", "onJobFailureMessagePatterns",
                                                    "onJobFailureReasons", "targetReplicatedJobs"};
constexpr std::array<std::string_view, 5> kActions{"FailJobSet", "RestartJobSet",
                                                   "RestartJobSetAndIgnoreMaxRestarts",
                                                   "RestartJob", "RestartJobAndIgnoreMaxRestarts"};
constexpr std::array<std::string_view, 3> kStrategies{"Recreate", "BlockingRecreate",
                                                      "InPlaceRestart"};
constexpr std::array<std::string_view, 5> kReasons{"BackoffLimitExceeded", "DeadlineExceeded",
                                                   "FailedIndexes", "MaxFailedIndexesExceeded",
                                                   "PodFailurePolicy"};
constexpr std::uint32_t kMostReplicas = 10'000;

bool has(Names names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// Whether it is an object, whose members that are not known are told.
bool check_members(const std::string& pointer, const json& value, const Members& known,
                   Findings& findings) {
  if (!value.is_object()) {
    findings.errors.push_back({pointer, shown(value), "an object", {}});
    return false;
  }
  for (const auto& item : value.items()) {
    if (!has(known.followed, item.key())) {
      not_followed(pointer, item.key(), "a member of a JobSet", known, findings);
    }
  }
  return true;
}

std::size_t read_word(const std::string& pointer, const json& value, Names known, Errors& errors) {
  const std::string word = value.is_string() ? value.get<std::string>() : std::string();
  const auto found = std::ranges::find(known, std::string_view(word));
  if (found == known.end()) {
    std::string expected;
    for (const std::string_view name : known) {
      expected += expected.empty() ? "" : ", ";
      expected += name;
    }
    errors.push_back(
        {pointer, shown(value), "one of " + expected, std::string(nearest_name(word, known))});
    return 0;
  }
  return static_cast<std::size_t>(found - known.begin());
}

/// Names, each of which must be one of `known`.
void read_known(const std::string& pointer, const json& value, Names known,
                std::vector<std::string>& out, Errors& errors) {
  read_names(pointer, value, out, errors);
  for (const std::string& name : out) {
    if (!has(known, name)) {
      errors.push_back({pointer, "there is no \"" + name + '"', "names that there are",
                        std::string(nearest_name(name, known))});
    }
  }
}

void read_patterns(const std::string& pointer, const json& value, std::vector<std::string>& out,
                   Errors& errors) {
  read_names(pointer, value, out, errors);
  for (const std::string& pattern : out) {
    if (!is_pattern(pattern)) {
      errors.push_back({pointer,
                        "\"" + pattern + "\" is not a regular expression that is known here",
                        "such as \"exit code 42\", or \"(?i)out of memory\"",
                        {}});
    }
  }
}

void read_replicated(const std::string& pointer, const json& value, Config& config,
                     Findings& findings) {
  Errors& errors = findings.errors;
  if (!check_members(pointer, value, {kReplicatedKeys, kReplicatedRest, kReplicatedLoud},
                     findings)) {
    return;
  }
  job::Child child;
  const auto name = value.find("name");
  if (name == value.end() || !name->is_string()) {
    errors.push_back({pointer, "it has no name", "\"name\", a string", {}});
  } else {
    child.name = name->get<std::string>();
  }
  std::optional<std::uint32_t> replicas = 1;
  if (const auto given = value.find("replicas"); given != value.end()) {
    read_count(pointer_to(pointer, "replicas"), *given, 1, "1", replicas, errors);
  }
  if (const auto given = value.find("template"); given != value.end()) {
    const std::string at = pointer_to(pointer, "template");
    constexpr std::array<std::string_view, 1> kTemplate{"spec"};
    constexpr std::array<std::string_view, 1> kTemplateRest{"metadata"};
    if (check_members(at, *given, {kTemplate, kTemplateRest}, findings) &&
        given->contains("spec")) {
      child.spec = job::read_spec(pointer_to(at, "spec"), (*given)["spec"], true, findings);
    }
  }
  child.pods = child.spec.completions.value_or(0);
  if (replicas.value_or(1) > kMostReplicas) {
    errors.push_back({pointer_to(pointer, "replicas"), "too many", "at most 10000", {}});
    return;
  }
  for (std::uint32_t replica = 0; replica < replicas.value_or(1); ++replica) {
    child.object = config.object + '-' + child.name + '-' + std::to_string(replica);
    config.children.push_back(child);
  }
}

/// The error where the API server refuses a member (jobset_webhook.go:171, :441).
ConfigIssue gate_is_off(const std::string& pointer, std::string_view gate) {
  return {pointer,
          "the feature gate " + std::string(gate) + " is off by default",
          "\"featureGates\": {\"" + std::string(gate) + "\": true} where it is on",
          {}};
}

void read_rule(const std::string& pointer, const json& value, Names jobs, bool restart_job,
               FailurePolicy& policy, Findings& findings) {
  Errors& errors = findings.errors;
  if (!check_members(pointer, value, {kRuleKeys}, findings)) {
    return;
  }
  Rule& rule = policy.rules.emplace_back();
  if (!value.contains("action")) {
    errors.push_back({pointer, "it has no action", "\"action\", such as RestartJobSet", {}});
  }
  for (const auto& item : value.items()) {
    const std::string member = pointer_to(pointer, item.key());
    if (item.key() == "action") {
      rule.action = static_cast<Action>(read_word(member, item.value(), kActions, errors));
      const bool one = rule.action == Action::kRestartJob ||
                       rule.action == Action::kRestartJobAndIgnoreMaxRestarts;
      if (one && !restart_job) {
        errors.push_back(gate_is_off(member, "RestartJob"));
      }
    } else if (item.key() == "name") {
      read_text(member, item.value(), rule.name, errors);
    } else if (item.key() == "onJobFailureReasons") {
      read_known(member, item.value(), kReasons, rule.reasons, errors);
    } else if (item.key() == "onJobFailureMessagePatterns") {
      read_patterns(member, item.value(), rule.patterns, errors);
    } else if (item.key() == "targetReplicatedJobs") {
      read_known(member, item.value(), jobs, rule.targets, errors);
    }
  }
}

void read_failure_policy(const std::string& pointer, const json& value, Config& config,
                         Findings& findings) {
  Errors& errors = findings.errors;
  if (!check_members(pointer, value, {kPolicyKeys}, findings)) {
    return;
  }
  FailurePolicy& policy = config.failure_policy.emplace();
  if (const auto given = value.find("maxRestarts"); given != value.end()) {
    std::optional<std::uint32_t> restarts = 0;
    read_count(pointer_to(pointer, "maxRestarts"), *given, 0, "0", restarts, errors);
    policy.max_restarts = restarts.value_or(0);
  }
  if (const auto given = value.find("restartStrategy"); given != value.end()) {
    policy.strategy = static_cast<Strategy>(
        read_word(pointer_to(pointer, "restartStrategy"), *given, kStrategies, errors));
    if (policy.strategy == Strategy::kInPlaceRestart && !config.in_place_restart) {
      errors.push_back(gate_is_off(pointer_to(pointer, "restartStrategy"), "InPlaceRestart"));
    }
  }
  const auto rules = value.find("rules");
  if (rules == value.end()) {
    return;
  }
  const std::string at = pointer_to(pointer, "rules");
  if (!rules->is_array()) {
    errors.push_back({at, shown(*rules), "an array", {}});
    return;
  }
  std::vector<std::string_view> jobs;
  for (const job::Child& child : config.children) {
    jobs.push_back(child.name);
  }
  for (std::size_t index = 0; index < rules->size(); ++index) {
    read_rule(pointer_to(at, std::to_string(index)), (*rules)[index], jobs, config.restart_job,
              policy, findings);
  }
}

void read_gates(const json& config, Config& out, Findings& findings) {
  const auto gates = config.find("featureGates");
  if (gates == config.end() || !check_members("/config/featureGates", *gates, {kGates}, findings)) {
    return;
  }
  for (const auto& gate : gates->items()) {
    read_flag(pointer_to("/config/featureGates", gate.key()), gate.value(),
              gate.key() == "RestartJob" ? out.restart_job : out.in_place_restart, findings.errors);
  }
}

/// The name of the object, with its namespace.
std::string object_of(const json& config) {
  const auto at = [&config](const char* member, const char* otherwise) {
    const auto metadata = config.find("metadata");
    const json found = metadata != config.end() && metadata->is_object()
                           ? metadata->value(member, json())
                           : json();
    return found.is_string() ? found.get<std::string>() : std::string(otherwise);
  };
  return at("namespace", "default") + '/' + at("name", "jobset");
}

/// Adds errors where the API server refuses Jobs whose pods restart in place
/// (jobset_webhook.go:266).
void check_in_place(const std::string& pointer, const json& jobs, Findings& findings) {
  const auto of_job = "/template/spec"_json_pointer;
  for (std::size_t at = 0; jobs.is_array() && at < jobs.size(); ++at) {
    const json spec = jobs[at].contains(of_job) ? jobs[at].at(of_job) : json::object();
    if (!jobs[at].is_object() || !spec.is_object()) {
      continue;  // an error by itself
    }
    const std::string place = pointer_to(pointer, std::to_string(at)) + "/template/spec/";
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
    if (spec.value("backoffLimit", json()) != kMost) {
      findings.errors.push_back(
          {place + "backoffLimit", "containers are restarted in place", std::to_string(kMost), {}});
    }
    if (spec.value("podReplacementPolicy", json()) != "Failed") {
      findings.errors.push_back(
          {place + "podReplacementPolicy", "containers are restarted in place", "\"Failed\"", {}});
    }
    if (!spec.contains("completions") || !spec.contains("parallelism")) {
      findings.errors.push_back({place + "completions",
                                 "containers are restarted in place",
                                 "completions and parallelism, as many",
                                 {}});
    }
  }
}

/// Adds an error where pods that a manifest describes get restartPolicy OnFailure, as it says none
/// (jobset_webhook.go, applyDefaults).
void check_restart_policies(const std::string& pointer, const json& jobs, Findings& findings) {
  const auto pods = "/template/spec/template/spec"_json_pointer;
  for (std::size_t at = 0; jobs.is_array() && at < jobs.size(); ++at) {
    const json pod = jobs[at].contains(pods) ? jobs[at].at(pods) : json();
    if (pod.contains("containers") && !pod.contains("restartPolicy")) {
      findings.errors.push_back(
          {pointer_to(pointer, std::to_string(at)) + "/template/spec/template/spec",
           "JobSet's webhook gives such pods restartPolicy OnFailure",
           "restartPolicy Never: containers that the kubelet restarts are not "
           "followed here",
           {}});
    }
  }
}

void read_jobs(const std::string& pointer, const json& value, Config& config, Findings& findings) {
  Errors& errors = findings.errors;
  const auto jobs = value.find("replicatedJobs");
  const std::string at = pointer_to(pointer, "replicatedJobs");
  if (jobs == value.end()) {
    config.children.push_back({.spec = {.indexed = true, .backoff_limit = 0},
                               .name = "workers",
                               .object = config.object + "-workers-0"});
    return;
  }
  if (!jobs->is_array() || jobs->empty()) {
    errors.push_back({at, shown(*jobs), "an array of one replicated job or more", {}});
    return;
  }
  check_restart_policies(at, *jobs, findings);
  for (std::size_t index = 0; index < jobs->size(); ++index) {
    read_replicated(pointer_to(at, std::to_string(index)), (*jobs)[index], config, findings);
  }
  const bool given = std::ranges::any_of(config.children, &job::Child::pods);
  const bool missing =
      std::ranges::any_of(config.children, [](const job::Child& one) { return one.pods == 0; });
  if (given && missing) {
    errors.push_back({at,
                      "some have completions and some do not",
                      "completions in every template, or in none",
                      {}});
  }
}

}  // namespace

MakeResult make(const PolicyRequest& request) {
  Findings findings{.errors = job::check_profile(request, kProfiles)};
  const ManifestSpec manifest = manifest_spec(*request.config, kManifests, kOurs, findings);
  const json& value = *manifest.spec;
  const std::string& pointer = manifest.pointer;
  Config config;
  config.object = object_of(*request.config);
  read_gates(*request.config, config, findings);
  const Names keys = findings.pasted ? Names(kKeys) : Names(kKeysAndOurs);
  if (check_members(pointer, value, {keys, kRest, kLoud}, findings)) {
    if (const auto suspend = value.find("suspend"); suspend != value.end()) {
      read_suspend(pointer_to(pointer, "suspend"), *suspend, findings);
    }
    read_jobs(pointer, value, config, findings);
    if (const auto policy = value.find("failurePolicy"); policy != value.end()) {
      read_failure_policy(pointer_to(pointer, "failurePolicy"), *policy, config, findings);
      if (config.failure_policy && config.failure_policy->strategy == Strategy::kInPlaceRestart &&
          config.in_place_restart) {
        check_in_place(pointer_to(pointer, "replicatedJobs"),
                       value.value("replicatedJobs", json::array({json::object()})), findings);
      }
    }
  }
  if (!findings.errors.empty()) {
    return std::move(findings.errors);
  }
  ConfiguredPolicy configured{.policy = nullptr, .warnings = std::move(findings.warnings)};
  SaidPods pods{.pointer = pointer_to(pointer, "replicatedJobs")};
  for (const job::Child& child : config.children) {
    pods.pods += child.pods;
  }
  if (findings.pasted && pods.pods > 0) {
    configured.pods = std::move(pods);
  }
  configured.policy = std::make_unique<JobSet>(std::move(config));
  return configured;
}

}  // namespace aftershock::policies::jobset
