#include "sim/scenario/read/policy_request.h"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "policies/registry.h"
#include "sim/scenario/text/error.h"

namespace aftershock::sim::scenario {

std::variant<PolicySpec, std::string> policy_named(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view title = text.substr(0, colon);
  const std::size_t at = title.find('@');
  if (at != std::string_view::npos && at + 1 == title.size()) {
    return std::string("a profile is missing behind the @");
  }
  PolicySpec policy;
  policy.name = title.substr(0, at);
  policy.profile = at == std::string_view::npos ? std::string_view() : title.substr(at + 1);
  if (colon == std::string_view::npos) {
    return policy;
  }
  policy.preset = text.substr(colon + 1);
  if (policy.preset.empty()) {
    return std::string("a preset is missing behind the colon");
  }
  const policies::PolicyEntry* entry = policies::shipped_policy(policy.name);
  if (entry != nullptr && policies::find_preset(*entry, policy.preset) == nullptr) {
    std::vector<std::string_view> known;
    for (const policies::Preset& preset : entry->presets) {
      known.push_back(preset.name);
    }
    const std::string_view nearest = policies::nearest_name(policy.preset, known);
    return fmt::format(
        "{} has no preset {}; expected one of {}{}", policy.name, in_quotes(policy.preset),
        fmt::join(known, ", "),
        nearest.empty() ? std::string() : fmt::format("; did you mean {}?", in_quotes(nearest)));
  }
  return policy;
}

policies::PolicyRequest policy_request(const JobSpec& job) {
  policies::PolicyRequest request{job.policy.name, job.policy.profile, job.policy.config, job.env};
  if (request.name == "ray_train" && job.checkpoint && job.checkpoint->keep &&
      !request.config->contains("num_to_keep")) {
    (*request.config)["num_to_keep"] = *job.checkpoint->keep;
  }
  return request;
}

policies::PolicyRequest policy_request(const ExperimentSpec& experiment) {
  const PolicySpec& policy = experiment.policy;
  return {policy.name, policy.profile, policy.config, experiment.env};
}

}  // namespace aftershock::sim::scenario
