#include "sim/advise/starter_policies.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace aftershock::sim::advise {
namespace {

constexpr std::string_view kPoisson =
    "that lasts in all but a thousandth of the runs, an assumption (Poisson). `aftershock advise "
    "FILE --choose budget` tries others.";

StarterPolicy job(const StarterNumbers& n) {
  return {fmt::format(R"({{"completionMode": "Indexed", "completions": {0}, "parallelism": {0}, )"
                      R"("backoffLimit": {1}}})",
                      n.nodes, n.all_retries * n.nodes),
          fmt::format("/jobs/0/policy/config/completions, parallelism: an assumption: a pod a "
                      "node. /jobs/0/policy/config/backoffLimit: each failure costs {} of "
                      "them, as the pods that are left fail in their collective; for {} failures "
                      "{} The default is 6.",
                      n.nodes, n.all_retries, kPoisson)};
}

StarterPolicy jobset(const StarterNumbers& n) {
  return {
      fmt::format(
          R"({{"replicatedJobs": [{{"name": "workers", "replicas": 1, "template": {{"spec": )"
          R"({{"completionMode": "Indexed", "completions": {0}, "parallelism": {0}, )"
          R"("backoffLimit": 0}}}}}}], "failurePolicy": {{"maxRestarts": {1}}}}})",
          n.nodes, n.all_retries),
      fmt::format("/jobs/0/policy/config/replicatedJobs: an assumption: a pod a node; with "
                  "backoffLimit 0 the first pod that fails restarts them all. "
                  "/jobs/0/policy/config/failurePolicy/maxRestarts: {} restarts, {} The default "
                  "is 0.",
                  n.all_retries, kPoisson)};
}

StarterPolicy mindcluster(const StarterNumbers& n) {
  const std::int64_t retries = std::clamp<std::int64_t>(n.failure_retries, 1, 100);
  return {fmt::format(R"({{"fault-scheduling": "grace", "pod-rescheduling": "on", )"
                      R"("fault-retry-times": {}}})",
                      retries),
          fmt::format("/jobs/0/policy/config/fault-retry-times: {} exits, at most 100, {} "
                      "Faults of Ascend chips and of nodes are rescheduled without limit; those of "
                      "other chips are exits like any.",
                      retries, kPoisson)};
}

constexpr std::string_view kDrained =
    "Restarts in place mend no accelerator, and would go on beside one that stays broken until it "
    "is repaired. /faults/0/causes: an assumption: something outside, such as a node problem "
    "detector, drains its node at once (preemption); with accelerator_fault nobody does.";

/// Why nodes wait so long for another one.
std::string join_note(const StarterNumbers& n, std::string_view setting) {
  return n.join_timeout_s == 0
             ? std::string()
             : fmt::format(
                   " /jobs/0/policy/config/{}: an assumption: {}, as another machine takes "
                   "longer to come than the 600 s of the default may be.",
                   setting, whole_time(n.join_timeout_s));
}

StarterPolicy torchrun(const StarterNumbers& n) {
  const std::string join =
      n.join_timeout_s == 0
          ? std::string()
          : fmt::format(R"(, "rdzv_conf": {{"join_timeout": {}}})", n.join_timeout_s);
  return {fmt::format(R"({{"max_restarts": {}, "nproc_per_node": {}{}}})", n.all_retries,
                      kStarterPerNode, join),
          fmt::format("/jobs/0/policy/config/max_restarts: {} restarts that an agent counts, {} "
                      "The command's default is 0. {} /jobs/0/policy/config/nproc_per_node: an "
                      "assumption: a process an accelerator.{}",
                      n.all_retries, kPoisson, kDrained, join_note(n, "rdzv_conf"))};
}

StarterPolicy kubeflow(const StarterNumbers& /*numbers*/) {
  return {fmt::format(R"({{"restartPolicy": "OnFailure", "nprocPerNode": {}}})", kStarterPerNode),
          fmt::format("/jobs/0/policy/config/restartPolicy: OnFailure, which restarts a pod that "
                      "ended in its place. Without backoffLimit they have no limit. {} "
                      "/jobs/0/policy/config/nprocPerNode: an assumption: a process an "
                      "accelerator.",
                      kDrained)};
}

// A pod that fails restarts the job: with the default, SyncJob, it would end it.
StarterPolicy volcano(const StarterNumbers& n) {
  return {fmt::format(R"({{"maxRetry": {}, "ranksPerPod": {}, "policies": [{{"events": )"
                      R"(["PodFailed", "PodEvicted"], "action": "RestartJob"}}]}})",
                      n.all_retries + 1, kStarterPerNode),
          fmt::format("/jobs/0/policy/config/maxRetry: one more than {} restarts, {} The default "
                      "is 3, which gives two. /jobs/0/policy/config/ranksPerPod: an assumption: a "
                      "pod a node.",
                      n.all_retries, kPoisson)};
}

StarterPolicy nvrx(const StarterNumbers& n) {
  const std::string join = n.join_timeout_s == 0
                               ? std::string()
                               : fmt::format(R"(, "rdzv_join_timeout": {})", n.join_timeout_s);
  return {fmt::format(R"({{"max_restarts": {}, "in_process": {{}}, "store_host": "outside", )"
                      R"("nproc_per_node": {}{}}})",
                      n.all_retries, kStarterPerNode, join),
          fmt::format("/jobs/0/policy/config/max_restarts: {} restarts of processes, {} The "
                      "command's default is 0. Restarts within processes have no limit. "
                      "/jobs/0/policy/config/nproc_per_node: an assumption: a process an "
                      "accelerator.{}",
                      n.all_retries, kPoisson, join_note(n, "rdzv_join_timeout"))};
}

struct Known {
  std::string_view name;
  StarterPolicy (*make)(const StarterNumbers&);
};
constexpr std::array kKnown{
    Known{"job", job},           Known{"jobset", jobset},     Known{"mindcluster", mindcluster},
    Known{"torchrun", torchrun}, Known{"kubeflow", kubeflow}, Known{"volcano", volcano},
    Known{"nvrx", nvrx},
};

}  // namespace

bool restarts_in_place(std::string_view policy) {
  return policy == "torchrun" || policy == "kubeflow";
}

std::optional<StarterPolicy> starter_policy(std::string_view policy,
                                            const StarterNumbers& numbers) {
  const auto* found = std::ranges::find(kKnown, policy, &Known::name);
  return found == kKnown.end() ? std::nullopt : std::optional(found->make(numbers));
}

}  // namespace aftershock::sim::advise
