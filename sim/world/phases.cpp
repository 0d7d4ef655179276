#include "sim/world/phases.h"

#include "policies/api/rank_set.h"
#include "sim/core/entry_kind.h"
#include "sim/workload/job.h"
#include "sim/world/injection.h"
#include "sim/world/names.h"
#include "sim/world/world.h"

// The phase of a job, its bucket, and the triggers that wait for it.
namespace aftershock::sim::world {

namespace {

using reports::EntityKind;

// Where processes that wait for one that ended end with it, the last of them leaves nobody.
bool has_left(const workload::Job& job) {
  policies::RankSet failed;
  for (const detection::RankFailure& failure : job.detection.failures) {
    failed.add(failure.ranks);
  }
  return workload::has_processes(job) &&
         !(job.control.host.info().leaves_peers && failed.size() >= job.workers);
}

// Work goes on, or waits for its own save.
bool trains(scenario::Phase phase) {
  return phase == scenario::Phase::kTraining || phase == scenario::Phase::kCheckpointing;
}

}  // namespace

void set_phase(World& world, workload::Job& job, scenario::Phase phase, reports::Cause cause) {
  // The phase goes on: another span would be another instance to those who wait for the nth.
  if (job.phase == phase && job.ledger->cause() == cause && job.phase_span != 0) {
    return;
  }
  const reports::Entity on{EntityKind::kJob, job.index};
  if (job.phase_span != 0) {
    world.core.recorder().end(world.now_us(), job.phase_span);
    leave_instance(world, job, job.phase);
  }
  if (trains(job.phase) != trains(phase)) {
    turn_clocks(world, job, trains(phase));
  }
  job.phase = phase;
  job.phase_since_us = world.now_us();
  job.ledger->enter(world.now_us(), bucket_of(phase), cause);
  job.phase_span = world.core.recorder().begin(world.now_us(), on, word_of(phase),
                                               {{"epoch", job.epoch}, {"cause", cause.value}});
  enter_instance(world, job, phase);
}

void enter_instance(World& world, workload::Job& job, scenario::Phase phase) {
  const std::uint32_t instance = ++job.phase_count[static_cast<std::size_t>(phase)];
  if (!world.faults.has_triggers()) {
    return;
  }
  for (std::uint32_t i = 0; i < world.scenario().faults.size(); ++i) {
    const auto& trigger = world.scenario().faults[i].when;
    if (!trigger || trigger->job != job.index || trigger->phase != phase ||
        trigger->nth != instance) {
      continue;
    }
    faults::TriggerProbe& probe = world.faults.probe(i);
    probe.began_us = world.now_us();
    probe.processes = has_left(job);
    probe.committed = job.saved.committed != 0;
    probe.later_attempt = job.epoch > 1 && job.control.driver_up;
    probe.hangs_looked_for = workload::looks_for_hangs(spec(world, job), job);
    if (const auto offset_us = world.faults.trigger_offset_us(i, *trigger)) {
      world.core.schedule(core::EntryKind::kTriggered, world.now_us() + *offset_us,
                          {.entity = i, .epoch = instance});
    }
  }
}

void leave_instance(World& world, workload::Job& job, scenario::Phase phase) {
  if (!world.faults.has_triggers()) {
    return;
  }
  const std::uint32_t instance = job.phase_count[static_cast<std::size_t>(phase)];
  for (std::uint32_t i = 0; i < world.scenario().faults.size(); ++i) {
    const auto& trigger = world.scenario().faults[i].when;
    faults::TriggerProbe& probe = world.faults.probe(i);
    if (trigger && trigger->job == job.index && trigger->phase == phase &&
        trigger->nth == instance && probe.began_us && !probe.length_us) {
      probe.length_us = world.now_us() - *probe.began_us;
    }
  }
}

}  // namespace aftershock::sim::world
