#include "sim/scenario/policy_request.h"

#include <nlohmann/json.hpp>

namespace aftershock::sim {

std::optional<PolicySpec> policy_named(std::string_view text) {
  const std::size_t at = text.find('@');
  if (at != std::string_view::npos && at + 1 == text.size()) {
    return std::nullopt;
  }
  PolicySpec policy;
  policy.name = text.substr(0, at);
  policy.profile = at == std::string_view::npos ? std::string_view() : text.substr(at + 1);
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

}  // namespace aftershock::sim
