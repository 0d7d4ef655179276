#include "sim/results/describe.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"

namespace aftershock::sim::results {

namespace {

void add_entities(reports::RecordingHeader& header, const scenario::ClusterSpec& cluster) {
  for (const scenario::HeadSpec& head : cluster.heads) {
    header.entities.push_back(
        {.kind = "head", .pool = {}, .count = 1, .name = head.name, .accelerator_kind = {}});
  }
  for (const scenario::PoolSpec& pool : cluster.pools) {
    const auto add = [&](std::string kind, std::int64_t first, std::int64_t count,
                         std::string name) {
      if (count > 0) {
        header.entities.push_back(
            {.kind = std::move(kind),
             .pool = pool.name,
             .first = first,
             .count = count,
             .name = std::move(name),
             .racks = pool.racks,
             .accelerators = pool.accelerators_per_node,
             .accelerator_kind =
                 pool.accelerator == scenario::AcceleratorKind::kGpu ? "gpu" : "npu"});
      }
    };
    // A range is one entity, as a pool may have thousands of nodes; provisioned ones are numbered
    // on behind the pool's own.
    add("node", 0, pool.nodes, pool.name + "-%d");
    add("spare", 0, pool.spares, pool.name + "-spare-%d");
    add("provisionable", pool.nodes, pool.max_nodes - pool.nodes - pool.spares, pool.name + "-%d");
  }
  for (const scenario::StorageSpec& storage : cluster.storage) {
    header.entities.push_back(
        {.kind = "storage", .pool = {}, .count = 1, .name = storage.name, .accelerator_kind = {}});
  }
}

// The words that decisions refer to, once a policy.
void add_policy(reports::RecordingHeader& header, const std::string& title,
                const policies::PolicyInfo& info) {
  const bool known = std::ranges::any_of(
      header.policies, [&](const reports::HeaderPolicy& policy) { return policy.name == title; });
  if (known) {
    return;
  }
  reports::HeaderPolicy policy;
  policy.name = title;
  for (const policies::Rule& rule : info.rules) {
    policy.rules.push_back(
        {std::string(rule.id), std::string(rule.sentence), std::string(rule.source)});
  }
  policy.states.assign(info.states.begin(), info.states.end());
  policy.budgets.assign(info.budgets.begin(), info.budgets.end());
  header.policies.push_back(std::move(policy));
}

}  // namespace

std::string policy_title(const policies::PolicyInfo& info) {
  return info.profile.empty() ? std::string(info.name)
                              : fmt::format("{}@{}", info.name, info.profile);
}

reports::RecordingHeader describe_scenario(const scenario::Scenario& scenario) {
  reports::RecordingHeader header = reports::new_header();
  // With `extends` and changes of the command line in it: a replay needs the recording alone.
  header.scenario_json = policies::text_from_json(*scenario.resolved);
  header.digest = reports::text_digest(header.scenario_json);
  header.seed = scenario.seed;
  header.start = scenario.start;
  add_entities(header, scenario.cluster);
  for (const scenario::JobSpec& job : scenario.jobs) {
    header.jobs.push_back({.name = job.name,
                           .policy = {},
                           .workers = job.workers,
                           .accelerators = job.workers,
                           .pool = scenario.cluster.pools[job.pool].name,
                           .steps = job.steps,
                           .step_us = job.step_us});
  }
  for (const scenario::ExperimentSpec& experiment : scenario.experiments) {
    header.experiments.push_back({.name = experiment.name,
                                  .policy = {},
                                  .pool = scenario.cluster.pools[experiment.pool].name,
                                  .trials = experiment.trials,
                                  .accelerators_e4 = experiment.accelerators_e4,
                                  .steps = experiment.steps});
  }
  return header;
}

reports::RecordingHeader describe(const scenario::Scenario& scenario,
                                  const std::vector<control::PolicyHost>& hosts) {
  reports::RecordingHeader header = describe_scenario(scenario);
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    const policies::PolicyInfo& info = hosts[i].info();
    const std::string title = policy_title(info);
    const std::size_t jobs = header.jobs.size();
    (i < jobs ? header.jobs[i].policy : header.experiments[i - jobs].policy) = title;
    add_policy(header, title, info);
  }
  header.policy = !header.jobs.empty()          ? header.jobs.front().policy
                  : !header.experiments.empty() ? header.experiments.front().policy
                                                : "";
  return header;
}

}  // namespace aftershock::sim::results
