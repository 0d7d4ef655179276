#include "sim/world/occurrences.h"

#include "sim/world/injection.h"
#include "sim/world/nodes.h"
#include "sim/world/scheduling.h"
#include "sim/world/training.h"
#include "sim/world/world.h"

namespace aftershock::sim::world {

void scripted_fault(World& world, std::uint32_t spec_index) {
  world.faults.spend(spec_index);
  strike(world, spec_index, 0);
}

void arrival(World& world, const engine::Entry& entry) {
  if (const auto arrived = world.arrivals.arrive(world.core, entry)) {
    strike(world, arrived->spec, arrived->nth, {}, arrived->unit);
  }
}

void step_reached(World& world, const engine::Entry& entry) {
  const scenario::FaultSpec& fault = world.scenario().faults[entry.entity];
  const workload::Job& job = world.jobs[*fault.step_job];
  const std::int64_t done_us = work_now(world, job);
  // A job that was slowed since comes to the step later, and another attempt anew: open_segment()
  // plans that.
  if (job.epoch == entry.epoch && done_us >= entry.arg && !job.broken &&
      !world.faults.spent(entry.entity)) {
    world.faults.spend(entry.entity, !fault.every_attempt);
    // Each attempt has an occurrence of its own number, whose draws are its own.
    strike(world, entry.entity, job.epoch);
  }
}

void phase_triggered(World& world, const engine::Entry& entry) {
  world.faults.spend(entry.entity);
  const scenario::PhaseTrigger& trigger = *world.scenario().faults[entry.entity].when;
  const workload::Job& job = world.jobs[trigger.job];
  const faults::TriggerProbe& probe = world.faults.probe(entry.entity);
  // The offset may be the whole phase, which has then just ended.
  const bool still_there = !probe.length_us || *probe.began_us + *probe.length_us == world.now_us();
  if (job.phase_count[static_cast<std::size_t>(trigger.phase)] == entry.epoch && still_there) {
    strike(world, entry.entity, 0);
  }
}

void notice_over(World& world, const engine::Entry& entry) {
  const auto number = static_cast<std::uint32_t>(entry.arg);
  const faults::FaultRecord fault = world.faults[number];
  const machines::Node& node = world.machines.pool(*fault.pool).node(entry.entity);
  if (node.epoch == entry.epoch && node.draining) {
    node_down(world, *fault.pool, entry.entity, number,
              faults::draw_lasts_together(world.scenario(), fault),
              faults::effect_of(world.scenario(), fault).early_us == 0);
    ask_again(world, *fault.pool);
  }
}

}  // namespace aftershock::sim::world
