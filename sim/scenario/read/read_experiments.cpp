#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sim/scenario/keys/keys.h"
#include "sim/scenario/most_trials.h"
#include "sim/scenario/read/by_name_or_only.h"
#include "sim/scenario/read/check_run.h"
#include "sim/scenario/read/sections.h"
#include "sim/scenario/shape/fields.h"

namespace aftershock::sim::scenario {
namespace {

constexpr std::int64_t kParts = 10'000;  // of an accelerator, the finest that Ray shares out

/// The number in parts of 10,000, where it is so many exactly.
std::optional<std::int64_t> in_parts(double number) {
  const double parts = number * static_cast<double>(kParts);
  const double whole = std::round(parts);
  constexpr double kSlack = 1e-6;  // 0.07 times 10,000 is not 700
  if (std::abs(parts - whole) > kSlack) return std::nullopt;
  return static_cast<std::int64_t>(whole);
}

/// The error in so many accelerators a trial in this pool.
std::optional<TextProblem> check_resources(std::int64_t parts, const PoolSpec& pool) {
  const std::int64_t node = pool.accelerators_per_node * kParts;
  const double accelerators = static_cast<double>(parts) / static_cast<double>(kParts);
  if (parts > kParts && parts % kParts != 0) {
    return TextProblem{fmt::format("{} accelerators cannot be shared out", accelerators),
                       "a part of one, or whole ones",
                       {}};
  }
  if (parts > node && parts % node != 0) {
    return TextProblem{
        fmt::format("{} accelerators are more than a node of pool {} has, and no whole nodes",
                    accelerators, in_quotes(pool.name)),
        fmt::format("at most {}, or a multiple of it", pool.accelerators_per_node),
        {}};
  }
  if (parts / node > pool.max_nodes) {
    return TextProblem{
        fmt::format("{} accelerators are {} nodes of pool {}, which never has more "
                    "than {}",
                    accelerators, parts / node, in_quotes(pool.name), pool.max_nodes),
        fmt::format("at most {}", pool.max_nodes * pool.accelerators_per_node),
        {}};
  }
  return std::nullopt;
}

void read_resources(const Fields& fields, const PoolSpec& pool, ExperimentSpec& experiment,
                    ErrorList& errors) {
  const Fields resources(keys::trial_resources(), fields.value("resources_per_trial"));
  const bool by_node = resources.has("nodes");
  const double number = resources.number(by_node ? "nodes" : "accelerators");
  const auto parts = in_parts(by_node ? number * pool.accelerators_per_node : number);
  if (!parts) {
    errors.add(
        fields.blame("resources_per_trial"),
        {fmt::format("{} {} cannot be shared out", number, by_node ? "nodes" : "accelerators"),
         "parts of 10,000 of an accelerator",
         {}});
    return;
  }
  experiment.accelerators_e4 = *parts;
  if (auto problem = check_resources(*parts, pool)) {
    errors.add(fields.blame("resources_per_trial"), std::move(*problem));
  }
}

void read_checkpoint(const Fields& fields, const ClusterSpec& cluster, ExperimentSpec& experiment,
                     ErrorList& errors) {
  const Fields run(keys::run(), fields.value("run"));
  experiment.run.storage = by_name_or_only(run, "storage", cluster.storage, errors);
  experiment.run.storage_path = run.text("storage_path");
  experiment.run.name = run.text("name");
  experiment.run.sync_artifacts = run.boolean("sync_artifacts");
  if (run.has("sync_period")) {
    errors.warn(*run.written("sync_period"),
                "has no effect on experiments: what a crash costs of their artifacts is not told");
  }
  check_run(run, experiment.run, cluster, errors);
  if (const LocatedValue* head = fields.written("head")) {
    const auto index = index_by_name(cluster.heads, fields.text("head"));
    if (!index) errors.add(*head, no_such("head", cluster.heads, fields.text("head")));
    experiment.head = index.value_or(0);
  }
  if (const LocatedValue* initial = fields.written("initial_checkpoint")) {
    experiment.initial_steps = Fields(keys::initial_checkpoint(), *initial).integer("steps");
    if (experiment.initial_steps >= experiment.steps) {
      errors.add(*initial->find("steps"),
                 {fmt::format("{} steps are done already, and the trials have {}",
                              experiment.initial_steps, experiment.steps),
                  fmt::format("fewer than {}", experiment.steps),
                  {}});
    }
  }
  const LocatedValue* written = fields.written("checkpoint");
  if (written == nullptr) return;
  const Fields checkpoint(keys::trial_checkpoint(), *written);
  experiment.checkpoint = {.every_steps = checkpoint.integer("every_steps"),
                           .bytes = checkpoint.size("bytes"),
                           .blocking_us = checkpoint.duration("blocking")};
  if (experiment.checkpoint->bytes == 0) return;
  if (!experiment.run.storage && !run.has("storage")) {
    const bool none = cluster.storage.empty();
    errors.add(*written,
               {none ? "checkpoints go to a storage, and the cluster has none"
                     : "checkpoints go to a storage, and the cluster has several",
                none ? "one in /cluster/storage" : "its name in the experiment's run.storage",
                {}});
  }
  if (!experiment.run.storage) return;
  const StorageSpec& storage = cluster.storage[*experiment.run.storage];
  const std::int64_t bytes_per_s =
      std::min({storage.read_bytes_per_s, storage.write_bytes_per_s,
                cluster.pools[experiment.pool].nic_bytes_per_s.value_or(
                    std::numeric_limits<std::int64_t>::max())});
  constexpr std::int64_t kMicrosPerSecond = 1'000'000;
  if (experiment.checkpoint->bytes / bytes_per_s >= kHundredYearsUs / kMicrosPerSecond) {
    errors.add(*written->find("bytes"),
               {fmt::format("{} bytes take more than 100 years at {} bytes a second",
                            experiment.checkpoint->bytes, bytes_per_s),
                "a smaller checkpoint, or a faster storage and network",
                {}});
  }
}

void check_length(const Fields& fields, const Scenario& scenario, const ExperimentSpec& experiment,
                  ErrorList& errors) {
  const auto* constant = std::get_if<Distribution::Constant>(&experiment.step.shape);
  if (constant == nullptr) return;
  if (constant->value_us == 0) {
    errors.add(*fields.written("step"),
               {"an iteration takes no time", "a duration of at least \"1us\"", {}});
  } else if (!scenario.until_us && experiment.steps > kHundredYearsUs / constant->value_us) {
    errors.add(*fields.written("steps"),
               {fmt::format("{} steps of {} take more than 100 years", experiment.steps,
                            format_duration(constant->value_us)),
                "steps that take at most 100 years, or \"until\" in the scenario",
                {}});
  }
}

ExperimentSpec read_experiment(const LocatedValue& value, const Scenario& scenario,
                               ErrorList& errors) {
  const Fields fields(keys::experiment(), value);
  const ClusterSpec& cluster = scenario.cluster;
  ExperimentSpec experiment;
  experiment.name = fields.text("name");
  experiment.trials = fields.count("trials");
  experiment.steps = fields.integer("steps");
  experiment.step = fields.distribution("step", errors);
  experiment.priority = static_cast<std::int32_t>(fields.integer("priority"));
  experiment.submit_us = fields.duration("submit");
  const Fields phases(keys::trial_phases(), fields.value("phases"));
  experiment.launching = phases.distribution("launching", errors);
  experiment.restoring = phases.distribution("restoring", errors);
  const Fields script(keys::trial_script(), fields.value("script"));
  experiment.saves = script.boolean("saves");
  experiment.resumes = script.boolean("resumes");
  for (const LocatedMember& member : std::get<LocatedValue::Members>(fields.value("env").data)) {
    experiment.env.emplace(member.key, std::get<std::string>(member.value.data));
  }
  experiment.policy = read_policy(*fields.written("policy"));
  if (const auto pool = by_name_or_only(fields, "pool", cluster.pools, errors)) {
    experiment.pool = *pool;
    read_resources(fields, cluster.pools[*pool], experiment, errors);
  } else if (!fields.has("pool")) {
    errors.add(fields.object(), {"missing key \"pool\": the cluster has several",
                                 no_such("pool", cluster.pools, "").expected,
                                 {}});
  }
  read_checkpoint(fields, cluster, experiment, errors);
  check_length(fields, scenario, experiment, errors);
  if (scenario.until_us && experiment.submit_us >= *scenario.until_us) {
    errors.warn(fields.blame("submit"), "is never submitted: the simulation ends before");
  }
  check_policy(value, experiment, scenario, errors);
  return experiment;
}

/// Sums of trial time over the run must stay within 64 bits.
void check_trial_time(const LocatedValue& list, const Scenario& scenario, ErrorList& errors) {
  std::int64_t accelerators = 1;
  for (const ExperimentSpec& experiment : scenario.experiments) {
    accelerators +=
        most_trials(scenario, experiment) * ((experiment.accelerators_e4 + kParts - 1) / kParts);
  }
  const std::int64_t longest_us = std::numeric_limits<std::int64_t>::max() / accelerators;
  if (!scenario.until_us || *scenario.until_us <= longest_us) return;
  errors.add(list, {fmt::format("trials with {} accelerators for {} are more accelerator time than "
                                "64 bits hold",
                                accelerators - 1, format_duration(*scenario.until_us)),
                    fmt::format("\"until\" of at most \"{}d\"", longest_us / 86'400'000'000),
                    {}});
}

}  // namespace

void read_experiments(const LocatedValue& list, Scenario& scenario, ErrorList& errors) {
  UniqueNames names("experiment");
  for (const LocatedValue& element : std::get<LocatedValue::List>(list.data)) {
    scenario.experiments.push_back(read_experiment(element, scenario, errors));
    names.add(scenario.experiments.back().name, *element.find("name"), errors);
  }
  check_trial_time(list, scenario, errors);
  check_run_names(list, scenario.experiments, errors);
}

}  // namespace aftershock::sim::scenario
