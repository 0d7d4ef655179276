#include "policies/api/entry.h"

#include <vector>

#include "policies/volcano/config.h"

namespace aftershock::policies::volcano {
namespace {

std::vector<Finding> known_findings() {
  return {
      {FindingKind::kAbortLost,
       {},
       "A Volcano job that is Restarting answers a user's abort by killing its pods once more, and "
       "goes on.",
       "Volcano 1.15.1, pkg/controllers/job/state/restarting.go:60"},
      {FindingKind::kHangUnseen,
       {},
       "A Volcano job looks at pods that end and at nothing else: with SyncJob those that wait for "
       "a process which hangs give up and stay as they are, and it runs on.",
       "volcano-sh/volcano, pkg/controllers/job: the default action is SyncJob (modelarts.md 8.3)"},
      {FindingKind::kHangUnanswered,
       {},
       "With SyncJob the pods that wait for a process which hangs give up and stay as they are: "
       "only what ends the attempt otherwise, such as a node that is lost later, answers it.",
       "volcano-sh/volcano, pkg/controllers/job: the default action is SyncJob (modelarts.md 8.3)"},
  };
}

}  // namespace

PolicyEntry entry() {
  return {
      .name = "volcano",
      .summary = "Volcano job: events answered with actions, of the task before those of the job",
      .profiles = {kProfiles.begin(), kProfiles.end()},
      .ranks_per_pod = "ranksPerPod",
      .presets = {{"start",
                   R"({"policies": [{"events": ["PodFailed", "PodEvicted"], )"
                   R"("action": "RestartJob"}]})",
                   "a pod that fails restarts the job, with the default maxRetry of 3; else it "
                   "ends it",
                   "Volcano, webhook's default of maxRetry and the actions of vcjob policies"}},
      .pods = PodStarts::kPods,
      .hosted = true,
      .manifests = {kManifests.begin(), kManifests.end()},
      .findings = known_findings(),
      .make = make};
}

}  // namespace aftershock::policies::volcano
