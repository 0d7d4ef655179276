#include <algorithm>
#include <utility>

#include "sim/core/entry_kind.h"
#include "sim/workload/recoveries.h"
#include "sim/world/drivers.h"
#include "sim/world/failure.h"
#include "sim/world/injection.h"
#include "sim/world/phases.h"
#include "sim/world/pods.h"
#include "sim/world/scheduling.h"
#include "sim/world/starting.h"
#include "sim/world/stuck.h"
#include "sim/world/world.h"

// How a job ends, and what is left of its attempts.
namespace aftershock::sim::world {

using reports::EntityKind;

void end_job(World& world, workload::Job& job, workload::Outcome outcome, std::string reason) {
  if (workload::has_processes(job) || job.stage == workload::Stage::kTearingDown) {
    hold_work(world, job);
  }
  world.queue.leave(job.index);
  // Said before its leaks are freed: those nodes were reserved when it was to be placed last.
  if (job.wait.unplaced && outcome == workload::Outcome::kFailed) {
    job.wait.unplaced_words = unplaced_words(world, job);
  }
  job.ledger->close(world.now_us());
  // A job that does not complete leaves what its last checkpoint holds: the rest is lost at its end
  // (design.md 5).
  if (outcome != workload::Outcome::kCompleted) {
    // A hang that was none is the policy's own doing, unless a fault raised the alarm.
    if (job.detection.alarmed && !job.broken && !job.armed.interrupt) {
      job.lost_cause = reports::Cause::policy();
    }
    const workload::Checkpoint* last = workload::find_checkpoint(job, job.saved.committed);
    const std::int64_t moved_us =
        job.ledger->roll_back(last != nullptr ? last->productive_us : 0, job.lost_cause);
    workload::add_lost(job, moved_us);
    const std::int64_t kept_us =
        last != nullptr ? last->work_us : spec(world, job).initial_steps * spec(world, job).step_us;
    job.account.lost_steps += std::max<std::int64_t>(
        0, job.training.work_us / spec(world, job).step_us - kept_us / spec(world, job).step_us);
    job.training.work_us = kept_us;
  }
  if (job.holding) {
    world.machines.pool(spec(world, job).pool).release(job.placement, world.now_us());
    job.holding = false;
  }
  free_leaks(world, job, std::nullopt);
  workload::copy_artifacts(job.saved.artifacts, world.now_us());
  end_driver_run(world, job.control, std::nullopt);
  watch_capacity(world, job, std::nullopt);
  world.core.recorder().end(world.now_us(), job.phase_span);
  leave_instance(world, job, job.phase);
  job.phase_span = 0;
  if (job.attempt_span != 0) {
    world.core.recorder().end(world.now_us(), std::exchange(job.attempt_span, 0));
  }
  enter_stage(world, job, workload::Stage::kEnded, std::nullopt);
  turn_clocks(world, job, false);
  job.outcome = outcome;
  job.reason = std::move(reason);
  job.ended_us = world.now_us();
  world.checker.ended(job);
  world.core.recorder().instant(
      world.now_us(), {EntityKind::kJob, job.index}, "ended",
      {{"reason", 0, job.reason}, {"steps", job.training.work_us / spec(world, job).step_us}});
  count_again(world, job.stuck);
  --world.jobs_left;
  // Behind all others of this microsecond, who may ask for its nodes too: priority decides among
  // them.
  world.core.schedule(core::EntryKind::kServeQueue, world.now_us(),
                      {.entity = spec(world, job).pool});
}

}  // namespace aftershock::sim::world
