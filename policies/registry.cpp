#include "policies/registry.h"

#include <array>
#include <string>

#include "policies/ray_train/config.h"
#include "policies/ray_train/profile.h"
#include "policies/ray_tune/config.h"
#include "policies/ray_tune/profile.h"

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

/// Which Ray Train a job has is for its environment to say, and for the version where that is
/// silent.
MakeResult make_ray_train(const PolicyRequest& request) {
  if (ray_train::asks_for_v1(request)) {
    const bool says_so = request.env.contains("RAY_TRAIN_V2_ENABLED");
    return std::vector<ConfigIssue>{{says_so ? "/env/RAY_TRAIN_V2_ENABLED" : "/profile",
                                     "this asks for Ray Train V1, which is not shipped yet",
                                     "RAY_TRAIN_V2_ENABLED \"1\" in the job's environment",
                                     {}}};
  }
  return ray_train::make(request);
}

const std::vector<Family>& families() {
  static const std::vector<Family> kFamilies{
      {{"ray_train", "Ray Train V2: restart the whole worker group, with a budget of failures",
        names_of(ray_train::profiles())},
       make_ray_train},
      {{"ray_tune", "Ray Tune: retry every trial by itself, and restore the whole experiment",
        names_of(ray_tune::profiles()), Subject::kExperiment},
       ray_tune::make},
  };
  return kFamilies;
}

}  // namespace

std::span<const PolicyEntry> shipped_policies() {
  static const std::vector<PolicyEntry> kEntries = [] {
    std::vector<PolicyEntry> entries;
    for (const Family& family : families()) {
      entries.push_back(family.entry);
    }
    return entries;
  }();
  return kEntries;
}

MakeResult make_policy(const PolicyRequest& request) {
  std::vector<std::string_view> names;
  for (const Family& family : families()) {
    if (family.entry.name == request.name) {
      return family.make(request);
    }
    names.push_back(family.entry.name);
  }
  std::string expected = "one of ";
  for (std::size_t index = 0; index < names.size(); ++index) {
    expected += index == 0 ? "" : ", ";
    expected += names[index];
  }
  return std::vector<ConfigIssue>{{"/name", "no policy \"" + request.name + "\" is shipped",
                                   std::move(expected),
                                   std::string(nearest_name(request.name, names))}};
}

}  // namespace aftershock::policies
