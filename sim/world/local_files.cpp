#include "sim/world/local_files.h"

namespace aftershock::sim::world {

bool keeps_files_locally(const scenario::Scenario& scenario, const workload::Job& job) {
  const auto& storage = scenario.jobs[job.index].run.storage;
  return storage && scenario.cluster.storage[*storage].kind == scenario::StorageKind::kLocal;
}

void lose_local_files(workload::Job& job, std::uint32_t fault) {
  for (workload::Checkpoint& checkpoint : job.saved.checkpoints) {
    // The fault that took it first has cost it.
    if (!checkpoint.deleted_by) {
      checkpoint.deleted_by = fault;
    }
  }
}

}  // namespace aftershock::sim::world
