#include <algorithm>

#include "sim/core/entry_kind.h"
#include "sim/world/machine_trouble.h"

// Pools that give out no machines for a time: the market is empty, or a quota is used up.
namespace aftershock::sim {

namespace {

using reports::Cause;

}  // namespace

bool MachineTrouble::deny(std::uint32_t number) {
  const FaultRecord fault = world_.faults_[number];
  world_.fire(number);
  world_.ailments_.deny(world_.core_, world_.faults_, world_.machines_, number);
  if (world_.effect_of(fault).machine.spares_too) {
    world_.capacity_changed(*fault.pool);
  }
  world_.core_.schedule(
      EntryKind::kDenialOver,
      world_.core_.now_us() + draw_lasts(world_.core_.scenario(), fault).value_or(0),
      {.arg = number});
  return true;
}

// Who still waits asks again.
void MachineTrouble::denial_over(std::uint32_t number) {
  const std::uint32_t pool_index = *world_.faults_[number].pool;
  world_.ailments_.end_denial(world_.core_, world_.faults_, world_.machines_, number);
  const Pool& pool = world_.machines_.pool(pool_index);
  world_.serve_queue(pool_index);
  for (Job& job : world_.jobs_) {
    if (world_.spec(job).pool != pool_index || job.stage != Stage::kQueued || !job.waiting) {
      continue;
    }
    world_.ask_replacements(job);
    if (job.stage == Stage::kQueued && pool.provisioning() > 0) {
      world_.set_phase(job, Phase::kProvisioning,
                       job.start_cause.is_fault() ? job.start_cause : Cause::queue());
    }
  }
}

}  // namespace aftershock::sim
