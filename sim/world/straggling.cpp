#include <algorithm>

#include "sim/core/entry_kind.h"
#include "sim/workload/recoveries.h"
#include "sim/world/machine_trouble.h"

// A step ends when the slowest worker has done its part: one that takes twice as long halves the
// speed of the job. Time is productive as far as healthy workers would have needed it; the rest is
// the straggler's.
namespace aftershock::sim {

namespace {

using reports::Cause;

}  // namespace

bool MachineTrouble::slow_down(std::uint32_t number) {
  const FaultRecord fault = world_.faults_[number];
  const FaultSpec& spec = world_.core_.scenario().faults[fault.spec];
  if (!fault.pool || !world_.machines_.pool(*fault.pool).node(fault.node).present ||
      !world_.machines_.pool(*fault.pool).node(fault.node).up) {
    return false;
  }
  const bool whole_node =
      spec.target.kind == TargetKind::kNode ||
      (spec.target.kind == TargetKind::kPool && spec.source->per != RatePer::kAccelerator);
  world_.fire(number);
  world_.ailments_.slow_down(world_.core_,
                             {.pool = *fault.pool,
                              .node = fault.node,
                              .accelerator = whole_node ? std::nullopt : fault.accelerator,
                              .fault = number,
                              .ppm = world_.effect_of(fault).machine.slowdown_ppm});
  if (const auto lasts_us = draw_lasts(world_.core_.scenario(), fault)) {
    world_.core_.schedule(EntryKind::kSlownessOver, world_.core_.now_us() + *lasts_us,
                          {.arg = number});
  }
  pace_changed(*fault.pool, fault.node);
  return true;
}

void MachineTrouble::slowness_over(std::uint32_t number) {
  if (const auto over = world_.ailments_.end_slowness(world_.core_, number)) {
    pace_changed(over->pool, over->node);
  }
}

void MachineTrouble::forget_slowness(std::uint32_t pool, std::uint32_t node) {
  if (world_.ailments_.forget_slowness(world_.core_, pool, node)) {
    pace_changed(pool, node);
  }
}

void MachineTrouble::set_pace(Job& job) {
  std::int64_t slow_ppm = kAsFast;
  const std::uint32_t pool = world_.spec(job).pool;
  const std::uint32_t per_node = world_.core_.scenario().cluster.pools[pool].accelerators_per_node;
  const Slowness* slowest =
      job.holding
          ? world_.ailments_.slowest(world_.machines_, per_node, {pool, job.placement, job.workers})
          : nullptr;
  if (slowest != nullptr && slowest->ppm > kAsFast) {
    slow_ppm = slowest->ppm;
    job.slow_fault = slowest->fault;
  }
  if (slow_ppm == job.slow_ppm) {
    return;
  }
  // The part of a microsecond of work that is left over keeps its size.
  __extension__ using Wide = __int128;
  const Pace before = world_.pace(job);
  job.slow_ppm = slow_ppm;
  job.slow_remainder = 0;
  if (slow_ppm != kAsFast && find_recovery(job, job.slow_fault) == nullptr) {
    // It goes on at once: what it costs is all there is to tell.
    open_recovery(job, job.slow_fault, world_.core_.now_us()).running_us = world_.core_.now_us();
  }
  job.work_remainder =
      static_cast<std::int64_t>(Wide{job.work_remainder} * world_.pace(job).of / before.of);
}

void MachineTrouble::account(Job& job, std::int64_t elapsed_us) {
  const Advance healthy = advance(slowed(Pace{1, 1}, job.slow_ppm), elapsed_us, job.slow_remainder);
  job.slow_remainder = healthy.remainder;
  job.ledger->close(world_.core_.now_us());
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
