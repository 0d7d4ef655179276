#include "policies/api/entry.h"

#include <vector>

#include "policies/job/config.h"

namespace aftershock::policies::job {
namespace {

std::vector<Finding> known_findings() {
  return {
      {FindingKind::kHangUnseen,
       {},
       "A Job looks at pods that end and at nothing else: those that wait for a process which "
       "hangs fail and wait for it, and it never ends.",
       "Kubernetes Job: the trigger is a pod that failed, and nothing looks at progress "
       "(modelarts.md 8.3)"},
  };
}

}  // namespace

PolicyEntry entry() {
  return {.name = "job",
          .summary = "Kubernetes Job: pods are made anew one by one, and each failure counts",
          .profiles = {kProfiles.begin(), kProfiles.end()},
          .pods = PodStarts::kPods,
          .hosted = true,
          .manifests = {kManifests.begin(), kManifests.end()},
          .findings = known_findings(),
          .make = make};
}

}  // namespace aftershock::policies::job
