#include "policies/api/entry.h"

#include <vector>

#include "policies/jobset/config.h"

namespace aftershock::policies::jobset {
namespace {

std::vector<Finding> known_findings() {
  return {
      {FindingKind::kHangUnseen,
       {},
       "A JobSet looks at its Jobs, and these at pods that end: a process which hangs never does.",
       "JobSet: the trigger is a child Job that failed, and nothing looks at progress "
       "(modelarts.md 8.3)"},
  };
}

}  // namespace

PolicyEntry entry() {
  return {
      .name = "jobset",
      .summary = "Kubernetes JobSet: rules say which failed Job restarts the whole set, and counts",
      .profiles = {kProfiles.begin(), kProfiles.end()},
      .presets = {{"start", R"({"failurePolicy": {"maxRestarts": 3}})",
                   "three restarts of the set; without a failurePolicy there are none",
                   kThreeForEach}},
      .pods = PodStarts::kPods,
      .hosted = true,
      .manifests = {kManifests.begin(), kManifests.end()},
      .findings = known_findings(),
      .make = make};
}

}  // namespace aftershock::policies::jobset
