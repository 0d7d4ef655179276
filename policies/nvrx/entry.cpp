#include "policies/api/entry.h"

#include <vector>

#include "policies/nvrx/config.h"

namespace aftershock::policies::nvrx {
namespace {

std::vector<Finding> known_findings() {
  return {
      {FindingKind::kNeverGivesUp, "max_iterations",
       "Without max_iterations the wrapper calls a function that raises each time for ever: that "
       "does not count as a cycle of the launcher, so that neither max_restarts nor "
       "max_no_progress_cycles ends it.",
       "NVIDIA/nvidia-resiliency-ext, inprocess/initialize.py: max_iterations None means no limit "
       "(modelarts.md 8.2)"},
  };
}

}  // namespace

PolicyEntry entry() {
  return {
      .name = "nvrx",
      .summary = "NVIDIA resiliency extension: restarts within processes, then of processes",
      .profiles = {kProfiles.begin(), kProfiles.end()},
      .ranks_per_pod = "nproc_per_node",
      .presets = {{"start", R"({"max_restarts": 3, "in_process": {}})",
                   "restarts within processes, and three of processes; the command's default is 0",
                   kThreeForEach}},
      .hosted = true,
      .findings = known_findings(),
      .variables = {{"NVRX_", "", "settings of NVRx are in the policy's config"}},
      .make = make};
}

}  // namespace aftershock::policies::nvrx
