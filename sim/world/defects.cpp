#include <algorithm>

#include "sim/core/entry_kind.h"
#include "sim/faults/source.h"
#include "sim/world/devices.h"
#include "sim/world/injection.h"
#include "sim/world/machine_faults.h"
#include "sim/world/nodes.h"
#include "sim/world/target_resolution.h"
#include "sim/world/world.h"

// Machines that fail again: lemons, which a repair cures by chance at most, and replacements that
// are bad, too. Each failure is an occurrence of its own, numbered behind the fault that it is of.
namespace aftershock::sim::world {

bool spoil_replacements(World& world, std::uint32_t number) {
  const faults::FaultRecord fault = world.faults[number];
  fire(world, number);
  world.ailments.add_bad_batch({.pool = *fault.pool,
                                .fault = number,
                                .left = faults::effect_of(world.scenario(), fault).times});
  return true;
}

bool make_lemon(World& world, std::uint32_t number) {
  const faults::FaultRecord fault = world.faults[number];
  const machines::Node& node = world.machines.pool(*fault.pool).node(fault.node);
  if (!node.present) {
    return false;
  }
  if (!node.up) {
    stay_down(world, *fault.pool, fault.node, number, faults::draw_lasts(world.scenario(), fault));
    return false;
  }
  fire(world, number);
  // The fault itself is the first failure of its lemon, which has shown once.
  world.ailments.add_defect({.pool = *fault.pool, .node = fault.node, .fault = number, .shown = 1});
  node_down(world, *fault.pool, fault.node, number, faults::draw_lasts(world.scenario(), fault),
            false);
  return true;
}

void new_machine(World& world, std::uint32_t pool, std::uint32_t node) {
  world.ailments.forget_defects(pool, node);
  forget_slowness(world, pool, node);
  world.ailments.put_to_use(world.scenario(), world.faults, pool, node,
                            scenario::NewMachines::kProvisioned);
}

// A repaired machine is as fast as the others again. A lemon that was not cured stays one.
void machine_back(World& world, std::uint32_t pool, std::uint32_t node) {
  forget_slowness(world, pool, node);
  world.ailments.plan_lemons(world.core, world.faults, world.machines, pool, node);
}

// Spares are put to use when somebody gets them that did not have them.
void placed(World& world, const workload::Job& job, const std::vector<std::uint32_t>& before) {
  const std::uint32_t pool = spec(world, job).pool;
  const scenario::PoolSpec& spec = world.scenario().cluster.pools[pool];
  for (const std::uint32_t node : job.placement.slots) {
    const bool spare = node >= spec.nodes && node < spec.nodes + spec.spares;
    if (spare && std::ranges::find(before, node) == before.end()) {
      world.ailments.put_to_use(world.scenario(), world.faults, pool, node,
                                scenario::NewMachines::kSpares);
    }
  }
}

void launched(World& world, const workload::Job& job) {
  world.ailments.plan_bad_replacements(world.core, world.faults, world.machines,
                                       spec(world, job).pool, job.placement.nodes);
}

namespace {

// The occurrence that the defect's next failure is.
std::uint32_t fails_again(World& world, std::uint32_t number, const machines::Defect& defect) {
  faults::FaultRecord again = world.faults[number];
  const bool lemon =
      faults::effect_of(world.scenario(), again).kind == scenario::FaultKind::kLemonNode;
  again.nth = faults::follower(again.nth, defect.shown + (lemon ? 0U : 1U));
  again.listed.reset();  // the list is about the first, not about those that follow
  again.branch = world.core.branch();
  again.t_us = world.now_us();
  again.pool = defect.pool;
  again.node = defect.node;
  again.nodes = 1;
  again.detected = false;
  again.caused_restart = false;
  if (!world.jobs.empty() && world.jobs.front().ledger) {
    again.phase = world.jobs.front().phase;
  }
  again.job.reset();
  again.accelerator = 0;
  TargetResolution(world).resolve_rank(again);
  return world.faults.open_again(again);
}

}  // namespace

void defect_shows(World& world, const engine::Entry& entry) {
  const auto defect =
      world.ailments.show_defect(world.scenario(), world.faults, world.machines, entry);
  if (!defect) {
    return;
  }
  const std::uint32_t again = fails_again(world, defect->fault, *defect);
  if (!faults::effect_of(world.scenario(), world.faults[again]).then.empty()) {
    world.faults.escalate(again);
  }
  fire(world, again);
  const faults::FaultRecord fault = world.faults[again];
  if (fault.escalated) {
    fail_accelerator(world, again, faults::draw_lasts(world.scenario(), fault));
  } else {
    node_down(world, defect->pool, fault.node, again, faults::draw_lasts(world.scenario(), fault),
              false);
  }
}

}  // namespace aftershock::sim::world
