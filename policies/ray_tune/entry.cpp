#include "policies/api/entry.h"

#include "policies/ray_tune/config.h"
#include "policies/ray_tune/profile.h"

namespace aftershock::policies::ray_tune {

PolicyEntry entry() {
  PolicyEntry entry{
      .name = "ray_tune",
      .summary = "Ray Tune: retry every trial by itself, and restore the whole experiment",
      .profiles = {},
      .subject = Subject::kExperiment,
      .presets = {{"start", R"({"max_failures": 3})",
                   "three failures a trial; Ray's default is none", kThreeForEach}},
      .hosted = true,
      .make = make};
  for (const Profile& profile : profiles()) {
    entry.profiles.push_back(profile.name);
  }
  return entry;
}

}  // namespace aftershock::policies::ray_tune
