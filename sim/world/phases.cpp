#include "policies/api/rank_set.h"
#include "sim/workload/job.h"
#include "sim/world/arrivals.h"
#include "sim/world/entries.h"
#include "sim/world/names.h"
#include "sim/world/world.h"

// The phase of a job, its bucket, and the triggers that wait for it.
namespace aftershock::sim {

namespace {

using reports::EntityKind;

// Where processes that wait for one that ended end with it, the last of them leaves nobody.
bool has_left(const Job& job) {
  policies::RankSet failed;
  for (const RankFailure& failure : job.failures) {
    failed.add(failure.ranks);
  }
  return has_processes(job) && !(job.host.info().leaves_peers && failed.size() >= job.workers);
}

// Work goes on, or waits for its own save.
bool trains(Phase phase) { return phase == Phase::kTraining || phase == Phase::kCheckpointing; }

}  // namespace

void World::set_phase(Job& job, Phase phase, reports::Cause cause) {
  if (job.phase == phase && job.ledger->cause() == cause && job.phase_span != 0) {
    return;
  }
  const reports::Entity on{EntityKind::kJob, job.index};
  if (job.phase_span != 0) {
    recorder_.end(now_us_, job.phase_span);
    leave_instance(job, job.phase);
  }
  if (trains(job.phase) != trains(phase)) {
    Arrivals(*this).turn(job, trains(phase));
  }
  job.phase = phase;
  job.phase_since_us = now_us_;
  job.ledger->enter(now_us_, bucket_of(phase), cause);
  job.phase_span =
      recorder_.begin(now_us_, on, word_of(phase), {{"epoch", job.epoch}, {"cause", cause.value}});
  enter_instance(job, phase);
}

void World::enter_instance(Job& job, Phase phase) {
  const std::uint32_t instance = ++job.phase_count[static_cast<std::size_t>(phase)];
  if (!triggers_) {
    return;
  }
  for (std::uint32_t i = 0; i < scenario_->faults.size(); ++i) {
    const auto& trigger = scenario_->faults[i].when;
    if (!trigger || trigger->job != job.index || trigger->phase != phase ||
        trigger->nth != instance) {
      continue;
    }
    probes_[i].began_us = now_us_;
    probes_[i].processes = has_left(job);
    probes_[i].committed = job.committed != 0;
    probes_[i].later_attempt = job.epoch > 1 && job.driver_up;
    probes_[i].hangs_looked_for = looks_for_hangs(spec(job), job);
    const auto known = trigger_offsets_us_.find(i);
    if (trigger->offset_ppm && known == trigger_offsets_us_.end()) {
      fault_spent_[i] = true;
      continue;  // this run is there to find the phase's length
    }
    const std::int64_t offset_us = trigger->offset_ppm ? known->second : trigger->offset_us;
    calendar_.push(now_us_ + offset_us, EntryClass::kFault,
                   static_cast<std::uint16_t>(What::kTriggered), i, instance);
  }
}

void World::leave_instance(Job& job, Phase phase) {
  if (!triggers_) {
    return;
  }
  const std::uint32_t instance = job.phase_count[static_cast<std::size_t>(phase)];
  for (std::uint32_t i = 0; i < scenario_->faults.size(); ++i) {
    const auto& trigger = scenario_->faults[i].when;
    TriggerProbe& probe = probes_[i];
    if (trigger && trigger->job == job.index && trigger->phase == phase &&
        trigger->nth == instance && probe.began_us && !probe.length_us) {
      probe.length_us = now_us_ - *probe.began_us;
    }
  }
}

}  // namespace aftershock::sim
