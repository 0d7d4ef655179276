#include "sim/advise/starter.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "policies/registry.h"
#include "sim/advise/starter_annotations.h"
#include "sim/advise/starter_notes.h"
#include "sim/advise/starter_numbers.h"

namespace aftershock::sim::advise {
namespace {

std::variant<policies::ConfiguredPolicy, std::string> built(
    const scenario::PolicySpec& policy, std::map<std::string, std::string> env) {
  auto made = policies::make_policy(
      {policy.name, policy.profile, nlohmann::json::object(), std::move(env)});
  if (const auto* issues = std::get_if<std::vector<policies::ConfigIssue>>(&made)) {
    const policies::ConfigIssue& issue = issues->front();
    return fmt::format(
        "{}{}{}{}", issue.message, issue.expected.empty() ? "" : "; expected ", issue.expected,
        issue.nearest.empty() ? std::string() : fmt::format("; did you mean {}?", issue.nearest));
  }
  return std::get<policies::ConfiguredPolicy>(std::move(made));
}

/// Versions that run another Ray Train unless the job's environment asks for this one.
std::map<std::string, std::string> env_for(const scenario::PolicySpec& policy) {
  const auto made = built(policy, {});
  const auto* configured = std::get_if<policies::ConfiguredPolicy>(&made);
  if (policy.name != "ray_train" || configured == nullptr ||
      configured->policy->info().name == policy.name) {
    return {};
  }
  return {{"RAY_TRAIN_V2_ENABLED", "1"}};
}

/// A text from a user as JSON has it.
std::string json_text(const std::string& text) {
  return policies::text_from_json(nlohmann::json(text));
}

std::string cluster_text(const StarterTerms& terms) {
  const StarterNumbers& n = terms.numbers;
  return fmt::format(
      R"( "cluster": {{
  "heads": [{{"name": "head"}}],
  "pools": [{{"name": "{0}", "nodes": {1}, "spares": {2}, "racks": {3}, "accelerators": {{"kind": "{0}", "per_node": {4}}},{8} "nic": "50GB/s",
             "repair": {{"lognormal": {{"mean": "132.8h", "sigma": 1.936}}}}, {9}}}],
  "storage": [{{"name": "{5}", "kind": "{6}", "read": "{7}GB/s", "write": "{7}GB/s"}}],
  "heartbeat": {{"every": "5s", "misses": 3}}, "health_check": {{"when": "placement"}}
 }},
)",
      terms.pool, n.nodes, n.spares, n.racks, kStarterPerNode, terms.pods ? "sfs" : "s3",
      terms.pods ? "nfs" : "object", n.nodes,
      terms.spot ? spot_pool_text(*terms.spot, terms.experiment ? 0 : n.max_nodes) : "",
      terms.spot ? kSpotPrices : R"("price_per_node_hour": 32.0)");
}

std::string config_text(const StarterTerms& terms) {
  if (terms.other) {
    return terms.other->config;
  }
  if (terms.pods) {
    return fmt::format(R"({{"metadata": {{"annotations": {}}}}})", terms.annotations);
  }
  return fmt::format(R"({{"max_failures": {}}})",
                     terms.experiment ? terms.numbers.trial_retries : terms.numbers.all_retries);
}

std::string policy_text(const StarterTerms& terms, const scenario::PolicySpec& policy) {
  return fmt::format(R"("policy": {{"name": "{}", "profile": "{}", "config": {}}})", policy.name,
                     policy.profile, config_text(terms));
}

std::string env_text(const std::map<std::string, std::string>& env) {
  std::vector<std::string> members;
  for (const auto& [name, value] : env) {
    members.push_back(fmt::format(R"("{}": "{}")", name, value));
  }
  return members.empty() ? std::string()
                         : fmt::format("  \"env\": {{{}}},\n", fmt::join(members, ", "));
}

/// Members of a job whose policy makes pods, with a comma before each.
std::string pods_text(const StarterTerms& terms) {
  return fmt::format(
      R"(,
  "pods": {{"image": "20GB", "registry": "100Gbit/s", "each": "175ms"{}}})",
      terms.pool == "npu" ? R"(, "rank_table": "10ms")" : "");
}

std::string job_text(const StarterTerms& terms, const StarterRequest& request) {
  const StarterNumbers& n = terms.numbers;
  std::map<std::string, std::string> env = env_for(request.policy);
  if (terms.pods) {
    env["MA_FAILOVER_TERMINATION_GRACE_PERIOD_SECONDS"] = "10";
    env["MA_HANG_DETECT_TIME"] = "20";
  }
  return fmt::format(
      R"( "jobs": [{{
  "name": "llm", "workers": {}, "step": "10s",
  "checkpoint": {{"every": "{}", "bytes": "{}GB", "blocking": "{}s", "upload": "async", "keep": 2}},
  "phases": {{"launching": "1min", "rendezvous": {{"uniform": ["30s", "60s"]}}, "warming_up": "{}"{}}},
  "collective_timeout": "{}", "script": {{"setup": "2min"}}{}{},
{}  {}
 }}],
)",
      request.accelerators, whole_time(n.interval_s), n.checkpoint_gb, n.blocking_s,
      terms.pool == "npu" ? "3min" : "1min", terms.pods ? R"(, "tearing_down": "5s")" : "",
      terms.collective_timeout,
      terms.pods ? R"(, "volumes": {"unmount": "1min"})"
                 : fmt::format(R"(, "run": {{"storage_path": "s3://bucket", "name": {}}})",
                               json_text(request.name)),
      terms.makes_pods ? pods_text(terms) : "", env_text(env), policy_text(terms, request.policy));
}

std::string experiment_text(const StarterTerms& terms, const StarterRequest& request) {
  return fmt::format(
      R"( "experiments": [{{
  "name": "search", "trials": {}, "resources_per_trial": {{"accelerators": {}}}, "steps": {}, "step": "10min",
  "checkpoint": {{"every_steps": 6, "bytes": "3GB", "blocking": "1s"}},
  "phases": {{"launching": "20s", "restoring": "5s"}},
  "run": {{"storage_path": "s3://bucket", "name": {}}},
{}  {}
 }}],
)",
      2 * terms.numbers.nodes, kStarterPerNode, terms.trial_steps, json_text(request.name),
      env_text(env_for(request.policy)), policy_text(terms, request.policy));
}

std::string expect_text(const StarterTerms& terms) {
  std::vector<std::string_view> promises{"alive == 1", "useful > 80%"};
  if (terms.experiment) {
    promises = {"completed == 1"};
  } else if (terms.spot) {
    promises = {"alive == 1", kSpotPromise, kSpotLimit};
  }
  std::vector<std::string> each;
  for (const std::string_view promise : promises) {
    each.push_back(fmt::format(R"({{"that": "{}"}})", promise));
  }
  return fmt::format(" \"expect\": [{}]\n}}\n", fmt::join(each, ", "));
}

std::string faults_text(const StarterTerms& terms, const std::vector<StarterCause>& causes) {
  std::vector<std::string> lines;
  lines.reserve(causes.size());
  for (const StarterCause& cause : causes) {
    lines.push_back(fmt::format("   {{{}, \"weight\": {}}}", cause.text, cause.weight));
  }
  return fmt::format(
      R"( "faults": [{{
  "id": "failure", "target": "pool:{}", "source": {{"rate": "3.789/1000 node-days"}},
  "causes": [
{}
  ]
 }}{}],
)",
      terms.pool, fmt::join(lines, ",\n"),
      terms.spot ? ", " + spot_fault_text(*terms.spot, terms.pool) : "");
}

std::string notes_text(const std::vector<std::string>& notes) {
  std::vector<std::string> lines;
  lines.reserve(notes.size());
  for (const std::string& note : notes) {
    lines.push_back("  " + json_text(note));
  }
  return fmt::format(" \"notes\": [\n{}\n ],\n", fmt::join(lines, ",\n"));
}

/// All strategies of a policy that has them switched on by annotations.
std::string usual_annotations(const StarterNumbers& numbers) {
  return fmt::format(
      R"({{
     "fault-tolerance/job-retry-num": "{}", "fault-tolerance/job-unconditional-retry": "true", "fault-tolerance/hang-retry": "true", "fault-tolerance/pod-retry-num": "{}"}})",
      std::clamp<std::int64_t>(numbers.exit_retries, 8, 128),
      std::max<std::int64_t>(numbers.node_retries, 3));
}

StarterTerms terms_of(const StarterRequest& request, const policies::PolicyInfo& info,
                      const std::vector<StarterCause>& causes, std::optional<StarterSpot> spot,
                      const StarterAnnotations& annotations) {
  StarterTerms terms;
  terms.spot = std::move(spot);
  terms.pool = request.kind == scenario::AcceleratorKind::kNpu ? "npu" : "gpu";
  terms.pods = !info.endings.empty();
  const auto* entry = policies::shipped_policy(info.name);
  terms.makes_pods = entry != nullptr && entry->pods != policies::PodStarts::kNone;
  terms.experiment = info.subject == policies::Subject::kExperiment;
  terms.days = request.days;
  terms.days_told = request.days_told;
  terms.policy_told = request.policy_told;
  terms.with_env = !env_for(request.policy).empty();
  terms.accelerators = request.accelerators;
  // Trials come in two waves, and what is done twice fits in as well.
  constexpr std::int64_t kStepsADay = 144;
  terms.trial_steps = std::max<std::int64_t>(1, request.days * kStepsADay * 2 / 5);
  terms.collective_timeout = terms.pool == "npu" ? "1836s" : terms.pods ? "30min" : "10min";
  terms.numbers = starter_numbers(request, causes, terms.spot ? &*terms.spot : nullptr);
  terms.other = starter_policy(info.name, terms.numbers);
  terms.annotations_told = !annotations.values.empty();
  terms.annotations = terms.annotations_told ? policies::text_from_json(annotations.values)
                                             : usual_annotations(terms.numbers);
  return terms;
}

}  // namespace

std::variant<Starter, std::string> make_starter(const StarterRequest& asked) {
  StarterRequest request = asked;
  const std::uint32_t rest = request.accelerators % kStarterPerNode;
  if (request.accelerators == 0 || rest != 0) {
    const std::uint32_t down = request.accelerators - rest;
    const std::uint32_t up = down + kStarterPerNode;
    return fmt::format("{} accelerators do not fill whole nodes of {}; the nearest {} {}",
                       request.accelerators, kStarterPerNode, down == 0 ? "is" : "are",
                       down == 0 ? std::to_string(up) : fmt::format("{} and {}", down, up));
  }
  const auto entries = policies::shipped_policies();
  const auto entry = std::ranges::find(entries, request.policy.name, &policies::PolicyEntry::name);
  if (entry != entries.end() && request.policy.profile.empty()) {
    request.policy.profile = entry->profiles.front();
  }
  const auto made = built(request.policy, env_for(request.policy));
  if (const auto* problem = std::get_if<std::string>(&made)) {
    return *problem;
  }
  StarterAnnotations annotations;
  if (!request.annotations.empty()) {
    auto read = read_annotations(request.annotations, request.policy);
    if (auto* problem = std::get_if<std::string>(&read)) {
      return std::move(*problem);
    }
    annotations = std::get<StarterAnnotations>(std::move(read));
  }
  std::optional<StarterSpot> spot;
  if (request.spot) {
    auto read = starter_spot(*request.spot, request.accelerators / kStarterPerNode);
    if (auto* problem = std::get_if<std::string>(&read)) {
      return std::move(*problem);
    }
    spot = std::get<StarterSpot>(std::move(read));
  }
  const policies::PolicyInfo& info = std::get<policies::ConfiguredPolicy>(made).policy->info();
  const SickNode sick = info.isolates                            ? SickNode::kIsolated
                        : restarts_in_place(request.policy.name) ? SickNode::kDrained
                                                                 : SickNode::kPassedOver;
  const auto causes =
      starter_causes(request.kind, sick, info.subject == policies::Subject::kExperiment);
  const StarterTerms terms = terms_of(request, info, causes, std::move(spot), annotations);
  std::string text = fmt::format(
      R"({{
 "schema": 1, "name": {}, "seed": 1,
 "question": "{}",
)",
      json_text(request.name), starter_question(terms, request.policy));
  text += notes_text(starter_notes(terms, request.policy));
  text += fmt::format(" \"until\": \"{}d\",\n", request.days);
  text += cluster_text(terms);
  text += terms.experiment ? experiment_text(terms, request) : job_text(terms, request);
  text += faults_text(terms, causes);
  text += expect_text(terms);
  return Starter{std::move(text), std::move(annotations.warnings)};
}

}  // namespace aftershock::sim::advise
