#include <algorithm>

#include "sim/core/entry_kind.h"
#include "sim/world/injection.h"
#include "sim/world/machine_faults.h"
#include "sim/world/nodes.h"
#include "sim/world/phases.h"
#include "sim/world/scheduling.h"
#include "sim/world/world.h"

// Pools that give out no machines for a time: the market is empty, or a quota is used up.
namespace aftershock::sim::world {

namespace {

using reports::Cause;

}  // namespace

bool deny(World& world, std::uint32_t number) {
  const faults::FaultRecord fault = world.faults[number];
  fire(world, number);
  world.ailments.deny(world.core, world.faults, world.machines, number);
  // Spares that are withheld shrink the room that there is; machines that are not given out never
  // were part of it.
  if (faults::effect_of(world.scenario(), fault).machine.spares_too) {
    capacity_changed(world, *fault.pool);
  }
  world.core.schedule(core::EntryKind::kDenialOver,
                      world.now_us() + faults::draw_lasts(world.scenario(), fault).value_or(0),
                      {.arg = number});
  return true;
}

// Jobs and experiments that still wait ask again.
void denial_over(World& world, std::uint32_t number) {
  const std::uint32_t pool_index = *world.faults[number].pool;
  world.ailments.end_denial(world.core, world.faults, world.machines, number);
  const machines::Pool& pool = world.machines.pool(pool_index);
  // Spares are back and may serve some: only those that wait still have to ask for machines.
  serve_queue(world, pool_index);
  for (workload::Job& job : world.jobs) {
    if (spec(world, job).pool != pool_index || job.stage != workload::Stage::kQueued ||
        !job.wait.waiting) {
      continue;
    }
    ask_replacements(world, job);
    if (job.stage == workload::Stage::kQueued && pool.provisioning() > 0) {
      set_phase(world, job, scenario::Phase::kProvisioning,
                job.start_cause.is_fault() ? job.start_cause : Cause::queue());
    }
  }
}

}  // namespace aftershock::sim::world
