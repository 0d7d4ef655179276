#include "policies/api/entry.h"

#include "policies/parts/profile_names.h"
#include "policies/ray_tune/config.h"
#include "policies/ray_tune/profile.h"

namespace aftershock::policies::ray_tune {

PolicyEntry entry() {
  return {.name = "ray_tune",
          .summary = "Ray Tune: retry every trial by itself, and restore the whole experiment",
          .profiles = profile_names(profiles()),
          .subject = Subject::kExperiment,
          .presets = {{"start", R"({"max_failures": 3})",
                       "three failures a trial; Ray's default is none", kThreeForEach}},
          .hosted = true,
          .make = make};
}

}  // namespace aftershock::policies::ray_tune
