#include "policies/api/entry.h"

#include <vector>

#include "policies/kubeflow/config.h"

namespace aftershock::policies::kubeflow {
namespace {

std::vector<Finding> known_findings() {
  return {
      {FindingKind::kNeverGivesUp, "backoffLimit",
       "A PyTorchJob without a backoffLimit restarts containers for ever: what ends each attempt, "
       "such as a checkpoint that cannot be read, ends the job never.",
       "Kubeflow PyTorchJob V1: an unset backoffLimit means no limit (modelarts.md 8.3)"},
      {FindingKind::kHangUnseen,
       {},
       "A PyTorchJob looks at pods that exit and at nothing else: those that wait for a process "
       "which hangs give up and are restarted in their places, and it is not.",
       "Kubeflow PyTorchJob V1: the trigger is a pod's exit, and nothing looks at progress "
       "(modelarts.md 8.3)"},
  };
}

}  // namespace

PolicyEntry entry() {
  return {.name = "kubeflow",
          .summary = "Kubeflow PyTorchJob (V1): pods restarted one by one, by restartPolicy",
          .profiles = {kProfiles.begin(), kProfiles.end()},
          .ranks_per_pod = "nprocPerNode",
          .pods = PodStarts::kPods,
          .manifests = {kManifests.begin(), kManifests.end()},
          .budgets_by_agent = {"maxRestarts"},
          .findings = known_findings(),
          .make = make};
}

}  // namespace aftershock::policies::kubeflow
