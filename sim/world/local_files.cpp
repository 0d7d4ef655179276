#include "sim/world/local_files.h"

namespace aftershock::sim {

bool keeps_files_locally(const Scenario& scenario, const Job& job) {
  const auto& storage = scenario.jobs[job.index].run.storage;
  return storage && scenario.cluster.storage[*storage].kind == StorageKind::kLocal;
}

void lose_local_files(Job& job, std::uint32_t fault) {
  for (Checkpoint& checkpoint : job.saved.checkpoints) {
    // The fault that took it first has cost it.
    if (!checkpoint.deleted_by) {
      checkpoint.deleted_by = fault;
    }
  }
}

}  // namespace aftershock::sim
