#include "sim/advise/starter_annotations.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "policies/registry.h"
#include "sim/scenario/text/error.h"

namespace aftershock::sim::advise {
namespace {

using Json = nlohmann::ordered_json;

std::string problem_of(const std::string& text, std::string_view message, std::string_view expected,
                       std::string_view nearest = {}) {
  return fmt::format("--annotation {}: {}{}{}{}", scenario::in_quotes(text), message,
                     expected.empty() ? "" : "; expected ", expected,
                     nearest.empty() ? "" : fmt::format("; did you mean {}?", nearest));
}

/// The annotations that a policy reads; empty: none.
std::vector<std::string_view> known_to(const policies::PolicyInfo& info) {
  std::vector<std::string_view> known;
  const bool reads = std::ranges::find(info.parameters, "metadata", &policies::Parameter::name) !=
                     info.parameters.end();
  for (const policies::Parameter& parameter : info.parameters) {
    if (reads && parameter.name.find('/') != parameter.name.npos) {
      known.push_back(parameter.name);
    }
  }
  return known;
}

std::vector<std::string> policies_with_annotations() {
  std::vector<std::string> names;
  for (const policies::PolicyEntry& entry : policies::shipped_policies()) {
    const auto made = policies::make_policy({.name = std::string(entry.name), .env = {}});
    const auto* policy = std::get_if<policies::ConfiguredPolicy>(&made);
    if (policy != nullptr && !known_to(policy->policy->info()).empty()) {
      names.emplace_back(entry.name);
    }
  }
  return names;
}

std::string_view name_in(std::string_view key) { return key.substr(key.rfind('/') + 1); }

/// By the whole key, or by what stands behind its prefix.
std::string_view nearest_to(std::string_view key, const std::vector<std::string_view>& known) {
  if (const auto whole = policies::nearest_name(key, known); !whole.empty()) {
    return whole;
  }
  std::vector<std::string_view> names;
  std::ranges::transform(known, std::back_inserter(names), name_in);
  const auto found = std::ranges::find(names, policies::nearest_name(name_in(key), names));
  return found == names.end() ? std::string_view()
                              : known[static_cast<std::size_t>(found - names.begin())];
}

/// The mistake in the form of a KEY=VALUE; none where it has one.
std::optional<std::string> misformed(const std::string& text, std::string_view first_known) {
  const std::string example = fmt::format("KEY=VALUE, such as {}=10", first_known);
  const std::size_t equals = text.find('=');
  if (equals == text.npos) {
    return problem_of(text, "has no =", example);
  }
  if (equals == 0 || equals + 1 == text.size()) {
    return problem_of(text, equals == 0 ? "has no key" : "has no value", example);
  }
  if (text.find_first_of("\"' \t\n") != text.npos) {
    return problem_of(text, "has quotes or blanks in it", example);
  }
  if (const std::size_t at = text.find("~1"); at < equals) {
    std::string meant = text;
    for (std::size_t i = at; i != meant.npos; i = meant.find("~1", i)) {
      meant.replace(i, 2, "/");
    }
    return problem_of(text, "a key is not a JSON Pointer, and its / is written as it is", {},
                      meant);
  }
  return std::nullopt;
}

/// The annotation that an issue of the policy is about, as it was given.
const std::string& blamed(const std::vector<std::string>& texts,
                          const policies::ConfigIssue& issue) {
  const auto found = std::ranges::find_if(texts, [&](const std::string& text) {
    std::string pointer = "/config/metadata/annotations";
    scenario::append_to_pointer(pointer, text.substr(0, text.find('=')));
    return issue.pointer == pointer;
  });
  return found == texts.end() ? texts.front() : *found;
}

}  // namespace

std::variant<StarterAnnotations, std::string> read_annotations(
    const std::vector<std::string>& texts, const scenario::PolicySpec& policy) {
  StarterAnnotations read;
  const auto plain =
      policies::make_policy({.name = policy.name, .profile = policy.profile, .env = {}});
  const auto* able = std::get_if<policies::ConfiguredPolicy>(&plain);
  const auto known =
      able == nullptr ? std::vector<std::string_view>() : known_to(able->policy->info());
  if (known.empty()) {
    return fmt::format("--annotation: {} reads no annotations; expected --policy {}", policy.name,
                       fmt::join(policies_with_annotations(), " or "));
  }
  for (const std::string& text : texts) {
    if (auto problem = misformed(text, known.front())) {
      return *std::move(problem);
    }
    const std::string key = text.substr(0, text.find('='));
    if (std::ranges::find(known, key) == known.end()) {
      return problem_of(text, fmt::format("{} does not read it", policy.name),
                        fmt::format("one of {}", fmt::join(known, ", ")), nearest_to(key, known));
    }
    if (read.values.contains(key)) {
      return problem_of(text, "is given twice", "each key once");
    }
    read.values[key] = text.substr(key.size() + 1);
  }
  const Json config = {{"metadata", {{"annotations", read.values}}}};
  auto made = policies::make_policy({.name = policy.name,
                                     .profile = policy.profile,
                                     .config = nlohmann::json(config),
                                     .env = {}});
  if (const auto* issues = std::get_if<std::vector<policies::ConfigIssue>>(&made)) {
    const policies::ConfigIssue& issue = issues->front();
    return problem_of(blamed(texts, issue), issue.message, issue.expected, issue.nearest);
  }
  for (const auto& warning : std::get<policies::ConfiguredPolicy>(made).warnings) {
    read.warnings.push_back(problem_of(blamed(texts, warning), warning.message, {}));
  }
  return read;
}

}  // namespace aftershock::sim::advise
