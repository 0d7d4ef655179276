#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "policies/api/ids.h"
#include "policies/parts/manifest.h"

// The template of a workload's pods, as far as it says what becomes of them.
namespace aftershock::policies {

/// The answer of a family to restartPolicy of the pods.
enum class ContainerRestarts : std::uint8_t {
  kRefused,  ///< the family replaces pods, and a kubelet that restarts containers comes before that
  kNotRead,  ///< a policy beside the template takes its place
};

/// The parts that are followed.
struct PodTemplate {
  std::optional<DurationUs> grace_us{};       ///< terminationGracePeriodSeconds
  std::optional<DurationUs> toleration_us{};  ///< of node.kubernetes.io/unreachable
  std::optional<std::string> container{};     ///< the name of the first one
};

/// Reads a template.
PodTemplate read_pod_template(const std::string& pointer, const nlohmann::json& value,
                              ContainerRestarts restarts, Findings& findings);

}  // namespace aftershock::policies
