#include "policies/api/entry.h"

#include <vector>

#include "policies/parts/profile_names.h"
#include "policies/ray_train_v1/config.h"
#include "policies/ray_train_v1/profile.h"

namespace aftershock::policies::ray_train_v1 {
namespace {

std::vector<Finding> known_findings() {
  return {
      {FindingKind::kHangUnseen,
       {},
       "The controller takes the results of one round from all ranks, without a time limit, and a "
       "rank that has reported waits for it: one that hangs while a checkpoint is saved holds the "
       "others for ever.",
       "Ray Train V1, train/_internal/session.py: report() acquires continue_lock without a "
       "timeout; train/_internal/backend_executor.py: get_next_results() waits for every worker "
       "(ray.md 2: no hang timeout)"},
      {FindingKind::kNeverGivesUp, "max_failures",
       "A budget without end never gives up: every attempt restores the newest checkpoint that was "
       "reported, also one that cannot be read, and fails like the one before.",
       "Ray FailureConfig: max_failures = -1 is infinite retries, and a trial is restored from its "
       "latest checkpoint alone (ray.md 2)"},
  };
}

}  // namespace

PolicyEntry entry() {
  return {.name = "ray_train_v1",
          .summary = "Ray Train V1: a Tune experiment of one trial that leads a worker group",
          .profiles = profile_names(profiles()),
          .presets = {{"start", R"({"max_failures": 3})", "three failures; Ray's default is none",
                       kThreeForEach}},
          .findings = known_findings(),
          .make = make};
}

}  // namespace aftershock::policies::ray_train_v1
