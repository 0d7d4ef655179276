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
#include "policies/ray_train_v1/profile.h"
#include "policies/ray_tune/config.h"
#include "policies/ray_tune/profile.h"
#include "policies/torchrun/config.h"
#include "policies/volcano/config.h"

namespace aftershock::policies {
namespace {

using Make = MakeResult (*)(const PolicyRequest&);

/// A family of policies: adding one means adding it to families().
struct Family {
  PolicyEntry entry;
  Make make;
};

template <class Profile>
std::vector<std::string_view> names_of(std::span<const Profile> profiles) {
  std::vector<std::string_view> names;
  for (const Profile& profile : profiles) {
    names.push_back(profile.name);
  }
  return names;
}

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

const std::vector<Family>& families() {
  static const std::vector<Family> kFamilies{
      {{"ray_train", "Ray Train V2: restart the whole worker group, with a budget of failures",
        names_of(ray_train::profiles())},
       make_ray_train},
      {{"ray_train_v1", "Ray Train V1: a Tune experiment of one trial that leads a worker group",
        names_of(ray_train_v1::profiles())},
       ray_train_v1::make},
      {{"ray_tune", "Ray Tune: retry every trial by itself, and restore the whole experiment",
        names_of(ray_tune::profiles()), Subject::kExperiment},
       ray_tune::make},
      {{"modelarts",
        "Huawei ModelArts: five strategies, from process restart to job rescheduling",
        {modelarts::kProfiles.begin(), modelarts::kProfiles.end()}},
       modelarts::make},
      {{"job",
        "Kubernetes Job: pods are made anew one by one, and each failure counts",
        {job::kProfiles.begin(), job::kProfiles.end()}},
       job::make},
      {{"jobset",
        "Kubernetes JobSet: rules say which failed Job restarts the whole set, and counts",
        {jobset::kProfiles.begin(), jobset::kProfiles.end()}},
       jobset::make},
      {{"mindcluster",
        "Huawei MindCluster: fault levels of chips, and a ladder from step to job",
        {mindcluster::kProfiles.begin(), mindcluster::kProfiles.end()}},
       mindcluster::make},
      {{"torchrun",
        "PyTorch elastic: agents that restart all workers, each with a count of its own",
        {torchrun::kProfiles.begin(), torchrun::kProfiles.end()},
        Subject::kJob,
        "nproc_per_node"},
       torchrun::make},
      {{"kubeflow",
        "Kubeflow PyTorchJob (V1): pods restarted one by one, by restartPolicy",
        {kubeflow::kProfiles.begin(), kubeflow::kProfiles.end()},
        Subject::kJob,
        "nprocPerNode"},
       kubeflow::make},
      {{"volcano",
        "Volcano job: events answered with actions, of the task before those of the job",
        {volcano::kProfiles.begin(), volcano::kProfiles.end()},
        Subject::kJob,
        "ranksPerPod"},
       volcano::make},
      {{"nvrx",
        "NVIDIA resiliency extension: restarts within processes, then of processes",
        {nvrx::kProfiles.begin(), nvrx::kProfiles.end()},
        Subject::kJob,
        "nproc_per_node"},
       nvrx::make},
  };
  return kFamilies;
}

std::vector<ManifestKind> manifests_of(std::string_view policy) {
  const auto listed = [](const auto& kinds) {
    return std::vector<ManifestKind>(kinds.begin(), kinds.end());
  };
  return policy == "job"           ? listed(job::kManifests)
         : policy == "jobset"      ? listed(jobset::kManifests)
         : policy == "kubeflow"    ? listed(kubeflow::kManifests)
         : policy == "volcano"     ? listed(volcano::kManifests)
         : policy == "mindcluster" ? listed(mindcluster::kManifests)
                                   : std::vector<ManifestKind>();
}

struct Start {
  std::string_view policy;
  Preset preset;
};

// Families are compared fairly where all may retry as often, and three is a number that ModelArts'
// sample and Volcano's default have.
constexpr std::string_view kThree =
    "this program: three for every family, as ModelArts' sample and Volcano's default have it";

constexpr auto kStarts = std::to_array<Start>({
    {"ray_train",
     {"start", R"({"max_failures": 3})", "three failures; Ray's default is none", kThree}},
    {"ray_train_v1",
     {"start", R"({"max_failures": 3})", "three failures; Ray's default is none", kThree}},
    {"ray_tune",
     {"start", R"({"max_failures": 3})", "three failures a trial; Ray's default is none", kThree}},
    {"modelarts",
     {"guide",
      R"({"metadata": {"annotations": {"fault-tolerance/job-retry-num": "8", )"
      R"("fault-tolerance/job-unconditional-retry": "true", )"
      R"("fault-tolerance/hang-retry": "true", "fault-tolerance/pod-retry-num": "3"}}})",
      "the sample of the user guide: all strategies, 8 restarts and 3 of pods",
      "ModelArts user guide, training-job fault recovery: the sample of its annotations"}},
    {"jobset",
     {"start", R"({"failurePolicy": {"maxRestarts": 3}})",
      "three restarts of the set; without a failurePolicy there are none", kThree}},
    {"mindcluster",
     {"start", R"({"fault-scheduling": "grace", "pod-rescheduling": "on", "fault-retry-times": 3})",
      "rescheduling on, three exits; the default is off", kThree}},
    {"torchrun",
     {"start", R"({"max_restarts": 3})", "three restarts an agent; the command's default is 0",
      kThree}},
    {"volcano",
     {"start", R"({"policies": [{"events": ["PodFailed", "PodEvicted"], "action": "RestartJob"}]})",
      "a pod that fails restarts the job, with the default maxRetry of 3; else it ends it",
      "Volcano, webhook's default of maxRetry and the actions of vcjob policies"}},
    {"nvrx",
     {"start", R"({"max_restarts": 3, "in_process": {}})",
      "restarts within processes, and three of processes; the command's default is 0", kThree}},
});

/// Platforms of Huawei have a table of ranks.
constexpr auto kPodStarts = std::to_array<std::pair<std::string_view, PodStarts>>({
    {"modelarts", PodStarts::kPodsWithRankTable},
    {"mindcluster", PodStarts::kPodsWithRankTable},
    {"job", PodStarts::kPods},
    {"jobset", PodStarts::kPods},
    {"kubeflow", PodStarts::kPods},
    {"volcano", PodStarts::kPods},
});

constexpr auto kHosted = std::to_array<std::string_view>(
    {"ray_train", "ray_tune", "torchrun", "nvrx", "job", "jobset", "volcano"});

}  // namespace

std::span<const PolicyEntry> shipped_policies() {
  static const std::vector<PolicyEntry> kEntries = [] {
    std::vector<PolicyEntry> entries;
    for (const Family& family : families()) {
      entries.push_back(family.entry);
      std::vector<Preset>& presets = entries.back().presets;
      const auto* start = std::ranges::find(kStarts, family.entry.name, &Start::policy);
      if (start != kStarts.end()) {
        presets.push_back(start->preset);
      }
      const auto* pods = std::ranges::find(kPodStarts, family.entry.name,
                                           &std::pair<std::string_view, PodStarts>::first);
      entries.back().pods = pods == kPodStarts.end() ? PodStarts::kNone : pods->second;
      entries.back().hosted = std::ranges::find(kHosted, family.entry.name) != kHosted.end();
      entries.back().manifests = manifests_of(family.entry.name);
      presets.push_back({"defaults", "{}", "the vendor's own defaults",
                         "each setting's default, in the list of settings"});
    }
    return entries;
  }();
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

MakeResult make_of(const Family& family, const PolicyRequest& request) {
  if (request.profile == kInstalledProfile) {
    return reserved(family.entry);
  }
  MakeResult made = family.make(request);
  if (auto* issues = std::get_if<std::vector<ConfigIssue>>(&made);
      issues != nullptr && shipped_policy(family.entry.name)->hosted) {
    add_installed(request.profile, *issues);
  }
  return made;
}

}  // namespace

bool counts_by_agent(std::string_view policy, std::string_view budget) {
  return (policy == "torchrun" && budget == "max_restarts") ||
         (policy == "kubeflow" && budget == "maxRestarts");
}

MakeResult make_policy(const PolicyRequest& request) {
  std::vector<std::string_view> names;
  for (const Family& family : families()) {
    if (family.entry.name == request.name) {
      return make_of(family, request);
    }
    names.push_back(family.entry.name);
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
