#include "sim/scenario/read/check_mistakes.h"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/registry.h"
#include "sim/scenario/read/check_env.h"
#include "sim/scenario/read/policy_request.h"
#include "sim/scenario/text/units.h"

namespace aftershock::sim::scenario {
namespace {

constexpr std::int64_t kEndless = std::numeric_limits<std::int64_t>::max();

const LocatedValue* element(const LocatedValue& object, std::string_view key, std::size_t index) {
  const LocatedValue* list = object.find(key);
  const auto* elements = list == nullptr ? nullptr : list->get_if<LocatedValue::List>();
  return elements == nullptr || index >= elements->size() ? nullptr : &(*elements)[index];
}

/// The place to blame: the member of that name, or the object that lacks it.
const LocatedValue& member_or_self(const LocatedValue& object, std::string_view key) {
  const LocatedValue* member = object.find(key);
  return member == nullptr ? object : *member;
}

/// Compute time between two saves, which begin at the ends of steps.
std::int64_t interval_us(const JobSpec& job) {
  const CheckpointSpec& save = *job.checkpoint;
  return std::max(job.step_us, save.every_us.value_or(save.every_steps.value_or(1) * job.step_us));
}

/// How long the job can train at most.
std::int64_t longest_us(const JobSpec& job, const Scenario& scenario) {
  std::int64_t most_us = scenario.until_us ? *scenario.until_us - job.submit_us : kEndless;
  if (job.steps && job.step_us > 0 && *job.steps < kEndless / job.step_us) {
    most_us = std::min(most_us, *job.steps * job.step_us);
  }
  return most_us;
}

/// An upload that shares with nobody; none: its storage takes no time.
std::optional<std::int64_t> upload_us(const JobSpec& job, const ClusterSpec& cluster) {
  if (!job.run.storage || job.checkpoint->bytes == 0) {
    return std::nullopt;
  }
  const PoolSpec& pool = cluster.pools[job.pool];
  const std::int64_t nodes =
      (job.workers + pool.accelerators_per_node - 1) / pool.accelerators_per_node;
  auto rate = static_cast<double>(cluster.storage[*job.run.storage].write_bytes_per_s);
  if (pool.nic_bytes_per_s) {
    rate = std::min(rate, static_cast<double>(nodes) * static_cast<double>(*pool.nic_bytes_per_s));
  }
  constexpr double kMicros = 1e6;
  const double us = static_cast<double>(job.checkpoint->bytes) / rate * kMicros;
  return rate > 0 && us < 9e18 ? std::optional(static_cast<std::int64_t>(us)) : std::nullopt;
}

void check_saves(const LocatedValue& written, const JobSpec& job, const Scenario& scenario,
                 ErrorList& errors) {
  const LocatedValue* saves = written.find("checkpoint");
  if (!job.checkpoint || saves == nullptr) {
    return;
  }
  if (longest_us(job, scenario) <= 0) {
    return;  // it is never submitted, which is told
  }
  const CheckpointSpec& save = *job.checkpoint;
  const char* key = save.every_us ? "every" : "every_steps";
  const LocatedValue& every = member_or_self(*saves, key);
  const std::int64_t due_us = interval_us(job);
  if (due_us >= longest_us(job, scenario)) {
    errors.warn(every, fmt::format("no checkpoint is due while the job trains: it does so for {} "
                                   "at most; save sooner, or leave \"checkpoint\" out",
                                   format_duration(longest_us(job, scenario))));
  }
  if (save.every_us && *save.every_us < job.step_us) {
    errors.warn(every, fmt::format("is shorter than a step of {}: every step is saved; save less "
                                   "often, or say \"every_steps\": 1",
                                   format_duration(job.step_us)));
  }
  if (save.blocking_us >= due_us) {
    errors.warn(member_or_self(*saves, "blocking"),
                fmt::format("a save blocks training for as long as there is between two, {}, or "
                            "longer; save less often, or block for less",
                            format_duration(due_us)));
  }
  if (const auto takes_us = upload_us(job, scenario.cluster); takes_us && *takes_us > due_us) {
    errors.warn(member_or_self(*saves, "bytes"),
                fmt::format("an upload takes {} by itself, and the next checkpoint is due after "
                            "{}: each waits for the one before; save less often, or raise the "
                            "storage's \"write\" or the pool's \"nic\", whichever is less",
                            format_duration(*takes_us), format_duration(due_us)));
  }
}

void check_phases(const LocatedValue& written, const JobSpec& job, const Scenario& scenario,
                  ErrorList& errors) {
  const LocatedValue* phases = written.find("phases");
  if (phases == nullptr || !scenario.until_us || job.submit_us >= *scenario.until_us) {
    return;
  }
  const std::pair<const char*, const Distribution*> lengths[] = {
      {"launching", &job.phases.launching},
      {"rendezvous", &job.phases.rendezvous},
      {"warming_up", &job.phases.warming_up}};
  std::int64_t left_us = *scenario.until_us - job.submit_us;
  for (const auto& [name, law] : lengths) {
    const auto* constant = std::get_if<Distribution::Constant>(&law->shape);
    if (constant == nullptr) {
      continue;
    }
    const bool alone = constant->value_us >= *scenario.until_us - job.submit_us;
    if (constant->value_us >= left_us) {
      errors.warn(member_or_self(*phases, name),
                  fmt::format("the job never trains: the simulation ends before {}; shorten what "
                              "takes so long, or raise \"until\"",
                              alone ? "this phase of its start does"
                                    : "the phases of its start up to this one do"));
      return;
    }
    left_us -= constant->value_us;
  }
}

void check_collective_timeout(const LocatedValue& written, const JobSpec& job,
                              const Scenario& scenario, ErrorList& errors) {
  const LocatedValue* timeout = written.find("collective_timeout");
  if (timeout == nullptr || !job.collective_timeout_us || !scenario.until_us ||
      job.submit_us >= *scenario.until_us) {
    return;
  }
  if (*job.collective_timeout_us >= *scenario.until_us - job.submit_us) {
    errors.warn(*timeout,
                "ends no collective: the simulation ends before it does, and only a policy that "
                "watches for hangs itself sees one; shorten it, or raise \"until\"");
  }
}

/// Nothing in it, or in one of its classes, looks like "heals nothing" and is not.
void check_healing(const LocatedValue& written, ErrorList& errors) {
  const LocatedValue* accelerators = written.find("accelerators");
  const LocatedValue* healing =
      accelerators == nullptr ? nullptr : accelerators->find("self_healing");
  if (healing == nullptr) {
    return;
  }
  const auto warn_if_empty = [&](const LocatedValue& object) {
    if (std::get<LocatedValue::Members>(object.data).empty()) {
      errors.warn(object,
                  "is empty, so healing works as if it were left out: in 15 s, and always; say "
                  "what \"takes\" and \"fails\" are (with \"fails\": 1 nothing heals), or leave it "
                  "out");
      return true;
    }
    return false;
  };
  if (warn_if_empty(*healing)) {
    return;
  }
  for (const LocatedMember& by_class : std::get<LocatedValue::Members>(healing->data)) {
    warn_if_empty(by_class.value);
  }
}

void check_pool(const LocatedValue& written, const PoolSpec& pool, ErrorList& errors) {
  check_healing(written, errors);
  if (written.find("provision") != nullptr && pool.replacement != Replacement::kProvision) {
    errors.warn(*written.find("provision"), R"(has no effect without "replacement": "provision")");
  }
  if (written.find("max_nodes") != nullptr && pool.max_nodes > pool.nodes + pool.spares &&
      pool.replacement == Replacement::kNone) {
    errors.warn(*written.find("max_nodes"),
                R"(brings no node without "replacement": "provision" or "now", and has the pool's )"
                "random faults drawn anew, for places that stay empty");
  }
  if (written.find("spares") != nullptr && pool.spares > 0 &&
      pool.replacement == Replacement::kNow) {
    errors.warn(*written.find("spares"),
                R"(stand by for nothing: with "replacement": "now" a lost node has another in )"
                "its place at once");
  }
}

bool has_kind(const FaultSpec& fault, std::initializer_list<FaultKind> kinds) {
  return std::ranges::any_of(fault.effects, [&](const WeightedEffect& each) {
    return std::ranges::find(kinds, each.effect.kind) != kinds.end();
  });
}

/// Of a run that has trials alone: faults that nobody in it can feel.
void check_felt(const LocatedValue& written, const FaultSpec& fault, const Scenario& scenario,
                ErrorList& errors) {
  using enum FaultKind;
  const auto any_trial = [&](auto&& feels) {
    return std::ranges::any_of(scenario.experiments, feels);
  };
  const auto uses_storage = [&](const ExperimentSpec& experiment) {
    const bool there =
        fault.target.kind != TargetKind::kStorage || experiment.run.storage == fault.target.storage;
    return there && experiment.run.storage && experiment.checkpoint &&
           experiment.checkpoint->bytes > 0;
  };
  const auto saves_there = [&](const ExperimentSpec& experiment) {
    return experiment.checkpoint && experiment.saves && experiment.pool == fault.target.pool;
  };
  const LocatedValue& target = *written.find("target");
  if (has_kind(fault, {kStorageOutage, kSlowStorage, kWorkerStoragePartition}) &&
      !any_trial(uses_storage)) {
    errors.warn(target,
                "no trial feels it: none moves bytes to or from that storage; give the "
                "experiment's \"checkpoint\" its \"bytes\"");
  }
  if (has_kind(fault, {kFullDisk}) && fault.target.kind != TargetKind::kHead &&
      !any_trial(saves_there)) {
    errors.warn(target, "no trial feels it: none of that pool saves a checkpoint");
  }
  if (has_kind(fault, {kFalseAlarm})) {
    errors.warn(target, "no trial feels it: policies of experiments do not hear of alarms");
  }
}

/// Whether the policy of some job has it; one that cannot be built is told elsewhere.
bool any_policy(const Scenario& scenario, bool policies::PolicyInfo::* trait) {
  return std::ranges::any_of(scenario.jobs, [&](const JobSpec& job) {
    const auto made = policies::make_policy(policy_request(job));
    const auto* configured = std::get_if<policies::ConfiguredPolicy>(&made);
    return configured == nullptr || configured->policy->info().*trait;
  });
}

void check_node_object(const LocatedValue& cluster, const Scenario& scenario, ErrorList& errors) {
  const LocatedValue* rule = cluster.find("node_object");
  if (rule != nullptr && !scenario.jobs.empty() &&
      !any_policy(scenario, &policies::PolicyInfo::pods_are_objects)) {
    errors.warn(*rule,
                "has no effect: no job's policy is one under which pods of a lost node stay as "
                "objects (job, jobset, kubeflow, volcano)");
  }
}

/// A death that closes connections, where nobody looks at them.
void check_connections(const LocatedValue& fault, const Scenario& scenario, ErrorList& errors) {
  std::vector<const LocatedValue*> effects{&fault};
  if (const LocatedValue* causes = fault.find("causes")) {
    for (const LocatedValue& cause : std::get<LocatedValue::List>(causes->data)) {
      effects.push_back(&cause);
    }
  }
  for (const LocatedValue* effect : effects) {
    const LocatedValue* connections = effect->find("connections");
    if (connections != nullptr && to_json(*connections) == "closed" &&
        !any_policy(scenario, &policies::PolicyInfo::leaves_peers)) {
      errors.warn(*connections,
                  "has no effect: no job's policy is one under which ranks see by themselves that "
                  "another has ended (torchrun, job, jobset, kubeflow, volcano)");
    }
  }
}

/// An agent as the target, where the job's controller has none.
void check_agents(const LocatedValue& fault, const FaultSpec& spec, const Scenario& scenario,
                  ErrorList& errors) {
  if (spec.target.kind != TargetKind::kAgent) {
    return;
  }
  const JobSpec& job = scenario.jobs[spec.target.job];
  const policies::PolicyRequest request = policy_request(job);
  const auto made = scenario.policies == nullptr ? policies::make_policy(request)
                                                 : scenario.policies->make(request, {});
  const auto* configured = std::get_if<policies::ConfiguredPolicy>(&made);
  if (configured == nullptr || configured->policy->info().agents) {
    return;
  }
  const policies::PolicyInfo& info = configured->policy->info();
  errors.add(*fault.find("target"),
             {fmt::format("{}@{}, which decides for job {}, has no agents that end apart from "
                          "their nodes",
                          info.name, info.profile, in_quotes(job.name)),
              "the job as the target, or a policy of agents (torchrun, nvrx)",
              {}});
}

void check_steps_per(const LocatedValue& written, const JobSpec& job, ErrorList& errors) {
  const LocatedValue* script = written.find("script");
  const LocatedValue* owner = script == nullptr ? nullptr : script->find("steps_per");
  if (owner != nullptr && to_json(*owner) == "attempt" && !job.steps) {
    errors.warn(*owner, R"(has no effect: the job has no "steps" and trains until the end)");
  }
}

/// Of a policy of the library: another one may read what it likes.
template <class Subject>
void check_variables(const LocatedValue& written, const Subject& subject, ErrorList& errors) {
  if (const LocatedValue* env = written.find("env")) {
    check_env(*env, policy_request(subject), errors);
  }
}

}  // namespace

void check_mistakes(const LocatedValue& root, const Scenario& scenario, bool replaced,
                    ErrorList& errors) {
  const bool own_policies = !replaced && scenario.policies == nullptr;
  for (std::size_t i = 0; i < scenario.jobs.size(); ++i) {
    if (const LocatedValue* written = element(root, "jobs", i)) {
      check_saves(*written, scenario.jobs[i], scenario, errors);
      check_phases(*written, scenario.jobs[i], scenario, errors);
      check_steps_per(*written, scenario.jobs[i], errors);
      check_collective_timeout(*written, scenario.jobs[i], scenario, errors);
      if (own_policies) {
        check_variables(*written, scenario.jobs[i], errors);
      }
    }
  }
  for (std::size_t i = 0; own_policies && i < scenario.experiments.size(); ++i) {
    if (const LocatedValue* written = element(root, "experiments", i)) {
      check_variables(*written, scenario.experiments[i], errors);
    }
  }
  for (std::size_t i = 0; i < scenario.faults.size(); ++i) {
    const LocatedValue* written = element(root, "faults", i);
    if (written != nullptr) {
      check_agents(*written, scenario.faults[i], scenario, errors);
    }
    if (written != nullptr && scenario.jobs.empty()) {
      check_felt(*written, scenario.faults[i], scenario, errors);
    } else if (written != nullptr && own_policies) {
      check_connections(*written, scenario, errors);
    }
  }
  const LocatedValue* cluster = root.find("cluster");
  if (cluster != nullptr && own_policies) {
    check_node_object(*cluster, scenario, errors);
  }
  for (std::size_t i = 0; cluster != nullptr && i < scenario.cluster.pools.size(); ++i) {
    if (const LocatedValue* written = element(*cluster, "pools", i)) {
      check_pool(*written, scenario.cluster.pools[i], errors);
    }
  }
}

}  // namespace aftershock::sim::scenario
