#include <algorithm>

#include "sim/world/controlling.h"
#include "sim/world/devices.h"
#include "sim/world/injection.h"
#include "sim/world/machine_faults.h"
#include "sim/world/names.h"
#include "sim/world/world.h"

// Healthy nodes that are said to be bad, and what becomes of them.
namespace aftershock::sim::world {

bool raise_alarm(World& world, std::uint32_t number) {
  const faults::FaultRecord fault = world.faults[number];
  if (!fault.pool || !world.machines.pool(*fault.pool).node(fault.node).up) {
    return false;
  }
  if (faults::effect_of(world.scenario(), fault).machine.alarm == scenario::Alarm::kDeviceFault) {
    workload::Job* told = watcher(world, *fault.pool, fault.node);
    if (told == nullptr) {
      return false;
    }
    fire(world, number);
    // Noted so that an isolation which follows from it is known to have hit a healthy node.
    accuse(world, *fault.pool, fault.node, number);
    // A stop that answers the alarm is put down to it, unless something else had broken the
    // attempt.
    told->armed.interrupt = told->broken ? told->armed.interrupt : number;
    tell_device_fault(world, *told, number);
    return true;
  }
  workload::Job* job = job_on(world, fault);
  // An alarm about a hang comes from those who look for hangs: without them there is none.
  if (job == nullptr || !workload::looks_for_hangs(spec(world, *job), *job)) {
    return false;
  }
  world.faults.detect(number);
  fire(world, number);
  job->detection.alarmed = true;
  job->armed.interrupt = number;
  ++job->account.false_alarms;
  notify(
      world, *job,
      policies::HangSuspected{.job = job->index, .epoch = job->epoch, .since_us = world.now_us()});
  return true;
}

void accuse(World& world, std::uint32_t pool, std::uint32_t node, std::uint32_t number) {
  world.ailments.accuse({pool, node, number});
}

void alarm_answered(const World& world, workload::Job& job) {
  const bool alarm = job.armed.interrupt &&
                     faults::effect_of(world.scenario(), world.faults[*job.armed.interrupt]).kind ==
                         scenario::FaultKind::kFalseAlarm;
  // Kept any longer it would be blamed for the next stop of a healthy attempt (stop_healthy()).
  if (alarm && job.stage != workload::Stage::kTearingDown) {
    job.armed.interrupt.reset();
  }
}

void isolated(World& world, const workload::Job& job, std::uint32_t node) {
  world.ailments.judge_isolation(world.core, world.machines, spec(world, job).pool, node);
}

}  // namespace aftershock::sim::world
