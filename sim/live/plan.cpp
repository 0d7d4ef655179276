#include "sim/live/plan.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "reports/json/json_writer.h"
#include "sim/live/fault_plan.h"
#include "sim/live/speed.h"
#include "sim/scenario/text/node_names.h"

namespace aftershock::sim::live {

namespace {

using reports::JsonWriter;

/// Ranks that one machine can be asked to run: processes of torch take 200 MB each.
constexpr std::uint32_t kMostRanks = 32;
constexpr std::uint32_t kMostNodes = 16;

std::optional<std::int64_t> constant_us(const scenario::Distribution& length) {
  const auto* const constant = std::get_if<scenario::Distribution::Constant>(&length.shape);
  return constant == nullptr ? std::nullopt : std::optional(constant->value_us);
}

std::string_view name_of(scenario::Transport transport) {
  switch (transport) {
    case scenario::Transport::kGloo:
      return "gloo";
    case scenario::Transport::kNccl:
    case scenario::Transport::kNcclUnhandled:
      return "nccl";
    case scenario::Transport::kHccl:
      return "hccl";
  }
  return "";
}

/// Agents of torchrun and NVRx have a node each. Ray waits for what there may be later.
std::string too_few_nodes(const scenario::Scenario& scenario, Backend backend) {
  if (backend == Backend::kRay || scenario.cluster.pools.size() != 1) {
    return {};
  }
  const scenario::JobSpec& job = scenario.jobs.front();
  const scenario::PoolSpec& pool = scenario.cluster.pools.front();
  const auto& config = *job.policy.config;
  const auto each = config.find("nproc_per_node");
  const std::uint32_t ranks = each == config.end() || !each->is_number_integer()
                                  ? 1
                                  : std::max(1U, each->get<std::uint32_t>());
  const std::uint32_t agents = job.workers / ranks;
  return agents <= pool.nodes + pool.spares
             ? std::string()
             : fmt::format("{} agents have a node each, and the pool has {}", agents,
                           pool.nodes + pool.spares);
}

void refuse_job(const scenario::Scenario& scenario, Backend backend,
                std::vector<Refusal>& refused) {
  const scenario::JobSpec& job = scenario.jobs.front();
  const auto no = [&refused](std::string pointer, std::string why) {
    refused.push_back({std::move(pointer), std::move(why)});
  };
  if (job.policy.name != family_of(backend)) {
    no("/jobs/0/policy/name", fmt::format("\"{}\" decides here, and --backend {} runs \"{}\"",
                                          job.policy.name, name_of(backend), family_of(backend)));
  }
  if (!job.steps) no("/jobs/0", "a live job ends; expected \"steps\"");
  if (job.submit_us != 0) no("/jobs/0/submit", "a live run begins with its job");
  if (job.workers > kMostRanks) {
    no("/jobs/0/workers",
       fmt::format("{} ranks; one machine runs at most {}", job.workers, kMostRanks));
  }
  if (const auto why = too_few_nodes(scenario, backend); !why.empty()) {
    no("/jobs/0/workers", why);
  }
  if (job.script.steps_per_attempt) {
    no("/jobs/0/script", "the script of a live run counts the steps of all attempts");
  }
}

void refuse_cluster(const scenario::ClusterSpec& cluster, Backend backend,
                    std::vector<Refusal>& refused) {
  if (cluster.pools.size() != 1) {
    refused.push_back({"/cluster/pools", "a live run has the nodes of one pool"});
    return;
  }
  const scenario::PoolSpec& pool = cluster.pools.front();
  if (pool.nodes + pool.spares > kMostNodes) {
    refused.push_back(
        {"/cluster/pools/0/nodes", fmt::format("{} nodes; one machine runs at most {}",
                                               pool.nodes + pool.spares, kMostNodes)});
  }
  if (!constant_us(pool.provision)) {
    refused.push_back({"/cluster/pools/0/provision", "its length is drawn; expected a duration"});
  }
  if (backend == Backend::kTorchrun && cluster.heartbeat.every_us % 1'000'000 != 0) {
    refused.push_back({"/cluster/heartbeat/every",
                       "torchrun's agents send their keep-alives every so many whole seconds"});
  }
  if (backend != Backend::kRay && cluster.heartbeat.timeout_us > 0) {
    refused.push_back({"/cluster/heartbeat/timeout",
                       "the keep-alives of agents come by themselves, and nobody waits for one"});
  }
  for (const scenario::HeadSpec& head : cluster.heads) {
    if (head.restart && !constant_us(head.restart->after)) {
      refused.push_back({"/cluster/heads", "the time of a restart is drawn; expected a duration"});
    }
  }
}

void write_node(JsonWriter& json, const std::string& name, std::uint32_t accelerators) {
  json.open_object();
  json.member("name", name);
  json.member("accelerators", accelerators);
  json.close_object();
}

std::string_view word_of(scenario::Replacement replacement) {
  return replacement == scenario::Replacement::kNone  ? "none"
         : replacement == scenario::Replacement::kNow ? "now"
                                                      : "provision";
}

void write_head(JsonWriter& json, const scenario::HeadSpec& head, const Seconds& seconds) {
  json.key("head");
  json.open_object();
  json.member("name", head.name);
  const bool restarts = head.restart.has_value();
  seconds.member(json, "restart_s", restarts ? constant_us(head.restart->after) : std::nullopt);
  json.member("by", restarts && head.restart->by == scenario::RestartBy::kSubmitter ? "submitter"
                                                                                    : "operator");
  json.close_object();
}

void write_cluster(JsonWriter& json, const scenario::ClusterSpec& cluster, const Seconds& seconds) {
  const scenario::PoolSpec& pool = cluster.pools.front();
  json.key("cluster");
  json.open_object();
  json.key("nodes");
  json.open_array();
  for (std::uint32_t node = 0; node < pool.nodes; ++node) {
    write_node(json, scenario::node_name(pool, node), pool.accelerators_per_node);
  }
  json.close_array();
  json.key("spares");
  json.open_array();
  for (std::uint32_t node = 0; node < pool.spares; ++node) {
    write_node(json, scenario::node_name(pool, pool.nodes + node), pool.accelerators_per_node);
  }
  json.close_array();
  // A miss of a silent node costs both.
  seconds.member(json, "heartbeat_s", cluster.heartbeat.every_us + cluster.heartbeat.timeout_us);
  seconds.member(json, "heartbeat_timeout_s", cluster.heartbeat.timeout_us);
  json.member("misses", cluster.heartbeat.misses);
  json.member("replacement", word_of(pool.replacement));
  seconds.member(json, "provision_s", constant_us(pool.provision));
  write_head(json, cluster.heads.front(), seconds);
  json.close_object();
}

void write_checkpoint(JsonWriter& json, const std::optional<scenario::CheckpointSpec>& checkpoint,
                      const Seconds& seconds) {
  json.key("checkpoint");
  if (!checkpoint) {
    json.value(nullptr);
    return;
  }
  json.open_object();
  seconds.member(json, "every_s", checkpoint->every_us);
  json.member("every_steps", checkpoint->every_steps);
  seconds.member(json, "blocking_s", checkpoint->blocking_us);
  json.member("async", checkpoint->async_upload);
  json.member("keep", checkpoint->keep);
  json.member("at_end", checkpoint->at_end);
  json.close_object();
}

void write_phases(JsonWriter& json, const char* key, const scenario::PhaseLengths& phases,
                  const Seconds& seconds) {
  json.key(key);
  json.open_object();
  seconds.member(json, "launching_s", constant_us(phases.launching));
  seconds.member(json, "rendezvous_s", constant_us(phases.rendezvous));
  seconds.member(json, "restoring_s", constant_us(phases.restoring));
  seconds.member(json, "warming_up_s", constant_us(phases.warming_up));
  seconds.member(json, "tearing_down_s", constant_us(phases.tearing_down));
  json.close_object();
}

void write_job(JsonWriter& json, const scenario::JobSpec& job, const Seconds& seconds) {
  json.key("job");
  json.open_object();
  json.member("name", job.name);
  json.member("workers", job.workers);
  json.member("steps", job.steps);
  seconds.member(json, "step_s", job.step_us);
  json.member("initial_steps", job.initial_steps);
  write_checkpoint(json, job.checkpoint, seconds);
  seconds.member(json, "collective_timeout_s", job.collective_timeout_us);
  seconds.member(json, "hang_after_s", job.hang_after_us);
  json.member("collectives", name_of(job.collectives.transport));
  write_phases(json, "phases", job.phases, seconds);
  write_phases(json, "restart_phases", job.restart_phases, seconds);
  json.key("script");
  json.open_object();
  json.member("saves", job.script.saves);
  json.member("resumes", job.script.resumes);
  json.member("falls_back", job.script.falls_back);
  json.member("returns_on_notice", job.script.returns_on_notice);
  json.close_object();
  json.key("env");
  json.open_object();
  for (const auto& [name, value] : job.env) {
    // A name from a scenario may need escaping, which that of a member is not given.
    const std::string quoted = policies::text_from_json(nlohmann::json(name));
    json.member(std::string_view(quoted).substr(1, quoted.size() - 2), value);
  }
  json.close_object();
  json.close_object();
}

}  // namespace

std::vector<Refusal> refusals(const scenario::Scenario& scenario, const PlanOptions& options) {
  std::vector<Refusal> refused;
  if (!scenario.until_us) {
    refused.push_back({"", "a live run ends by itself; expected \"until\""});
  }
  if (!scenario.experiments.empty()) {
    refused.push_back({"/experiments", "a live run has a job, and experiments are not run live"});
  }
  if (scenario.jobs.size() != 1) {
    refused.push_back({"/jobs", "a live run has one job"});
    return refused;
  }
  refuse_cluster(scenario.cluster, options.backend, refused);
  refuse_job(scenario, options.backend, refused);
  for (std::size_t i = 0; i < scenario.faults.size(); ++i) {
    if (const std::string why = refused_fault(scenario.faults[i], options.backend); !why.empty()) {
      refused.push_back({fmt::format("/faults/{}", i), why});
    }
  }
  const std::vector<Refusal> too_fast = refused_speed(scenario, options);
  refused.insert(refused.end(), too_fast.begin(), too_fast.end());
  return refused;
}

std::string plan_line(const scenario::Scenario& scenario, const PlanOptions& options) {
  const Seconds seconds{options.speed};
  JsonWriter json;
  json.open_object();
  json.member("live", 1);
  json.member("backend", name_of(options.backend));
  json.member("speed", options.speed);
  json.member("isolated", options.isolated);
  seconds.member(json, "until_s", scenario.until_us);
  write_cluster(json, scenario.cluster, seconds);
  const scenario::JobSpec& job = scenario.jobs.front();
  write_job(json, job, seconds);
  json.key("policy");
  json.open_object();
  json.member("name", job.policy.name);
  json.member("profile", job.policy.profile);
  json.key("config");
  json.raw(policies::text_from_json(*job.policy.config));
  json.close_object();
  json.key("faults");
  json.open_array();
  for (std::size_t i = 0; i < scenario.faults.size(); ++i) {
    write_fault(json, scenario, i, seconds);
  }
  json.close_array();
  json.close_object();
  return std::string(json.text());
}

}  // namespace aftershock::sim::live
