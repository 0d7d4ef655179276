#include "policies/api/entry.h"

#include "policies/mindcluster/config.h"

namespace aftershock::policies::mindcluster {

PolicyEntry entry() {
  return {.name = "mindcluster",
          .summary = "Huawei MindCluster: fault levels of chips, and a ladder from step to job",
          .profiles = {kProfiles.begin(), kProfiles.end()},
          .presets = {{"start",
                       R"({"fault-scheduling": "grace", "pod-rescheduling": "on", )"
                       R"("fault-retry-times": 3})",
                       "rescheduling on, three exits; the default is off", kThreeForEach}},
          .pods = PodStarts::kPodsWithRankTable,
          .manifests = {kManifests.begin(), kManifests.end()},
          .variables = {{"MINDX_", "", "settings of MindCluster are in the policy's config"},
                        {"MINDIO_", "", "settings of MindCluster are in the policy's config"}},
          .make = make};
}

}  // namespace aftershock::policies::mindcluster
