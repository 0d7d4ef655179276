#include "policies/mindcluster/config.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "policies/job/config.h"
#include "policies/mindcluster/controller.h"
#include "policies/parts/config_values.h"
#include "policies/parts/integer_text.h"
#include "policies/parts/manifest.h"
#include "policies/parts/settings.h"

namespace aftershock::policies::mindcluster {
namespace {

using nlohmann::json;
using Errors = std::vector<ConfigIssue>;
using Words = std::span<const std::string_view>;

constexpr std::array<std::string_view, 9> kKeys{
    "backoffLimit",      "fault-retry-times",  "fault-scheduling",
    "grace-over-time",   "pod-rescheduling",   "recover-strategy",
    "separate-manually", "subHealthyStrategy", "wait-reschedule-timeout"};
constexpr std::array<std::string_view, 4> kSeparateKeys{"enabled", "fault_free_hours",
                                                        "fault_threshold", "fault_window_hours"};

constexpr std::string_view kLabelsAlone =
    "of this manifest its labels and annotations are followed";
constexpr std::string_view kNoVolcano =
    "MindCluster's rescheduling is followed, and Volcano's own restarts are not";

/// Labels are strings, also those that are numbers.
std::optional<std::int64_t> number_in(const json& value) {
  return value.is_string() ? integer_from_text(value.get<std::string>()) : integer_value(value);
}

std::optional<std::int64_t> read_within(const std::string& pointer, const json& value,
                                        std::int64_t least, std::int64_t most, Errors& errors) {
  const auto number = number_in(value);
  if (number && *number >= least && *number <= most) {
    return number;
  }
  errors.push_back({pointer,
                    shown(value),
                    "an integer from " + std::to_string(least) + " to " + std::to_string(most),
                    {}});
  return std::nullopt;
}

std::size_t read_word(const std::string& pointer, const json& value, Words words, Errors& errors) {
  const std::string word = value.is_string() ? value.get<std::string>() : std::string();
  const auto found = std::ranges::find(words, std::string_view(word));
  if (found != words.end()) {
    return static_cast<std::size_t>(found - words.begin());
  }
  std::string expected;
  for (const std::string_view known : words) {
    expected += expected.empty() ? "" : ", ";
    expected += known;
  }
  errors.push_back(
      {pointer, shown(value), "one of " + expected, std::string(nearest_name(word, words))});
  return 0;
}

void read_recover(const std::string& pointer, const json& value, Config& config, Errors& errors) {
  constexpr std::array<std::string_view, 5> kWords{"retry", "recover-in-place", "recover", "dump",
                                                   "exit"};
  const std::string text = value.is_string() ? value.get<std::string>() : std::string();
  if (!value.is_string()) {
    errors.push_back({pointer, shown(value), "text such as \"retry,recover,dump,exit\"", {}});
    return;
  }
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (word == "elastic-training") {
      errors.push_back({pointer,
                        "elastic-training: scaling a job in is not followed here",
                        "the other steps of the ladder",
                        {}});
    } else if (!word.empty()) {
      config.recover.push_back(static_cast<Recover>(read_word(pointer, word, kWords, errors)));
    }
    begin = end + 1;
  }
  std::ranges::sort(config.recover);
}

void read_separation(const std::string& pointer, const json& value, Config& config,
                     Errors& errors) {
  if (!value.is_object()) {
    errors.push_back({pointer, shown(value), "an object", {}});
    return;
  }
  constexpr DurationUs kHourUs = 3600 * kSecondUs;
  for (const auto& item : value.items()) {
    const std::string member = pointer_to(pointer, item.key());
    if (item.key() == "enabled") {
      read_flag(member, item.value(), config.separates_manually, errors);
    } else if (item.key() == "fault_window_hours") {
      config.fault_window_us =
          read_within(member, item.value(), 1, 720, errors).value_or(1) * kHourUs;
    } else if (item.key() == "fault_threshold") {
      config.fault_threshold =
          static_cast<std::uint32_t>(read_within(member, item.value(), 1, 50, errors).value_or(1));
    } else if (item.key() != "fault_free_hours") {
      errors.push_back({member, "no such setting", "a setting of manual separation",
                        std::string(nearest_name(item.key(), kSeparateKeys))});
    } else if (item.value().is_null()) {
      config.fault_free_us.reset();
    } else {
      config.fault_free_us =
          read_within(member, item.value(), 1, 240, errors).value_or(1) * kHourUs;
    }
  }
}

void read_member(const std::string& pointer, const std::string& key, const json& value,
                 Config& config, Errors& errors) {
  constexpr std::array<std::string_view, 2> kSwitch{"off", "on"};
  constexpr std::array<std::string_view, 3> kScheduling{"off", "grace", "force"};
  constexpr std::array<std::string_view, 4> kSubHealthy{"ignore", "graceExit", "forceExit",
                                                        "hotSwitch"};
  if (key == "fault-scheduling") {
    config.scheduling = static_cast<Scheduling>(read_word(pointer, value, kScheduling, errors));
  } else if (key == "pod-rescheduling") {
    config.pod_rescheduling = read_word(pointer, value, kSwitch, errors) == 1;
  } else if (key == "recover-strategy") {
    read_recover(pointer, value, config, errors);
  } else if (key == "fault-retry-times") {
    config.fault_retry_times =
        static_cast<std::uint32_t>(read_within(pointer, value, 0, 100, errors).value_or(0));
  } else if (key == "backoffLimit") {
    read_count(pointer, value, 0, "no limit", config.backoff_limit, errors);
  } else if (key == "grace-over-time") {
    config.grace_over_us = read_within(pointer, value, 2, 3600, errors).value_or(2) * kSecondUs;
  } else if (key == "wait-reschedule-timeout") {
    config.wait_reschedule_us =
        read_within(pointer, value, 30, 270, errors).value_or(30) * kSecondUs;
  } else if (key == "subHealthyStrategy") {
    config.sub_healthy = static_cast<SubHealthy>(read_word(pointer, value, kSubHealthy, errors));
  } else if (key == "separate-manually") {
    read_separation(pointer, value, config, errors);
  } else {
    errors.push_back({pointer, "no such setting", "a label, annotation or setting of MindCluster",
                      std::string(nearest_name(key, kKeys))});
  }
}

bool is_setting(std::string_view key) { return std::ranges::find(kKeys, key) != kKeys.end(); }

/// Labels and annotations of a manifest. Others than those that are followed are somebody else's.
void read_strings(const std::string& pointer, const json& strings, Config& config,
                  std::vector<std::string>& given, Findings& findings) {
  if (!strings.is_object()) {
    findings.errors.push_back({pointer, shown(strings), "an object", {}});
    return;
  }
  for (const auto& item : strings.items()) {
    const std::string member = pointer_to(pointer, item.key());
    const std::string_view meant = nearest_name(item.key(), kKeys);
    if (!is_setting(item.key())) {
      // In a cluster a misspelt label has no effect, either, and nobody says so.
      warn_no_effect(member,
                     meant.empty() ? std::string() : "the label is called " + std::string(meant),
                     findings);
    } else if (!item.value().is_string()) {
      findings.errors.push_back({member,
                                 shown(item.value()),
                                 "a string in quotes: labels and annotations are strings, and YAML "
                                 "takes on and off without quotes for true and false",
                                 {}});
    } else if (std::ranges::find(given, item.key()) != given.end()) {
      findings.errors.push_back({member, "it is given twice", "one value", {}});
    } else {
      given.push_back(item.key());
      read_member(member, item.key(), item.value(), config, findings.errors);
    }
  }
}

void read_metadata(const json& metadata, Config& config, Findings& findings) {
  if (!metadata.is_object()) {
    findings.errors.push_back({"/config/metadata", shown(metadata), "an object", {}});
    return;
  }
  std::vector<std::string> given;
  for (const char* const strings : {"labels", "annotations"}) {
    if (const auto found = metadata.find(strings); found != metadata.end() && !found->is_null()) {
      read_strings(pointer_to("/config/metadata", strings), *found, config, given, findings);
    }
  }
}

/// Pods of an AscendJob's replicaSpecs, or of a Volcano job's tasks.
void count_pods(const std::string& pointer, const json& value, SaidPods& pods, Findings& findings) {
  for (const auto& item : value.items()) {
    Settings replicas(item.value(), pointer_to(pointer, item.key()), findings.errors);
    std::uint32_t count = 1;
    replicas.count("replicas", 1, count);
    replicas.without_effect({"dependsOn", "maxRetry", "minAvailable", "name", "partitionPolicy",
                             "restartPolicy", "template", "topologyPolicy"},
                            kLabelsAlone, findings.warnings);
    replicas.not_modelled({"policies"}, kNoVolcano, findings);
    replicas.finish("a field of the pods of one role");
    pods.pods += count;
  }
  pods.pointer = pointer;
}

void read_run_policy(Settings policy, Config& config, Findings& findings) {
  policy.count("backoffLimit", 0, config.backoff_limit);
  policy.without_effect({"cleanPodPolicy", "schedulingPolicy", "ttlSecondsAfterFinished"},
                        "it is about the queue, or about what is left when the job has ended",
                        findings.warnings);
  policy.not_modelled({"activeDeadlineSeconds"}, "the job may run for as long as it takes",
                      findings);
  policy.finish("a field of runPolicy");
}

/// The spec of a manifest: how many pods there are, and an AscendJob's backoffLimit.
void read_spec(const ManifestSpec& manifest, bool ascend, Config& config, SaidPods& pods,
               Findings& findings) {
  Settings spec(*manifest.spec, manifest.pointer, findings.errors);
  const char* const replicas = ascend ? "replicaSpecs" : "tasks";
  if (const json* value = spec.member(replicas)) {
    if (ascend ? value->is_object() : value->is_array()) {
      count_pods(spec.pointer_of(replicas), *value, pods, findings);
    } else {
      spec.refuse(replicas, ascend ? "an object" : "an array");
    }
  }
  if (ascend) {
    read_run_policy(spec.object("runPolicy"), config, findings);
    spec.without_effect({"schedulerName", "successPolicy"}, kLabelsAlone, findings.warnings);
  } else {
    spec.without_effect(
        {"minAvailable", "minSuccess", "networkTopology", "plugins", "priorityClassName", "queue",
         "runningEstimate", "schedulerName", "ttlSecondsAfterFinished", "volumes"},
        kLabelsAlone, findings.warnings);
    spec.not_modelled({"maxRetry", "policies"}, kNoVolcano, findings);
  }
  spec.finish("a field of the job's spec");
}

/// Settings by their names.
void read_settings(const json& config_json, Config& config, Findings& findings) {
  if (!config_json.is_object()) {
    if (!config_json.is_null()) {
      findings.errors.push_back({"/config", shown(config_json), "an object", {}});
    }
    return;
  }
  for (const auto& item : config_json.items()) {
    read_member(pointer_to("/config", item.key()), item.key(), item.value(), config,
                findings.errors);
  }
}

/// A manifest. Settings of ClusterD and of the scheduler, which no label has, stand beside its
/// spec.
void read_manifest(const json& config_json, Config& config, SaidPods& pods, Findings& findings) {
  constexpr std::array<std::string_view, 3> kBeside{"grace-over-time", "metadata",
                                                    "separate-manually"};
  const ManifestSpec manifest = manifest_spec(config_json, kManifests, kBeside, findings);
  for (const auto& item : config_json.items()) {
    if (item.key() == "metadata") {
      read_metadata(item.value(), config, findings);
    } else if (is_setting(item.key())) {
      read_member(pointer_to("/config", item.key()), item.key(), item.value(), config,
                  findings.errors);
    }
  }
  if (findings.errors.empty()) {
    const bool volcano = config_json.value("kind", "") == "Job" || manifest.spec->contains("tasks");
    read_spec(manifest, !volcano, config, pods, findings);
  }
}

}  // namespace

MakeResult make(const PolicyRequest& request) {
  Findings findings{.errors = job::check_profile(request, kProfiles)};
  Config config;
  SaidPods pods;
  if (is_manifest(*request.config)) {
    read_manifest(*request.config, config, pods, findings);
  } else {
    read_settings(*request.config, config, findings);
  }
  if (!findings.errors.empty()) {
    return std::move(findings.errors);
  }
  if (config.scheduling == Scheduling::kOff &&
      (config.pod_rescheduling || config.fault_retry_times > 0)) {
    findings.warnings.push_back(
        {"/config",
         "fault-scheduling is off, so that nothing is rescheduled whatever else is set",
         {},
         {}});
  }
  ConfiguredPolicy configured{.policy = std::make_unique<MindCluster>(std::move(config)),
                              .warnings = std::move(findings.warnings)};
  if (pods.pods > 0) {
    configured.pods = std::move(pods);
  }
  return configured;
}

}  // namespace aftershock::policies::mindcluster
