#include <algorithm>

#include "sim/workload/stories.h"
#include "sim/world/entries.h"
#include "sim/world/machine_trouble.h"

// A step ends when the slowest worker has done its part: one that takes twice as long halves the
// speed of the job. Time is productive as far as healthy workers would have needed it; the rest is
// the straggler's.
namespace aftershock::sim {

namespace {

using reports::Cause;
using reports::EntityKind;

}  // namespace

bool MachineTrouble::slow_down(std::uint32_t number) {
  const FaultRecord fault = world_.faults_[number];
  const FaultSpec& spec = world_.scenario_->faults[fault.spec];
  if (!fault.pool || !world_.pools_[*fault.pool].node(fault.node).present ||
      !world_.pools_[*fault.pool].node(fault.node).up) {
    return false;
  }
  const bool whole_node =
      spec.target.kind == TargetKind::kNode ||
      (spec.target.kind == TargetKind::kPool && spec.source->per != RatePer::kAccelerator);
  world_.faults_[number].fired = true;
  world_.record_fault(number);
  Slowness slowness{.pool = *fault.pool,
                    .node = fault.node,
                    .accelerator = whole_node ? std::nullopt : fault.accelerator,
                    .fault = number,
                    .ppm = world_.effect_of(fault).machine.slowdown_ppm};
  slowness.span =
      world_.recorder_.begin(world_.now_us_, {EntityKind::kNode, *fault.pool, fault.node},
                             "straggling", {{"fault", number}, {"slowdown_ppm", slowness.ppm}});
  world_.slownesses_.push_back(slowness);
  if (const auto lasts_us = world_.draw_lasts(fault)) {
    world_.calendar_.push(world_.now_us_ + *lasts_us, EntryClass::kFault,
                          static_cast<std::uint16_t>(What::kSlownessOver), 0, 0, number);
  }
  pace_changed(*fault.pool, fault.node);
  return true;
}

void MachineTrouble::slowness_over(std::uint32_t number) {
  const auto found = std::ranges::find(world_.slownesses_, number, &Slowness::fault);
  if (found == world_.slownesses_.end()) {
    return;  // its machine is gone, or was repaired
  }
  const Slowness over = *found;
  world_.recorder_.end(world_.now_us_, over.span);
  world_.slownesses_.erase(found);
  pace_changed(over.pool, over.node);
}

void MachineTrouble::forget_slowness(std::uint32_t pool, std::uint32_t node) {
  const auto erased = std::erase_if(world_.slownesses_, [&](const Slowness& one) {
    if (one.pool != pool || one.node != node) {
      return false;
    }
    world_.recorder_.end(world_.now_us_, one.span);
    return true;
  });
  if (erased > 0) {
    pace_changed(pool, node);
  }
}

bool MachineTrouble::slows(const Slowness& slowness, const Job& job) const {
  if (slowness.pool != world_.spec(job).pool || !job.holding ||
      !job.placement.nodes[slowness.node]) {
    return false;
  }
  const std::uint32_t per_node =
      world_.scenario_->cluster.pools[slowness.pool].accelerators_per_node;
  const std::uint32_t slot = world_.pools_[slowness.pool].node(slowness.node).slot;
  return slot * per_node + slowness.accelerator.value_or(0) < job.workers;
}

void MachineTrouble::set_pace(Job& job) {
  std::int64_t slow_ppm = kAsFast;
  for (const Slowness& one : world_.slownesses_) {
    if (one.ppm > slow_ppm && slows(one, job)) {
      slow_ppm = one.ppm;
      job.slow_fault = one.fault;
    }
  }
  if (slow_ppm == job.slow_ppm) {
    return;
  }
  // The part of a microsecond of work that is left over keeps its size.
  __extension__ using Wide = __int128;
  const Pace before = world_.pace(job);
  job.slow_ppm = slow_ppm;
  job.slow_remainder = 0;
  if (slow_ppm != kAsFast && find_story(job, job.slow_fault) == nullptr) {
    // It goes on at once: what it costs is all there is to tell.
    open_story(job, job.slow_fault, world_.now_us_).running_us = world_.now_us_;
  }
  job.work_remainder =
      static_cast<std::int64_t>(Wide{job.work_remainder} * world_.pace(job).of / before.of);
}

void MachineTrouble::account(Job& job, std::int64_t elapsed_us) {
  const Advance healthy = advance(slowed(Pace{1, 1}, job.slow_ppm), elapsed_us, job.slow_remainder);
  job.slow_remainder = healthy.remainder;
  job.ledger->close(world_.now_us_);
  job.ledger->straggle(elapsed_us - healthy.work_us, Cause::fault(job.slow_fault));
}

// Of whoever trains there now.
void MachineTrouble::pace_changed(std::uint32_t pool, std::uint32_t node) {
  Job* job = world_.holder(pool, node);
  if (job == nullptr || job->stage != Stage::kTraining || job->broken) {
    return;
  }
  world_.close_segment(*job);
  world_.open_segment(*job);
}

}  // namespace aftershock::sim
