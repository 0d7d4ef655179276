#include <algorithm>

#include "sim/world/machine_trouble.h"
#include "sim/world/names.h"

// Healthy nodes that are said to be bad, and what becomes of them.
namespace aftershock::sim {

namespace {

using reports::EntityKind;

}  // namespace

bool MachineTrouble::raise_alarm(std::uint32_t number) {
  const FaultRecord fault = world_.faults_[number];
  if (!fault.pool || !world_.pools_[*fault.pool].node(fault.node).up) {
    return false;
  }
  if (world_.effect_of(fault).machine.alarm == Alarm::kDeviceFault) {
    Job* told = world_.watcher(*fault.pool, fault.node);
    if (told == nullptr) {
      return false;
    }
    world_.faults_[number].fired = true;
    world_.record_fault(number);
    accuse(*fault.pool, fault.node, number);
    told->interrupt = told->broken ? told->interrupt : number;
    world_.tell_device_fault(*told, number);
    return true;
  }
  Job* job = world_.job_on(fault);
  if (job == nullptr || !looks_for_hangs(world_.spec(*job), *job)) {
    return false;
  }
  world_.faults_[number].fired = true;
  world_.faults_[number].detected = true;
  world_.record_fault(number);
  job->alarmed = true;
  job->interrupt = number;
  ++job->false_alarms;
  world_.notify(*job, policies::HangSuspected{
                          .job = job->index, .epoch = job->epoch, .since_us = world_.now_us_});
  return true;
}

void MachineTrouble::accuse(std::uint32_t pool, std::uint32_t node, std::uint32_t number) {
  world_.accusations_.push_back({pool, node, number});
}

void MachineTrouble::alarm_answered(Job& job) const {
  const bool alarm = job.interrupt && world_.effect_of(world_.faults_[*job.interrupt]).kind ==
                                          FaultKind::kFalseAlarm;
  if (alarm && job.stage != Stage::kTearingDown) {
    job.interrupt.reset();
  }
}

// Evidence it had; that the evidence was wrong only the world knows.
void MachineTrouble::isolated(const Job& job, std::uint32_t node) {
  const std::uint32_t pool = world_.spec(job).pool;
  const auto found = std::ranges::find_if(world_.accusations_, [&](const Accusation& one) {
    return one.pool == pool && one.node == node;
  });
  if (found == world_.accusations_.end()) {
    return;
  }
  const auto of_it = [&](const auto& trouble) {
    return trouble.pool == pool && trouble.node == node;
  };
  const bool innocent = std::ranges::none_of(world_.ailments_, of_it) &&
                        std::ranges::none_of(world_.slownesses_, of_it) &&
                        std::ranges::none_of(world_.defects_, of_it);
  if (innocent) {
    world_.recorder_.instant(world_.now_us_, {EntityKind::kNode, pool, node}, "isolated_innocent",
                             {{"fault", found->fault}});
  }
  world_.accusations_.erase(found);
}

}  // namespace aftershock::sim
