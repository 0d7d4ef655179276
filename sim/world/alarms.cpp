#include <algorithm>

#include "sim/world/machine_trouble.h"
#include "sim/world/names.h"

// Healthy nodes that are said to be bad, and what becomes of them.
namespace aftershock::sim {

bool MachineTrouble::raise_alarm(std::uint32_t number) {
  const FaultRecord fault = world_.faults_[number];
  if (!fault.pool || !world_.machines_.pool(*fault.pool).node(fault.node).up) {
    return false;
  }
  if (world_.effect_of(fault).machine.alarm == Alarm::kDeviceFault) {
    Job* told = world_.watcher(*fault.pool, fault.node);
    if (told == nullptr) {
      return false;
    }
    world_.fire(number);
    accuse(*fault.pool, fault.node, number);
    told->interrupt = told->broken ? told->interrupt : number;
    world_.tell_device_fault(*told, number);
    return true;
  }
  Job* job = world_.job_on(fault);
  if (job == nullptr || !looks_for_hangs(world_.spec(*job), *job)) {
    return false;
  }
  world_.faults_.detect(number);
  world_.fire(number);
  job->alarmed = true;
  job->interrupt = number;
  ++job->false_alarms;
  world_.notify(*job,
                policies::HangSuspected{
                    .job = job->index, .epoch = job->epoch, .since_us = world_.core_.now_us()});
  return true;
}

void MachineTrouble::accuse(std::uint32_t pool, std::uint32_t node, std::uint32_t number) {
  world_.ailments_.accuse({pool, node, number});
}

void MachineTrouble::alarm_answered(Job& job) const {
  const bool alarm = job.interrupt && world_.effect_of(world_.faults_[*job.interrupt]).kind ==
                                          FaultKind::kFalseAlarm;
  if (alarm && job.stage != Stage::kTearingDown) {
    job.interrupt.reset();
  }
}

void MachineTrouble::isolated(const Job& job, std::uint32_t node) {
  world_.ailments_.judge_isolation(world_.core_, world_.machines_, world_.spec(job).pool, node);
}

}  // namespace aftershock::sim
