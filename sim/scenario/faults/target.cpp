#include "sim/scenario/faults/target.h"

#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "sim/scenario/faults/place_names.h"
#include "sim/scenario/text/lookup.h"
#include "sim/scenario/text/node_names.h"
#include "sim/scenario/text/numerals.h"

namespace aftershock::sim::scenario {
namespace {

using Resolved = std::variant<Target, TextProblem>;

/// The two sides of the last `separator`.
struct Halves {
  std::string_view left;
  std::string_view right;
};
std::optional<Halves> split_last(std::string_view text, std::string_view separator) {
  const auto at = text.rfind(separator);
  if (at == std::string_view::npos) return std::nullopt;
  return Halves{text.substr(0, at), text.substr(at + separator.size())};
}

/// "gpu-0 to gpu-3", or "gpu-0" when there is only one.
std::string first_to_last(std::string_view stem, std::uint32_t count) {
  if (count == 1) return fmt::format("{}0", stem);
  return fmt::format("{}0 to {}{}", stem, stem, count - 1);
}

std::string nodes_of(const PoolSpec& pool) {
  std::string text = first_to_last(pool.name + "-", pool.max_nodes - pool.spares);
  if (pool.spares > 0) text += ", " + first_to_last(pool.name + "-spare-", pool.spares);
  return text;
}

TextProblem no_such_node(const ClusterSpec& cluster, std::string_view name) {
  TextProblem problem{fmt::format("there is no node {}", in_quotes(name)), {}, {}};
  for (const PoolSpec& pool : cluster.pools) {
    if (!problem.expected.empty()) problem.expected += ", ";
    problem.expected += nodes_of(pool);
  }
  // Mistyped pools are more common than mistyped numbers.
  const auto dash = name.find_last_not_of("0123456789");
  if (dash == std::string_view::npos || name[dash] != '-') return problem;
  std::string_view stem = name.substr(0, dash);
  constexpr std::string_view kSpare = "-spare";
  if (stem.ends_with(kSpare)) stem.remove_suffix(kSpare.size());
  const std::string nearest = no_such("pool", cluster.pools, stem).nearest;
  const auto pool = index_by_name(cluster.pools, nearest);
  if (!pool) return problem;
  const std::string meant = nearest + std::string(name.substr(stem.size()));
  if (node_slot(cluster.pools[*pool], meant)) problem.nearest = meant;
  return problem;
}

/// Sets pool and index of the node called `name`.
std::optional<TextProblem> find_node(const ClusterSpec& cluster, std::string_view name,
                                     Target& target) {
  for (std::uint32_t i = 0; i < cluster.pools.size(); ++i) {
    if (const auto slot = node_slot(cluster.pools[i], name)) {
      target.pool = i;
      target.index = *slot;
      return std::nullopt;
    }
  }
  return no_such_node(cluster, name);
}

std::optional<TextProblem> find_accelerator(const ClusterSpec& cluster, std::string_view rest,
                                            Target& target) {
  const auto halves = split_last(rest, "/");
  const auto index = halves ? parse_index(halves->right) : std::nullopt;
  if (!index) {
    return TextProblem{fmt::format("{} is not NODE/INDEX", in_quotes(rest)),
                       "an accelerator such as \"accelerator:gpu-3/5\"",
                       {}};
  }
  if (auto problem = find_node(cluster, halves->left, target)) return problem;
  const std::uint32_t count = cluster.pools[target.pool].accelerators_per_node;
  if (*index >= count) {
    return TextProblem{
        fmt::format("node {} has no accelerator {}", in_quotes(halves->left), *index),
        first_to_last("", count),
        {}};
  }
  target.accelerator = *index;
  return std::nullopt;
}

std::optional<TextProblem> find_rack(const ClusterSpec& cluster, std::string_view rest,
                                     Target& target) {
  const auto halves = split_last(rest, "/");
  const auto index = halves ? parse_index(halves->right) : std::nullopt;
  if (!index) {
    return TextProblem{
        fmt::format("{} is not POOL/INDEX", in_quotes(rest)), "a rack such as \"rack:gpu/2\"", {}};
  }
  const auto pool = index_by_name(cluster.pools, halves->left);
  if (!pool) return no_such("pool", cluster.pools, halves->left);
  const std::uint32_t count = cluster.pools[*pool].racks;
  if (*index >= count) {
    return TextProblem{fmt::format("pool {} has no rack {}", in_quotes(halves->left), *index),
                       first_to_last("", count),
                       {}};
  }
  target.pool = *pool;
  target.index = *index;
  return std::nullopt;
}

std::optional<TextProblem> find_power_domain(const ClusterSpec& cluster, std::string_view rest,
                                             Target& target) {
  const auto halves = split_last(rest, "/");
  const auto index = halves ? parse_index(halves->right) : std::nullopt;
  if (!index) {
    return TextProblem{fmt::format("{} is not POOL/INDEX", in_quotes(rest)),
                       "a power domain such as \"power_domain:gpu/1\"",
                       {}};
  }
  const auto pool = index_by_name(cluster.pools, halves->left);
  if (!pool) return no_such("pool", cluster.pools, halves->left);
  const std::uint32_t count = cluster.pools[*pool].power_domains;
  if (*index >= count) {
    return TextProblem{
        fmt::format("pool {} has no power domain {}", in_quotes(halves->left), *index),
        first_to_last("", count),
        {}};
  }
  target.pool = *pool;
  target.index = *index;
  return std::nullopt;
}

std::optional<TextProblem> find_end(const ClusterSpec& cluster, std::string_view rest,
                                    Target& target) {
  auto found =
      target.kind == TargetKind::kLink ? find_link(cluster, rest) : find_switch(cluster, rest);
  if (auto* problem = std::get_if<TextProblem>(&found)) return std::move(*problem);
  target.end = std::get<NamedPlace>(found);
  target.pool = target.end.pool;
  return std::nullopt;
}

/// The agent on that node of the job which the target names.
std::optional<TextProblem> find_agent(const Scenario& scenario, std::uint32_t agent,
                                      Target& target) {
  const JobSpec& job = scenario.jobs[target.job];
  const std::uint32_t each = scenario.cluster.pools[job.pool].accelerators_per_node;
  const std::uint32_t nodes = (job.workers + each - 1) / each;
  if (agent >= nodes) {
    return TextProblem{fmt::format("job {} has no agent {}", in_quotes(job.name), agent),
                       first_to_last("", nodes),
                       {}};
  }
  target.kind = TargetKind::kAgent;
  target.agent = agent;
  return std::nullopt;
}

std::optional<TextProblem> find_job(const Scenario& scenario, std::string_view rest,
                                    Target& target) {
  const auto halves = split_last(rest, "/");
  const std::string_view name = halves ? halves->left : rest;
  const auto job = index_by_name(scenario.jobs, name);
  if (!job) return no_such("job", scenario.jobs, name);
  target.job = *job;
  target.pool = scenario.jobs[*job].pool;
  if (!halves) return std::nullopt;
  constexpr std::string_view kAgent = "agent:";
  if (const auto agent = halves->right.starts_with(kAgent)
                             ? parse_index(halves->right.substr(kAgent.size()))
                             : std::nullopt) {
    return find_agent(scenario, *agent, target);
  }
  constexpr std::string_view kRank = "rank:";
  const auto rank = halves->right.starts_with(kRank)
                        ? parse_index(halves->right.substr(kRank.size()))
                        : std::nullopt;
  if (!rank) {
    return TextProblem{fmt::format("{} is not JOB/rank:N or JOB/agent:N", in_quotes(rest)),
                       "a rank such as \"job:llm/rank:17\", or an agent such as "
                       "\"job:llm/agent:2\"",
                       {}};
  }
  const std::uint32_t workers = scenario.jobs[*job].workers;
  if (*rank >= workers) {
    return TextProblem{fmt::format("job {} has no rank {}", in_quotes(name), *rank),
                       first_to_last("", workers),
                       {}};
  }
  target.kind = TargetKind::kRank;
  target.rank = *rank;
  return std::nullopt;
}

/// NAME or NAME/trial:N.
std::optional<TextProblem> find_experiment(const Scenario& scenario, std::string_view rest,
                                           Target& target) {
  const auto halves = split_last(rest, "/");
  const std::string_view name = halves ? halves->left : rest;
  const auto experiment = index_by_name(scenario.experiments, name);
  if (!experiment) return no_such("experiment", scenario.experiments, name);
  target.experiment = *experiment;
  target.pool = scenario.experiments[*experiment].pool;
  if (!halves) return std::nullopt;
  constexpr std::string_view kTrial = "trial:";
  const auto trial = halves->right.starts_with(kTrial)
                         ? parse_index(halves->right.substr(kTrial.size()))
                         : std::nullopt;
  if (!trial) {
    return TextProblem{fmt::format("{} is not EXPERIMENT/trial:N", in_quotes(rest)),
                       "a trial such as \"experiment:search/trial:17\"",
                       {}};
  }
  const std::uint32_t trials = scenario.experiments[*experiment].trials;
  if (*trial >= trials) {
    return TextProblem{fmt::format("experiment {} has no trial {}", in_quotes(name), *trial),
                       first_to_last("", trials),
                       {}};
  }
  target.kind = TargetKind::kTrial;
  target.trial = *trial;
  return std::nullopt;
}

}  // namespace

Resolved resolve_target(const Scenario& scenario, std::string_view text) {
  const auto colon = text.find(':');
  const std::string_view kind = text.substr(0, colon);
  const std::string_view rest = text.substr(colon + 1);
  Target target;
  target.text = text;
  std::optional<TextProblem> problem;
  if (kind == "node") {
    target.kind = TargetKind::kNode;
    problem = find_node(scenario.cluster, rest, target);
  } else if (kind == "accelerator") {
    target.kind = TargetKind::kAccelerator;
    problem = find_accelerator(scenario.cluster, rest, target);
  } else if (kind == "rack") {
    target.kind = TargetKind::kRack;
    problem = find_rack(scenario.cluster, rest, target);
  } else if (kind == "power_domain") {
    target.kind = TargetKind::kPowerDomain;
    problem = find_power_domain(scenario.cluster, rest, target);
  } else if (text == "cluster") {
    target.kind = TargetKind::kCluster;
  } else if (kind == "head") {
    target.kind = TargetKind::kHead;
    if (const auto head = index_by_name(scenario.cluster.heads, rest)) {
      target.head = *head;
    } else {
      problem = no_such("head", scenario.cluster.heads, rest);
    }
  } else if (kind == "pool") {
    target.kind = TargetKind::kPool;
    if (const auto pool = index_by_name(scenario.cluster.pools, rest)) {
      target.pool = *pool;
    } else {
      problem = no_such("pool", scenario.cluster.pools, rest);
    }
  } else if (kind == "storage") {
    target.kind = TargetKind::kStorage;
    if (const auto storage = index_by_name(scenario.cluster.storage, rest)) {
      target.storage = *storage;
    } else {
      problem = no_such("storage", scenario.cluster.storage, rest);
    }
  } else if (kind == "link" || kind == "switch") {
    target.kind = kind == "link" ? TargetKind::kLink : TargetKind::kSwitch;
    problem = find_end(scenario.cluster, rest, target);
  } else if (kind == "experiment") {
    target.kind = TargetKind::kExperiment;
    problem = find_experiment(scenario, rest, target);
  } else {
    target.kind = TargetKind::kJob;
    problem = find_job(scenario, rest, target);
  }
  if (problem) {
    if (!problem->nearest.empty()) {
      // The meant target, as it would be written here.
      const auto suffix = kind == "node" || kind == "pool" || kind == "head" || kind == "storage"
                              ? std::string_view::npos
                              : rest.rfind('/');
      problem->nearest = std::string(kind) + ":" + problem->nearest +
                         std::string(suffix == std::string_view::npos ? "" : rest.substr(suffix));
    }
    return std::move(*problem);
  }
  return target;
}

const PoolSpec& pool_of(const Scenario& scenario, const Target& target) {
  return scenario.cluster.pools[target.pool];
}

}  // namespace aftershock::sim::scenario
