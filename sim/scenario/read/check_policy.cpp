#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "policies/registry.h"
#include "sim/scenario/keys/keys.h"
#include "sim/scenario/read/policy_request.h"
#include "sim/scenario/read/sections.h"
#include "sim/scenario/shape/fields.h"
#include "sim/scenario/text/units.h"

namespace aftershock::sim::scenario {
namespace {

/// The key that a part of a JSON Pointer means.
std::string key_of(std::string_view part) {
  std::string key(part);
  for (const auto& [escape, means] : {std::pair{"~1", "/"}, std::pair{"~0", "~"}}) {
    for (auto at = key.find(escape); at != std::string::npos; at = key.find(escape, at + 1)) {
      key.replace(at, 2, means);
    }
  }
  return key;
}

/// The element of a list or the member of an object that a part of a JSON Pointer means, or null.
const LocatedValue* child_of(const LocatedValue& value, std::string_view part) {
  const auto* list = value.get_if<LocatedValue::List>();
  if (list == nullptr) {
    return value.find(key_of(part));
  }
  std::size_t index = list->size();
  std::from_chars(part.data(), part.data() + part.size(), index);
  return index < list->size() ? &(*list)[index] : nullptr;
}

/// The part of the job that an issue is about: what its pointer leads to, as far as it is written.
const LocatedValue& blamed(const LocatedValue& job, const policies::ConfigIssue& issue) {
  std::string_view rest = issue.pointer;
  constexpr std::string_view kEnv = "/env";
  const LocatedValue* at = rest.starts_with(kEnv) ? &job : job.find("policy");
  const LocatedValue* checkpoint = job.find("checkpoint");
  const LocatedValue* keep = checkpoint == nullptr ? nullptr : checkpoint->find("keep");
  while (!rest.empty()) {
    rest.remove_prefix(1);
    const std::string_view part = rest.substr(0, rest.find('/'));
    const LocatedValue* next = child_of(*at, part);
    if (next == nullptr) {
      // policy_request takes this one from the checkpoint.
      return part == "num_to_keep" && keep != nullptr ? *keep : *at;
    }
    at = next;
    rest.remove_prefix(part.size());
  }
  return *at;
}

void check_keep(const LocatedValue& written, const JobSpec& job, ErrorList& errors) {
  if (!job.checkpoint || !job.checkpoint->keep) return;
  const auto* config = written.find("policy")->find("config");
  const auto* kept = config == nullptr ? nullptr : config->find("num_to_keep");
  if (kept == nullptr || to_json(*kept) == nlohmann::json(*job.checkpoint->keep)) return;
  errors.add(*kept, {fmt::format("contradicts checkpoint.keep, which is {}", *job.checkpoint->keep),
                     "one of the two, or the same number",
                     {}});
}

/// The largest size of an elastic group is that of the job, which is what the simulation starts
/// with.
void check_size(const LocatedValue& written, const JobSpec& job, ErrorList& errors) {
  const auto* config = written.find("policy")->find("config");
  const auto* size = config == nullptr ? nullptr : config->find("num_workers");
  if (size == nullptr) return;
  const nlohmann::json value = to_json(*size);
  const nlohmann::json& most = value.is_array() && value.size() == 2 ? value[1] : value;
  if (!most.is_number_integer() || most == nlohmann::json(job.workers)) return;
  errors.add(*size, {fmt::format("contradicts the job's workers, which are {}", job.workers),
                     "the same number, alone or as the larger of two",
                     {}});
}

std::string_view words_for(policies::Subject subject) {
  return subject == policies::Subject::kJob ? "a job" : "an experiment";
}

/// Whether the policy decides for such a thing at all; one that is not shipped is another error.
bool fits_subject(const LocatedValue& written, const policies::PolicyRequest& request,
                  policies::Subject subject, ErrorList& errors) {
  std::vector<std::string_view> fitting;
  bool misfit = false;
  for (const policies::PolicyEntry& entry : policies::shipped_policies()) {
    if (entry.subject == subject) {
      fitting.push_back(entry.name);
    } else {
      misfit = misfit || entry.name == request.name;
    }
  }
  if (!misfit) return true;
  std::string_view near = policies::nearest_name(request.name, fitting);
  if (near.empty() && fitting.size() == 1) near = fitting.front();
  errors.add(*written.find("policy")->find("name"),
             {fmt::format("{} does not decide for {}", in_quotes(request.name), words_for(subject)),
              fitting.empty() ? fmt::format("no policy is shipped for {}", words_for(subject))
                              : fmt::format("one of {}", fmt::join(fitting, ", ")),
              std::string(near)});
  return false;
}

std::string count_of(std::uint64_t pods) {
  return fmt::format("{} pod{}", pods, pods == 1 ? "" : "s");
}

/// The job has no fewer pods than must be there, and no more than may.
void check_bounds(const LocatedValue& written, const JobSpec& job, const PoolSpec& pool,
                  const policies::SaidPods& said, ErrorList& errors) {
  const std::uint32_t each = said.ranks_each > 0 ? said.ranks_each : pool.accelerators_per_node;
  const std::uint32_t pods = (job.workers - 1) / each + 1;
  const auto refuse = [&](const std::string& pointer, std::string_view side) {
    policies::ConfigIssue issue;
    issue.pointer = pointer;
    errors.add(blamed(written, issue),
               {fmt::format("the job's {} workers are {}", job.workers, count_of(pods)),
                fmt::format("at {} {}", side, pods),
                {}});
  };
  if (said.least.pods > pods) refuse(said.least.pointer, "most");
  if (said.most.pods > 0 && said.most.pods < pods) refuse(said.most.pointer, "least");
}

/// The pods that a manifest asks for are those that the job's workers make.
void check_pods(const LocatedValue& written, const JobSpec& job, const PoolSpec& pool,
                const policies::SaidPods& said, ErrorList& errors) {
  const std::uint64_t pods = said.pods;
  const std::uint32_t each = said.ranks_each;
  const bool whole =
      pods == 0  ? true
      : each > 0 ? (job.workers - 1) / each + 1 == pods
                 : job.workers % pods == 0 && job.workers / pods <= pool.accelerators_per_node;
  if (whole) {
    check_bounds(written, job, pool, said, errors);
    return;
  }
  policies::ConfigIssue issue;
  issue.pointer = said.pointer;
  const std::uint32_t fitting = each > 0 ? each : pool.accelerators_per_node;
  errors.add(blamed(written, issue),
             {fmt::format("{} contradict{} the job's {} workers", count_of(pods),
                          pods == 1 ? "s" : "", job.workers),
              fmt::format("{} of {}{} workers, or as many workers as these pods have",
                          count_of((job.workers - 1) / fitting + 1),
                          job.workers % fitting == 0 ? "" : "at most ", fitting),
              {}});
}

/// A pod is placed on one node.
void check_pod_size(const LocatedValue& written, const JobSpec& job, const PoolSpec& pool,
                    ErrorList& errors) {
  const auto shipped = policies::shipped_policies();
  const auto found = std::ranges::find(shipped, job.policy.name, &policies::PolicyEntry::name);
  if (found == shipped.end() || found->ranks_per_pod.empty()) return;
  const auto said = job.policy.config->find(found->ranks_per_pod);
  if (said == job.policy.config->end() || !said->is_number_integer()) return;
  const auto ranks = said->get<std::int64_t>();
  if (ranks <= std::int64_t{pool.accelerators_per_node}) return;
  policies::ConfigIssue issue;
  issue.pointer = "/config/" + std::string(found->ranks_per_pod);
  errors.add(blamed(written, issue),
             {fmt::format("no node of pool \"{}\" takes a pod of {} ranks", pool.name, ranks),
              fmt::format("at most {}, its accelerators per node", pool.accelerators_per_node),
              {}});
}

/// One who sets by itself what nothing reads meant to change something.
void refuse_if_asked(const LocatedValue& written, const policies::ConfigIssue& issue,
                     ErrorList& errors) {
  const auto last = issue.pointer.rfind('/');
  policies::ConfigIssue above = issue;
  above.pointer.resize(last);
  const auto* members = blamed(written, above).get_if<LocatedValue::Members>();
  if (members == nullptr) {
    return;
  }
  const std::string key = key_of(std::string_view(issue.pointer).substr(last + 1));
  const auto member = std::ranges::find(*members, key, &LocatedMember::key);
  if (member != members->end() && errors.holds_named_by_argument(*member)) {
    errors.add(member->value, {issue.message, issue.expected, issue.nearest});
  }
}

/// The description of the policy that decides, which an environment may have switched.
struct Decider {
  const policies::PolicyInfo* info = nullptr;  ///< null when it cannot be made
  std::optional<policies::DurationUs> hang_restart_after_us{};
  std::optional<policies::SaidPods> pods{};
};

Decider check_request(const LocatedValue& written, const policies::PolicyRequest& request,
                      policies::Subject subject, policies::PolicySource* source,
                      ErrorList& errors) {
  if (source == nullptr && !fits_subject(written, request, subject, errors)) return {};
  auto made = source == nullptr ? policies::make_policy(request) : source->make(request, {});
  if (auto* issues = std::get_if<std::vector<policies::ConfigIssue>>(&made)) {
    for (policies::ConfigIssue& issue : *issues) {
      errors.add(blamed(written, issue),
                 {std::move(issue.message), std::move(issue.expected), std::move(issue.nearest)});
    }
    return {};
  }
  const auto& policy = std::get<policies::ConfiguredPolicy>(made);
  for (const policies::ConfigIssue& issue : policy.unread) {
    refuse_if_asked(written, issue, errors);
  }
  for (const auto& warning : policy.warnings) {
    errors.warn(blamed(written, warning), warning.message);
  }
  const policies::PolicyInfo& info = policy.policy->info();
  if (info.subject != subject) {
    errors.add(
        *written.find("policy"),
        {fmt::format("{} does not decide for {}", in_quotes(source->title()), words_for(subject)),
         fmt::format("one whose subject is {}", name_of(subject)),
         {}});
    return {};
  }
  return {&info, policy.terms.hang_restart_after_us, policy.pods};
}

/// Settings of a job for Train V1 alone.
void check_v1_settings(const LocatedValue& written, const JobSpec& job, std::string_view policy,
                       ErrorList& errors) {
  const LocatedValue* run = written.find("run");
  if (policy == "ray_train" && job.run.sync_artifacts) {
    for (const std::string_view key : {"sync_artifacts", "sync_period"}) {
      if (const LocatedValue* setting = run->find(key)) {
        errors.warn(*setting,
                    "has no effect: Ray Train V2 no longer copies the workers' files to storage, "
                    "only checkpoints");
      }
    }
  }
  const LocatedValue* config = written.find("policy")->find("config");
  const LocatedValue* from = config == nullptr ? nullptr : config->find("resume_from_checkpoint");
  if (policy == "ray_train_v1" && from != nullptr && !to_json(*from).is_null() &&
      written.find("initial_checkpoint") == nullptr) {
    errors.warn(*from,
                "has no effect alone: how far the training in it had come is not known, so the run "
                "begins at step 0; the job's initial_checkpoint says it");
  }
}

void check_found_again(const LocatedValue& written, const JobSpec& job, const HeadSpec& head,
                       ErrorList& errors) {
  const bool found_again =
      job.run.name.find("{uuid}") == std::string::npos && !job.run.name.empty();
  if (!head.restart || found_again || !job.checkpoint) return;
  errors.warn(Fields(keys::job(), written).blame("run"),
              "a new driver after a loss of the head finds nothing of this run: its name is "
              "another one for every driver");
}

void check_control_plane(const LocatedValue& written, const policies::PolicyInfo& policy,
                         ErrorList& errors) {
  const LocatedValue* plane = written.find("control_plane");
  if (plane == nullptr || policy.watches_nodes) return;
  errors.add(*plane, {fmt::format("{}'s controller is the job's driver, which runs on its head",
                                  policy.name),
                      "no control_plane, or a policy of a platform, such as modelarts",
                      {}});
}

/// Laws of what peers learn, where nobody leaves them to it.
void check_peers(const LocatedValue& written, const JobSpec& job,
                 const policies::PolicyInfo& policy, ErrorList& errors) {
  const LocatedValue* collectives = written.find("collectives");
  if (collectives == nullptr || (policy.leaves_peers && !job.fixed_detection_us)) return;
  for (const std::string_view key : {"peer_ended", "peer_vanished", "gone_after"}) {
    if (const LocatedValue* law = collectives->find(key)) {
      errors.warn(*law, policy.leaves_peers
                            ? "has no effect beside fixed detection"
                            : fmt::format("has no effect: {} ends the gang itself", policy.name));
    }
  }
}

void check_hang_race(const LocatedValue& written, const JobSpec& job, const Decider& decider,
                     ErrorList& errors) {
  const auto& hang_us = decider.hang_restart_after_us;
  if (!hang_us || !job.collective_timeout_us || *job.collective_timeout_us > *hang_us) return;
  errors.warn(
      Fields(keys::job(), written).blame("collective_timeout"),
      fmt::format("hang restart never comes to it: what hangs fails after {}, before it has "
                  "hung for {}",
                  format_duration(*job.collective_timeout_us), format_duration(*hang_us)));
}

}  // namespace

PolicySpec read_policy(const LocatedValue& value) {
  const Fields fields(keys::policy(), value);
  return {fields.text("name"), fields.text("profile"), to_json(fields.value("config"))};
}

void check_policy(const LocatedValue& written, const JobSpec& job, const Scenario& scenario,
                  ErrorList& errors) {
  check_keep(written, job, errors);
  check_size(written, job, errors);
  const Decider decider = check_request(written, policy_request(job), policies::Subject::kJob,
                                        scenario.policies.get(), errors);
  const policies::PolicyInfo* policy = decider.info;
  check_hang_race(written, job, decider, errors);
  // A cluster without pools is another error.
  const auto& pools = scenario.cluster.pools;
  if (job.pool < pools.size()) {
    check_pod_size(written, job, pools[job.pool], errors);
    if (decider.pods) {
      check_pods(written, job, pools[job.pool], *decider.pods, errors);
    }
  }
  check_v1_settings(written, job, policy == nullptr ? "" : policy->name, errors);
  if (policy != nullptr) {
    check_peers(written, job, *policy, errors);
    check_control_plane(written, *policy, errors);
  }
  if (policy == nullptr || !policy->watches_nodes) {
    check_found_again(written, job, scenario.cluster.heads[job.head], errors);
  }
}

void check_policy(const LocatedValue& written, const ExperimentSpec& experiment,
                  const Scenario& scenario, ErrorList& errors) {
  check_request(written, policy_request(experiment), policies::Subject::kExperiment,
                scenario.policies.get(), errors);
}

}  // namespace aftershock::sim::scenario
