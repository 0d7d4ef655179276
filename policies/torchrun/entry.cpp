#include "policies/api/entry.h"

#include "policies/torchrun/config.h"

namespace aftershock::policies::torchrun {

PolicyEntry entry() {
  constexpr std::string_view kLauncher = "settings of torchrun are in the policy's config";
  return {
      .name = "torchrun",
      .summary = "PyTorch elastic: agents that restart all workers, each with a count of its own",
      .profiles = {kProfiles.begin(), kProfiles.end()},
      .ranks_per_pod = "nproc_per_node",
      .presets = {{"start", R"({"max_restarts": 3})",
                   "three restarts an agent; the command's default is 0", kThreeForEach}},
      .hosted = true,
      .budgets_by_agent = {"max_restarts"},
      .variables = {{"TORCHELASTIC_", "", kLauncher}, {"TORCHRUN_", "", kLauncher}},
      .make = make};
}

}  // namespace aftershock::policies::torchrun
