#include "policies/job/spec.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include <nlohmann/json.hpp>

#include "policies/parts/config_values.h"
#include "policies/parts/pod_template.h"

namespace aftershock::policies::job {
namespace {

using nlohmann::json;
using Errors = std::vector<ConfigIssue>;

constexpr std::array<std::string_view, 11> kKeys{"activeDeadlineSeconds",
                                                 "backoffLimit",
                                                 "backoffLimitPerIndex",
                                                 "completionMode",
                                                 "completions",
                                                 "maxFailedIndexes",
                                                 "parallelism",
                                                 "podFailurePolicy",
                                                 "podReplacementPolicy",
                                                 "suspend",
                                                 "template"};
constexpr std::array<std::string_view, 3> kRest{"manualSelector", "selector",
                                                "ttlSecondsAfterFinished"};
constexpr std::array<NotModelled, 2> kLoud{
    {{"managedBy", "another controller decides, by rules of its own"},
     {"successPolicy", "the job succeeds when all its pods have"}}};
constexpr std::array<std::string_view, 4> kActions{"FailJob", "FailIndex", "Ignore", "Count"};
constexpr std::array<std::string_view, 3> kRuleKeys{"action", "onExitCodes", "onPodConditions"};
constexpr std::array<std::string_view, 3> kCodeKeys{"containerName", "operator", "values"};
constexpr std::size_t kMostRules = 20;
constexpr std::int64_t kMostCount = std::numeric_limits<std::int32_t>::max();

bool is_object(const std::string& pointer, const json& value, Errors& errors) {
  if (!value.is_object()) {
    errors.push_back({pointer, shown(value), "an object", {}});
  }
  return value.is_object();
}

bool is_list(const std::string& pointer, const json& value, Errors& errors) {
  if (!value.is_array()) {
    errors.push_back({pointer, shown(value), "an array", {}});
  }
  return value.is_array();
}

std::optional<std::int64_t> read_number(const std::string& pointer, const json& value,
                                        std::int64_t least, Errors& errors) {
  const auto number = integer_value(value);
  if (number && *number >= least && *number <= kMostCount) {
    return number;
  }
  errors.push_back(
      {pointer,
       shown(value),
       "an integer from " + std::to_string(least) + " to " + std::to_string(kMostCount),
       {}});
  return std::nullopt;
}

/// The place of the word among those that are known; none is an error.
std::optional<std::size_t> read_word(const std::string& pointer, const json& value,
                                     std::span<const std::string_view> known, Errors& errors) {
  const std::string word = value.is_string() ? value.get<std::string>() : std::string();
  const auto found = std::ranges::find(known, std::string_view(word));
  if (found != known.end()) {
    return static_cast<std::size_t>(found - known.begin());
  }
  std::string expected;
  for (const std::string_view name : known) {
    expected += expected.empty() ? "\"" : ", \"";
    expected += std::string(name) + '"';
  }
  errors.push_back(
      {pointer, shown(value), "one of " + expected, std::string(nearest_name(word, known))});
  return std::nullopt;
}

void read_seconds(const std::string& pointer, const json& value, DurationUs& out, Errors& errors) {
  if (const auto number = read_number(pointer, value, 0, errors)) {
    out = *number * kSecondUs;
  }
}

void read_exit_codes(const std::string& pointer, const json& value, PodRule& rule,
                     Findings& findings) {
  Errors& errors = findings.errors;
  if (!is_object(pointer, value, errors)) {
    return;
  }
  for (const auto& item : value.items()) {
    const std::string member = pointer_to(pointer, item.key());
    if (item.key() == "operator") {
      constexpr std::array<std::string_view, 2> kOperators{"In", "NotIn"};
      rule.not_in = read_word(member, item.value(), kOperators, errors) == 1;
    } else if (item.key() == "values") {
      if (!is_list(member, item.value(), errors)) {
        continue;
      }
      for (const json& code : item.value()) {
        if (const auto number = read_number(member, code, 0, errors)) {
          rule.codes.push_back(static_cast<std::int32_t>(*number));
        }
      }
    } else if (item.key() != "containerName") {
      not_followed(pointer, item.key(), "a member of onExitCodes", {kCodeKeys}, findings);
    }
  }
  if (rule.codes.empty() ||
      (!rule.not_in && std::ranges::find(rule.codes, 0) != rule.codes.end())) {
    errors.push_back({pointer_to(pointer, "values"),
                      "these codes match no failure",
                      "one code or more; In takes no 0",
                      {}});
  }
}

void read_conditions(const std::string& pointer, const json& value, Errors& errors) {
  if (!is_list(pointer, value, errors)) {
    return;
  }
  for (const json& condition : value) {
    if (!condition.is_object() || condition.value("type", json()) != "DisruptionTarget" ||
        condition.value("status", json("True")) != "True") {
      errors.push_back({pointer,
                        shown(condition),
                        R"({"type": "DisruptionTarget", "status": "True"}, the one condition that )"
                        "comes about here",
                        {}});
    }
  }
}

void read_rule(const std::string& pointer, const json& value, Spec& spec, Findings& findings) {
  Errors& errors = findings.errors;
  if (!is_object(pointer, value, errors)) {
    return;
  }
  PodRule rule;
  rule.by_exit_code = value.contains("onExitCodes");
  if (rule.by_exit_code == value.contains("onPodConditions") || !value.contains("action")) {
    errors.push_back({pointer,
                      "the rule is not whole",
                      "action, and one of onExitCodes and onPodConditions",
                      {}});
  }
  for (const auto& item : value.items()) {
    const std::string member = pointer_to(pointer, item.key());
    if (item.key() == "action") {
      if (const auto action = read_word(member, item.value(), kActions, errors)) {
        rule.action = static_cast<PodAction>(*action);
      }
    } else if (item.key() == "onExitCodes") {
      read_exit_codes(member, item.value(), rule, findings);
    } else if (item.key() == "onPodConditions") {
      read_conditions(member, item.value(), errors);
    } else {
      not_followed(pointer, item.key(), "a member of a rule of podFailurePolicy", {kRuleKeys},
                   findings);
    }
  }
  spec.pod_rules.push_back(std::move(rule));
}

void read_policy(const std::string& pointer, const json& value, Spec& spec, Findings& findings) {
  Errors& errors = findings.errors;
  if (!is_object(pointer, value, errors)) {
    return;
  }
  for (const auto& item : value.items()) {
    if (item.key() != "rules") {
      constexpr std::array<std::string_view, 1> kOnly{"rules"};
      not_followed(pointer, item.key(), "rules", {kOnly}, findings);
      continue;
    }
    const std::string rules = pointer_to(pointer, "rules");
    if (!is_list(rules, item.value(), errors)) {
      continue;
    }
    if (item.value().size() > kMostRules) {
      errors.push_back({rules, "there are too many", "at most 20 rules", {}});
    }
    for (std::size_t at = 0; at < item.value().size(); ++at) {
      read_rule(pointer_to(rules, std::to_string(at)), item.value()[at], spec, findings);
    }
  }
}

void read_template(const std::string& pointer, const json& value, Spec& spec, Findings& findings) {
  const PodTemplate pods = read_pod_template(pointer, value, ContainerRestarts::kRefused, findings);
  spec.container = pods.container.value_or(spec.container);
  spec.grace_us = pods.grace_us.value_or(spec.grace_us);
  spec.toleration_us = pods.toleration_us.value_or(spec.toleration_us);
}

void read_member(const std::string& pointer, const std::string& key, const json& value, Spec& spec,
                 Findings& findings) {
  Errors& errors = findings.errors;
  const std::string member = pointer_to(pointer, key);
  if (key == "backoffLimit") {
    spec.backoff_limit = read_number(member, value, 0, errors).value_or(0);
  } else if (key == "backoffLimitPerIndex") {
    spec.backoff_limit_per_index = read_number(member, value, 0, errors);
  } else if (key == "maxFailedIndexes") {
    spec.max_failed_indexes = read_number(member, value, 0, errors);
  } else if (key == "completions" || key == "parallelism") {
    if (const auto pods = read_number(member, value, 1, errors)) {
      spec.completions = static_cast<std::uint32_t>(*pods);
    }
  } else if (key == "completionMode") {
    constexpr std::array<std::string_view, 2> kModes{"NonIndexed", "Indexed"};
    spec.indexed = read_word(member, value, kModes, errors) == 1;
  } else if (key == "activeDeadlineSeconds") {
    read_seconds(member, value, spec.active_deadline_us.emplace(), errors);
  } else if (key == "podFailurePolicy") {
    read_policy(member, value, spec, findings);
    spec.replaces_failed_only = true;
  } else if (key == "podReplacementPolicy") {
    constexpr std::array<std::string_view, 2> kPolicies{"TerminatingOrFailed", "Failed"};
    spec.replaces_failed_only |= read_word(member, value, kPolicies, errors) == 1;
  } else if (key == "template") {
    read_template(member, value, spec, findings);
  } else if (key == "suspend") {
    read_suspend(member, value, findings);
  } else {
    not_followed(pointer, key, "a member of a Job's spec", {kKeys, kRest, kLoud}, findings);
  }
}

// The checks of the API server, as far as they are about failures.
void check(const std::string& pointer, const json& value, const Spec& spec, Errors& errors) {
  const bool per_index = value.contains("backoffLimitPerIndex");
  if (per_index && !spec.indexed) {
    errors.push_back({pointer_to(pointer, "backoffLimitPerIndex"),
                      "pods have no index",
                      "completionMode \"Indexed\" with it",
                      {}});
  }
  if (!per_index && value.contains("maxFailedIndexes")) {
    errors.push_back({pointer_to(pointer, "maxFailedIndexes"),
                      "no index can fail",
                      "backoffLimitPerIndex with it",
                      {}});
  }
  if (!per_index && std::ranges::find(spec.pod_rules, PodAction::kFailIndex, &PodRule::action) !=
                        spec.pod_rules.end()) {
    errors.push_back({pointer_to(pointer, "podFailurePolicy"),
                      "FailIndex without an index",
                      "backoffLimitPerIndex with it",
                      {}});
  }
  if (value.contains("completions") && value.contains("parallelism") &&
      value["completions"] != value["parallelism"]) {
    errors.push_back({pointer_to(pointer, "parallelism"),
                      shown(value["parallelism"]),
                      "as many as completions: a training job needs all its pods at once",
                      {}});
  }
}

}  // namespace

Spec read_spec(const std::string& pointer, const json& value, bool indexed, Findings& findings) {
  Errors& errors = findings.errors;
  Spec spec{.indexed = indexed};
  if (!is_object(pointer, value, errors)) {
    return spec;
  }
  // Where each index has a limit of its own, all of them together have none by default.
  if (value.contains("backoffLimitPerIndex")) {
    spec.backoff_limit = kMostCount;
  }
  for (const auto& item : value.items()) {
    read_member(pointer, item.key(), item.value(), spec, findings);
  }
  check(pointer, value, spec, errors);
  return spec;
}

}  // namespace aftershock::policies::job
