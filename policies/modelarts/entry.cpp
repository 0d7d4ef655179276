#include "policies/api/entry.h"

#include "policies/modelarts/config.h"

namespace aftershock::policies::modelarts {

PolicyEntry entry() {
  return {.name = "modelarts",
          .summary = "Huawei ModelArts: five strategies, from process restart to job rescheduling",
          .profiles = {kProfiles.begin(), kProfiles.end()},
          .presets = {{"guide",
                       R"({"metadata": {"annotations": {"fault-tolerance/job-retry-num": "8", )"
                       R"("fault-tolerance/job-unconditional-retry": "true", )"
                       R"("fault-tolerance/hang-retry": "true", )"
                       R"("fault-tolerance/pod-retry-num": "3"}}})",
                       "the sample of the user guide: all strategies, 8 restarts and 3 of pods",
                       "ModelArts user guide, training-job fault recovery: the sample of its "
                       "annotations"}},
          .pods = PodStarts::kPodsWithRankTable,
          .variables = {{"MA_", "modelarts", "the policy modelarts reads it"}},
          .make = make};
}

}  // namespace aftershock::policies::modelarts
