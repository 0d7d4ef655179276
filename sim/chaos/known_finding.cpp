#include "sim/chaos/known_finding.h"

#include <algorithm>
#include <array>

namespace aftershock::sim::chaos {

namespace {

constexpr std::array<KnownFinding, 15> kKnown{{
    {"ray_train", "", "left reserved by job",
     "A start that fails after its workers were made leaves the old placement group reserved, "
     "and the next attempt asks for a new one beside it: without as many free nodes again it "
     "waits for ever.",
     "Ray Train V2, worker_group/worker_group.py: create() raises once the group counts as "
     "started, and nobody is left who shuts it down (ray.md 1.5)"},
    {"ray_train", "stuck", "stands still since hang",
     "Ranks that are in report() wait for each other without a time limit, so that a rank which "
     "hangs while a checkpoint is saved holds the others for ever.",
     "Ray #58229: the report barrier's timeout was taken away, the default is none (ray.md, "
     "timeline 2025-11-07)"},
    {"ray_train", "", "got no further in its last",
     "A budget without end never gives up: every attempt restores the newest checkpoint that was "
     "reported, also one that cannot be read, and fails like the one before.",
     "Ray Train V2: max_failures = -1 retries for ever, and a run resumes from "
     "latest_checkpoint_result alone (ray.md 1.1 and 1.8)"},
    {"ray_train_v1", "stuck", "stands still since hang",
     "The controller takes the results of one round from all ranks, without a time limit, and a "
     "rank that has reported waits for it: one that hangs while a checkpoint is saved holds the "
     "others for ever.",
     "Ray Train V1, train/_internal/session.py: report() acquires continue_lock without a "
     "timeout; train/_internal/backend_executor.py: get_next_results() waits for every worker "
     "(ray.md 2: no hang timeout)"},
    {"ray_train_v1", "", "got no further in its last",
     "A budget without end never gives up: every attempt restores the newest checkpoint that was "
     "reported, also one that cannot be read, and fails like the one before.",
     "Ray FailureConfig: max_failures = -1 is infinite retries, and a trial is restored from its "
     "latest checkpoint alone (ray.md 2)"},
    {"kubeflow", "running", "had not come to an end",
     "A PyTorchJob without a backoffLimit restarts containers for ever: what ends each attempt, "
     "such as a checkpoint that cannot be read, ends the job never.",
     "Kubeflow PyTorchJob V1: an unset backoffLimit means no limit (modelarts.md 8.3)"},
    {"kubeflow", "", "got no further in its last",
     "A PyTorchJob without a backoffLimit restarts containers for ever: what ends each attempt, "
     "such as a checkpoint that cannot be read, ends the job never.",
     "Kubeflow PyTorchJob V1: an unset backoffLimit means no limit (modelarts.md 8.3)"},
    {"kubeflow", "stuck", "stands still since hang",
     "A PyTorchJob looks at pods that exit and at nothing else: those that wait for a process "
     "which hangs give up and are restarted in their places, and it is not.",
     "Kubeflow PyTorchJob V1: the trigger is a pod's exit, there is no look at progress "
     "(modelarts.md 8.3)"},
    {"job", "stuck", "stands still since hang",
     "A Job looks at pods that end and at nothing else: those that wait for a process which "
     "hangs fail and wait for it, and it never ends.",
     "Kubernetes Job: the trigger is a pod that failed, there is no look at progress "
     "(modelarts.md 8.3)"},
    {"jobset", "stuck", "stands still since hang",
     "A JobSet looks at its Jobs, and these at pods that end: a process which hangs never does.",
     "JobSet: the trigger is a child Job that failed, there is no look at progress "
     "(modelarts.md 8.3)"},
    {"nvrx", "running", "had not come to an end",
     "Without max_iterations the wrapper calls a function that raises each time for ever: that "
     "does not count as a cycle of the launcher, so that neither max_restarts nor "
     "max_no_progress_cycles ends it.",
     "NVIDIA/nvidia-resiliency-ext, inprocess/initialize.py: max_iterations None means no limit "
     "(modelarts.md 8.2)"},
    {"nvrx", "", "got no further in its last",
     "Without max_iterations the wrapper calls a function that raises each time for ever: that "
     "does not count as a cycle of the launcher, so that neither max_restarts nor "
     "max_no_progress_cycles ends it.",
     "NVIDIA/nvidia-resiliency-ext, inprocess/initialize.py: max_iterations None means no limit "
     "(modelarts.md 8.2)"},
    {"volcano", "stuck", "the end that a user asked for took",
     "A Volcano job that is Restarting answers a user's abort by killing its pods once more, and "
     "goes on.",
     "Volcano 1.15.1, pkg/controllers/job/state/restarting.go:60"},
    {"volcano", "stuck", "stands still since hang",
     "A Volcano job looks at pods that end and at nothing else: with SyncJob those that wait for "
     "a process which hangs give up and stay as they are, and it runs on.",
     "volcano-sh/volcano, pkg/controllers/job: the default action is SyncJob (modelarts.md 8.3)"},
    {"volcano", "stuck", "an answer to the rank that hangs",
     "With SyncJob the pods that wait for a process which hangs give up and stay as they are: "
     "only what ends the attempt otherwise, such as a node that is lost later, answers it.",
     "volcano-sh/volcano, pkg/controllers/job: the default action is SyncJob (modelarts.md 8.3)"},
}};

}  // namespace

const KnownFinding* known_finding(std::string_view policy, std::string_view failure,
                                  std::string_view words) {
  const std::string_view name = policy.substr(0, policy.find('@'));
  const auto found = std::ranges::find_if(kKnown, [&](const KnownFinding& known) {
    return known.policy == name && (known.failure.empty() || known.failure == failure) &&
           words.find(known.within) != std::string_view::npos;
  });
  return found == kKnown.end() ? nullptr : &*found;
}

}  // namespace aftershock::sim::chaos
