#include <algorithm>
#include <utility>

#include "sim/core/entry_kind.h"
#include "sim/workload/recoveries.h"
#include "sim/world/stuck.h"
#include "sim/world/world.h"

// How a job ends, and what is left of its attempts.
namespace aftershock::sim {

using reports::EntityKind;

void World::account_zombie(const Zombies& zombies) {
  const std::int64_t end_us =
      zombies.until_us ? std::min(*zombies.until_us, core_.now_us()) : core_.now_us();
  jobs_[zombies.job].stale_accelerator_us +=
      zombies.accelerators * std::max<std::int64_t>(0, end_us - zombies.since_us);
}

void World::end_job(Job& job, Outcome outcome, std::string reason) {
  if (has_processes(job) || job.stage == Stage::kTearingDown) {
    hold_work(job);
  }
  std::erase(queue_, job.index);
  if (job.unplaced && outcome == Outcome::kFailed) {
    job.unplaced_words = unplaced_words(*this, job);
  }
  job.ledger->close(core_.now_us());
  if (outcome != Outcome::kCompleted) {
    if (job.alarmed && !job.broken && !job.interrupt) {
      job.lost_cause = reports::Cause::policy();
    }
    const Checkpoint* last = find_checkpoint(job, job.committed);
    const std::int64_t moved_us =
        job.ledger->roll_back(last != nullptr ? last->productive_us : 0, job.lost_cause);
    add_lost(job, moved_us);
    const std::int64_t kept_us =
        last != nullptr ? last->work_us : spec(job).initial_steps * spec(job).step_us;
    job.lost_steps +=
        std::max<std::int64_t>(0, job.work_us / spec(job).step_us - kept_us / spec(job).step_us);
    job.work_us = kept_us;
  }
  if (job.holding) {
    machines_.pool(spec(job).pool).release(job.placement, core_.now_us());
    job.holding = false;
  }
  free_leaks(job, std::nullopt);
  copy_artifacts(job.artifacts, core_.now_us());
  end_driver_run(job, std::nullopt);
  job.capacity.reset();
  core_.recorder().end(core_.now_us(), job.phase_span);
  leave_instance(job, job.phase);
  job.phase_span = 0;
  if (job.attempt_span != 0) {
    core_.recorder().end(core_.now_us(), std::exchange(job.attempt_span, 0));
  }
  enter_stage(job, Stage::kEnded, std::nullopt);
  turn_clocks(job, false);
  job.outcome = outcome;
  job.reason = std::move(reason);
  job.ended_us = core_.now_us();
  checker_.ended(job);
  core_.recorder().instant(core_.now_us(), {EntityKind::kJob, job.index}, "ended",
                           {{"reason", 0, job.reason}, {"steps", job.work_us / spec(job).step_us}});
  count_again(job.stuck);
  --jobs_left_;
  core_.schedule(EntryKind::kServeQueue, core_.now_us(), {.entity = spec(job).pool});
}

}  // namespace aftershock::sim
