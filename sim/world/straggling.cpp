#include <algorithm>

#include "sim/core/entry_kind.h"
#include "sim/workload/recoveries.h"
#include "sim/world/injection.h"
#include "sim/world/machine_faults.h"
#include "sim/world/nodes.h"
#include "sim/world/training.h"
#include "sim/world/trial_faults.h"
#include "sim/world/world.h"

// A step ends when the slowest worker has done its part: one that takes twice as long halves the
// speed of the job. Time is productive as far as healthy workers would have needed it; the rest is
// the straggler's.
namespace aftershock::sim::world {

namespace {

void pace_changed(World& world, std::uint32_t pool, std::uint32_t node);

using reports::Cause;

}  // namespace

bool slow_down(World& world, std::uint32_t number) {
  const faults::FaultRecord fault = world.faults[number];
  const scenario::FaultSpec& spec = world.scenario().faults[fault.spec];
  if (!fault.pool || !world.machines.pool(*fault.pool).node(fault.node).present ||
      !world.machines.pool(*fault.pool).node(fault.node).up) {
    return false;
  }
  // Of a node all accelerators are slow: the one that was drawn only tells which job is there.
  const bool whole_node = spec.target.kind == scenario::TargetKind::kNode ||
                          (spec.target.kind == scenario::TargetKind::kPool &&
                           spec.source->per != scenario::RatePer::kAccelerator);
  fire(world, number);
  world.ailments.slow_down(
      world.core, {.pool = *fault.pool,
                   .node = fault.node,
                   .accelerator = whole_node ? std::nullopt : fault.accelerator,
                   .fault = number,
                   .ppm = faults::effect_of(world.scenario(), fault).machine.slowdown_ppm});
  if (const auto lasts_us = faults::draw_lasts(world.scenario(), fault)) {
    world.core.schedule(core::EntryKind::kSlownessOver, world.now_us() + *lasts_us,
                        {.arg = number});
  }
  pace_changed(world, *fault.pool, fault.node);
  return true;
}

void slowness_over(World& world, std::uint32_t number) {
  if (const auto over = world.ailments.end_slowness(world.core, number)) {
    pace_changed(world, over->pool, over->node);
  }
}

void forget_slowness(World& world, std::uint32_t pool, std::uint32_t node) {
  if (world.ailments.forget_slowness(world.core, pool, node)) {
    pace_changed(world, pool, node);
  }
}

workload::Pace healthy_pace(const World& world, const workload::Job& job) {
  return {job.workers, spec(world, job).workers};
}

workload::Pace pace(const World& world, const workload::Job& job) {
  return workload::slowed(healthy_pace(world, job), job.training.slow_ppm);
}

void set_pace(World& world, workload::Job& job) {
  std::int64_t slow_ppm = workload::kAsFast;
  const std::uint32_t pool = spec(world, job).pool;
  const std::uint32_t per_node = world.scenario().cluster.pools[pool].accelerators_per_node;
  const machines::Slowness* slowest =
      job.holding
          ? world.ailments.slowest(world.machines, per_node, {pool, job.placement, job.workers})
          : nullptr;
  if (slowest != nullptr && slowest->ppm > workload::kAsFast) {
    slow_ppm = slowest->ppm;
    job.training.slow_fault = slowest->fault;
  }
  if (slow_ppm == job.training.slow_ppm) {
    return;
  }
  // The part of a microsecond of work that is left over keeps its size.
  __extension__ using Wide = __int128;
  const workload::Pace before = pace(world, job);
  job.training.slow_ppm = slow_ppm;
  job.training.slow_remainder = 0;
  if (slow_ppm != workload::kAsFast &&
      workload::find_recovery(job, job.training.slow_fault) == nullptr) {
    // It goes on at once: what it costs is all there is to tell.
    workload::open_recovery(job, job.training.slow_fault, world.now_us()).running_us =
        world.now_us();
  }
  job.training.work_remainder = static_cast<std::int64_t>(Wide{job.training.work_remainder} *
                                                          pace(world, job).of / before.of);
}

void account(World& world, workload::Job& job, std::int64_t elapsed_us, std::int64_t work_us) {
  const workload::Advance healthy =
      workload::advance(workload::slowed(workload::Pace{1, 1}, job.training.slow_ppm), elapsed_us,
                        job.training.slow_remainder);
  job.training.slow_remainder = healthy.remainder;
  // At full size work and productive time are one: parts of a microsecond must not part them.
  const workload::Pace size = healthy_pace(world, job);
  const std::int64_t healthy_us = size.workers == size.of ? work_us : healthy.work_us;
  job.ledger->close(world.now_us());
  job.ledger->straggle(elapsed_us - healthy_us, Cause::fault(job.training.slow_fault));
}

namespace {

// Of whoever trains there now.
void pace_changed(World& world, std::uint32_t pool, std::uint32_t node) {
  trials_changed_pace(world, pool, node);
  workload::Job* job = holder(world, pool, node);
  if (job == nullptr || job->stage != workload::Stage::kTraining || job->broken) {
    return;
  }
  close_segment(world, *job);
  open_segment(world, *job);
}

}  // namespace

}  // namespace aftershock::sim::world
