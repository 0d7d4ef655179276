#include "policies/parts/pod_template.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include <nlohmann/json.hpp>

#include "policies/parts/config_values.h"

namespace aftershock::policies {
namespace {

using nlohmann::json;

constexpr std::string_view kUnreachable = "node.kubernetes.io/unreachable";
constexpr std::array<std::string_view, 3> kPodMembers{
    "restartPolicy", "terminationGracePeriodSeconds", "tolerations"};
constexpr std::array<std::string_view, 38> kPodRest{"affinity",
                                                    "automountServiceAccountToken",
                                                    "containers",
                                                    "dnsConfig",
                                                    "dnsPolicy",
                                                    "enableServiceLinks",
                                                    "ephemeralContainers",
                                                    "hostAliases",
                                                    "hostIPC",
                                                    "hostNetwork",
                                                    "hostPID",
                                                    "hostUsers",
                                                    "hostname",
                                                    "hostnameOverride",
                                                    "imagePullSecrets",
                                                    "initContainers",
                                                    "nodeName",
                                                    "nodeSelector",
                                                    "os",
                                                    "overhead",
                                                    "preemptionPolicy",
                                                    "priority",
                                                    "priorityClassName",
                                                    "readinessGates",
                                                    "resourceClaims",
                                                    "resources",
                                                    "runtimeClassName",
                                                    "schedulerName",
                                                    "schedulingGates",
                                                    "securityContext",
                                                    "serviceAccount",
                                                    "serviceAccountName",
                                                    "setHostnameAsFQDN",
                                                    "shareProcessNamespace",
                                                    "subdomain",
                                                    "topologySpreadConstraints",
                                                    "volumes",
                                                    "workloadRef"};
constexpr std::array<NotModelled, 1> kPodLoud{
    {{"activeDeadlineSeconds", "a pod that runs for so long fails"}}};
constexpr std::array<std::string_view, 5> kTolerationMembers{"effect", "key", "operator",
                                                             "tolerationSeconds", "value"};
constexpr std::array<std::string_view, 1> kTemplateMembers{"spec"};
constexpr std::array<std::string_view, 1> kTemplateRest{"metadata"};

bool is_of_type(bool right, const std::string& pointer, const json& value,
                std::string_view expected, Findings& findings) {
  if (!right) {
    findings.errors.push_back({pointer, shown(value), std::string(expected), {}});
  }
  return right;
}

void read_whole_seconds(const std::string& pointer, const json& value,
                        std::optional<DurationUs>& out, Findings& findings) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  const auto number = integer_value(value);
  if (number && *number >= 0 && *number <= kMost) {
    out = *number * kSecondUs;
    return;
  }
  findings.errors.push_back(
      {pointer, shown(value), "an integer from 0 to " + std::to_string(kMost), {}});
}

void read_toleration(const std::string& pointer, const json& value, PodTemplate& out,
                     Findings& findings) {
  if (!is_of_type(value.is_object(), pointer, value, "an object", findings)) {
    return;
  }
  const auto key = value.find("key");
  const bool ours = key != value.end() && *key == kUnreachable;
  for (const auto& item : value.items()) {
    if (std::ranges::find(kTolerationMembers, item.key()) == kTolerationMembers.end()) {
      not_followed(pointer, item.key(), "a member of a toleration", {kTolerationMembers}, findings);
    } else if (ours && item.key() == "tolerationSeconds") {
      read_whole_seconds(pointer_to(pointer, item.key()), item.value(), out.toleration_us,
                         findings);
    }
  }
}

/// The first container's name, by which messages tell of it.
std::optional<std::string> name_of_first(const json& containers) {
  if (!containers.is_array() || containers.empty() || !containers.front().is_object()) {
    return std::nullopt;
  }
  const auto name = containers.front().find("name");
  return name != containers.front().end() && name->is_string()
             ? std::optional(name->get<std::string>())
             : std::nullopt;
}

}  // namespace

PodTemplate read_pod_template(const std::string& pointer, const json& value,
                              ContainerRestarts restarts, Findings& findings) {
  PodTemplate out;
  if (!is_of_type(value.is_object(), pointer, value, "an object", findings)) {
    return out;
  }
  for (const auto& item : value.items()) {
    if (item.key() != "spec") {
      not_followed(pointer, item.key(), "spec", {kTemplateMembers, kTemplateRest}, findings);
    }
  }
  const auto spec = value.find("spec");
  const std::string place = pointer_to(pointer, "spec");
  if (spec == value.end() || !is_of_type(spec->is_object(), place, *spec, "an object", findings)) {
    return out;
  }
  if (const auto containers = spec->find("containers"); containers != spec->end()) {
    out.container = name_of_first(*containers);
  }
  for (const auto& item : spec->items()) {
    const std::string member = pointer_to(place, item.key());
    if (item.key() == "restartPolicy" && restarts == ContainerRestarts::kRefused) {
      is_of_type(item.value() == "Never", member, item.value(),
                 "\"Never\": containers that the kubelet restarts are not followed here", findings);
    } else if (item.key() == "terminationGracePeriodSeconds") {
      read_whole_seconds(member, item.value(), out.grace_us, findings);
    } else if (item.key() == "tolerations") {
      if (!is_of_type(item.value().is_array(), member, item.value(), "an array", findings)) {
        continue;
      }
      for (std::size_t at = 0; at < item.value().size(); ++at) {
        read_toleration(pointer_to(member, std::to_string(at)), item.value()[at], out, findings);
      }
    } else if (item.key() == "restartPolicy") {
      warn_no_effect(member, "the one beside the template takes its place", findings);
    } else {
      not_followed(place, item.key(), "a member of a pod's spec", {kPodMembers, kPodRest, kPodLoud},
                   findings);
    }
  }
  return out;
}

}  // namespace aftershock::policies
