#include "policies/registry.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "policies/job/config.h"
#include "policies/jobset/config.h"
#include "policies/kubeflow/config.h"
#include "policies/mindcluster/config.h"
#include "policies/modelarts/config.h"
#include "policies/nvrx/config.h"
#include "policies/ray_train/config.h"
#include "policies/ray_train/profile.h"
#include "policies/ray_train_v1/config.h"
#include "policies/ray_tune/config.h"
#include "policies/torchrun/config.h"
#include "policies/volcano/config.h"

namespace aftershock::policies {
namespace {

constexpr const char* kV2Enabled = "RAY_TRAIN_V2_ENABLED";

/// Settings unknown to V1 may have been meant for V2: says why it is V1, and what to set.
void explain_v1(const PolicyRequest& request, bool set, std::vector<ConfigIssue>& issues) {
  for (ConfigIssue& issue : issues) {
    if (!issue.pointer.starts_with("/config")) {
      continue;
    }
    issue.message += "; the policy is ray_train_v1@" + request.profile + ", since " +
                     (set ? std::string(kV2Enabled) + " in the job's env switches Ray Train V2 off"
                          : "this version runs Ray Train V2 only where the job's env sets " +
                                std::string(kV2Enabled) + " to \"1\"");
    issue.expected += std::string(issue.expected.empty() ? "" : ", or ") + "\"env\": {\"" +
                      kV2Enabled + "\": \"1\"} for Ray Train V2";
  }
}

/// Ray Train V1 of the version that a request for Ray Train names.
MakeResult make_v1(PolicyRequest request) {
  const bool before = request.profile == "2.43" || request.profile == "2.49";
  request.name = "ray_train_v1";
  request.profile = before ? "2.38" : "2026-05";
  MakeResult made = ray_train_v1::make(request);
  const bool set = request.env.contains(kV2Enabled);
  if (auto* issues = std::get_if<std::vector<ConfigIssue>>(&made)) {
    explain_v1(request, set, *issues);
  } else {
    auto* configured = std::get_if<ConfiguredPolicy>(&made);
    configured->warnings.push_back({pointer_to("/env", kV2Enabled),
                                    std::string(set ? "it switches Ray Train V2 off"
                                                    : "this version runs Ray Train V2 only where "
                                                      "RAY_TRAIN_V2_ENABLED is set to 1") +
                                        ": the policy is ray_train_v1@" + request.profile,
                                    {},
                                    {}});
  }
  return made;
}

MakeResult make_ray_train(const PolicyRequest& request) {
  const bool known = ray_train::find_profile(request.profile) != nullptr;
  return known && ray_train::asks_for_v1(request) ? make_v1(request) : ray_train::make(request);
}

/// All families: adding one means adding it here.
std::vector<PolicyEntry> entries_of_families() {
  std::vector<PolicyEntry> entries{ray_train::entry(),   ray_train_v1::entry(), ray_tune::entry(),
                                   modelarts::entry(),   job::entry(),          jobset::entry(),
                                   mindcluster::entry(), torchrun::entry(),     kubeflow::entry(),
                                   volcano::entry(),     nvrx::entry()};
  entries.front().make = make_ray_train;
  for (PolicyEntry& entry : entries) {
    entry.presets.push_back({"defaults", "{}", "the vendor's own defaults",
                             "each setting's default, in the list of settings"});
  }
  return entries;
}

}  // namespace

std::span<const PolicyEntry> shipped_policies() {
  static const std::vector<PolicyEntry> kEntries = entries_of_families();
  return kEntries;
}

const PolicyEntry* shipped_policy(std::string_view name) {
  const auto entries = shipped_policies();
  const auto found = std::ranges::find(entries, name, &PolicyEntry::name);
  return found == entries.end() ? nullptr : &*found;
}

const Preset* find_preset(const PolicyEntry& entry, std::string_view name) {
  if (name.empty()) {
    return &entry.presets.front();
  }
  const auto found = std::ranges::find(entry.presets, name, &Preset::name);
  return found == entry.presets.end() ? nullptr : &*found;
}

namespace {

MakeResult reserved(const PolicyEntry& entry) {
  std::string expected = "one of ";
  for (const std::string_view name : entry.profiles) {
    expected += (name == entry.profiles.front() ? "" : ", ") + std::string(name);
  }
  return std::vector<ConfigIssue>{
      {"/profile",
       "the profile \"" + std::string(kInstalledProfile) + "\" is " + std::string(entry.name) +
           " itself, which only a host runs: --policy " + std::string(entry.name) + "@" +
           std::string(kInstalledProfile) + ", or that profile in a scenario",
       std::move(expected),
       {}}};
}

/// Adds installed code to what may stand in the place of a profile that is not known.
void add_installed(std::string_view profile, std::vector<ConfigIssue>& issues) {
  constexpr std::array kAlone{kInstalledProfile};
  for (ConfigIssue& issue : issues) {
    if (issue.pointer == "/profile") {
      issue.expected += (issue.expected.empty() ? "" : ", or ") + std::string(kInstalledProfile);
      if (issue.nearest.empty()) {
        issue.nearest = nearest_name(profile, kAlone);
      }
    }
  }
}

MakeResult make_of(const PolicyEntry& entry, const PolicyRequest& request) {
  if (request.profile == kInstalledProfile) {
    return reserved(entry);
  }
  MakeResult made = entry.make(request);
  if (auto* issues = std::get_if<std::vector<ConfigIssue>>(&made);
      issues != nullptr && entry.hosted) {
    add_installed(request.profile, *issues);
  }
  return made;
}

}  // namespace

bool counts_by_agent(std::string_view policy, std::string_view budget) {
  const PolicyEntry* entry = shipped_policy(policy);
  return entry != nullptr &&
         std::ranges::find(entry->budgets_by_agent, budget) != entry->budgets_by_agent.end();
}

MakeResult make_policy(const PolicyRequest& request) {
  std::vector<std::string_view> names;
  for (const PolicyEntry& entry : shipped_policies()) {
    if (entry.name == request.name) {
      return make_of(entry, request);
    }
    names.push_back(entry.name);
  }
  std::string expected = "one of ";
  for (std::size_t index = 0; index < names.size(); ++index) {
    expected += index == 0 ? "" : ", ";
    expected += names[index];
  }
  std::string_view nearest = nearest_name(request.name, names);
  const auto begun = std::ranges::find_if(
      names, [&](std::string_view name) { return name.starts_with(request.name); });
  if (nearest.empty() && !request.name.empty() && begun != names.end()) {
    nearest = *begun;
  }
  return std::vector<ConfigIssue>{{"/name", "no policy \"" + request.name + "\" is shipped",
                                   std::move(expected), std::string(nearest)}};
}

}  // namespace aftershock::policies
