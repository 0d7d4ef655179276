#include "sim/scenario/policy_request.h"

namespace aftershock::sim {

policies::PolicyRequest policy_request(const JobSpec& job) {
  policies::PolicyRequest request{job.policy.name, job.policy.profile, job.policy.config, job.env};
  if (request.name == "ray_train" && job.checkpoint && job.checkpoint->keep &&
      !request.config.contains("num_to_keep")) {
    request.config["num_to_keep"] = *job.checkpoint->keep;
  }
  return request;
}

policies::PolicyRequest policy_request(const ExperimentSpec& experiment) {
  const PolicySpec& policy = experiment.policy;
  return {policy.name, policy.profile, policy.config, experiment.env};
}

}  // namespace aftershock::sim
