#include "policies/api/entry.h"

#include <vector>

#include "policies/parts/profile_names.h"
#include "policies/ray_train/config.h"
#include "policies/ray_train/profile.h"

namespace aftershock::policies::ray_train {
namespace {

std::vector<Finding> known_findings() {
  return {
      {FindingKind::kReservesForGood,
       {},
       "A start that fails after its workers were made leaves the old placement group reserved, "
       "and the next attempt asks for a new one beside it: without as many free nodes again it "
       "waits for ever.",
       "Ray Train V2, worker_group/worker_group.py: create() raises once the group counts as "
       "started, and nobody is left who shuts it down (ray.md 1.5)"},
      {FindingKind::kHangUnseen,
       {},
       "Ranks that are in report() wait for each other without a time limit, so that a rank which "
       "hangs while a checkpoint is saved holds the others for ever.",
       "Ray #58229: the report barrier's timeout was taken away, the default is none (ray.md, "
       "timeline 2025-11-07)"},
      {FindingKind::kNeverGivesUp, "max_failures",
       "A budget without end never gives up: every attempt restores the newest checkpoint that was "
       "reported, also one that cannot be read, and fails like the one before.",
       "Ray Train V2: max_failures = -1 retries for ever, and a run resumes from "
       "latest_checkpoint_result alone (ray.md 1.1 and 1.8)"},
  };
}

}  // namespace

PolicyEntry entry() {
  return {.name = "ray_train",
          .summary = "Ray Train V2: restart the whole worker group, with a budget of failures",
          .profiles = profile_names(profiles()),
          .presets = {{"start", R"({"max_failures": 3})", "three failures; Ray's default is none",
                       kThreeForEach}},
          .hosted = true,
          .findings = known_findings(),
          .variables = {{"RAY_", "ray_", "policies of Ray read it"},
                        {"TUNE_", "ray_", "policies of Ray read it"}},
          .make = make};
}

}  // namespace aftershock::policies::ray_train
