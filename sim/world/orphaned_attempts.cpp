#include "sim/world/orphaned_attempts.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "sim/core/entry_kind.h"
#include "sim/world/findings.h"
#include "sim/world/machine_faults.h"
#include "sim/world/network_faults.h"
#include "sim/world/peers.h"
#include "sim/world/training.h"
#include "sim/world/world.h"

// Workers that live on behind a cut when their attempt has ended, and what they write.
namespace aftershock::sim::world {

namespace {

using reports::EntityKind;

bool was_training(workload::Stage stage) {
  return stage == workload::Stage::kTraining || stage == workload::Stage::kSnapshot ||
         stage == workload::Stage::kWaitUpload || stage == workload::Stage::kWaitReport;
}

// The checkpoint after the interval that began at `from_us`.
void schedule_next(World& world, std::uint32_t number, std::int64_t from_us) {
  const workload::Job& job = world.jobs[world.orphans.attempt(number).job];
  if (const auto next_us =
          world.orphans.next_save_us(number, spec(world, job), write_speed(world, job), from_us)) {
    world.core.schedule(core::EntryKind::kOrphanWrites, std::max(world.now_us(), *next_us),
                        {.entity = number});
  }
}

// Nobody fences: the attempt writes where the job's own checkpoints are.
void write_unfenced(World& world, const orphans::OrphanedAttempt& orphan) {
  workload::Job& job = world.jobs[orphan.job];
  const std::uint32_t id = job.saved.next_checkpoint++;
  world.core.recorder().instant(
      world.now_us(), {EntityKind::kJob, job.index}, "stale_write",
      {{"epoch", orphan.epoch}, {"checkpoint", id}, {"work_us", orphan.work_us}});
  if (job.control.host.info().commits_checkpoints) {
    job.saved.leftovers.push_back({id, false, world.now_us(), {}});  // nobody commits it
    return;
  }
  violate(world, "S07",
          fmt::format("job {}: checkpoint {} was written and counted by attempt {}, which "
                      "had been given up for attempt {}",
                      spec(world, job).name, id, orphan.epoch, job.epoch));
  // Those under way stay the last ones of the list.
  job.saved.checkpoints.insert(
      job.saved.checkpoints.end() - static_cast<std::ptrdiff_t>(job.saved.uncommitted),
      {.id = id,
       .epoch = orphan.epoch,
       .state = workload::CheckpointState::kCommitted,
       .work_us = orphan.work_us,
       .productive_us = orphan.productive_us,
       .named_us = world.now_us()});
  job.saved.committed = id;
  job.saved.committed_work_us = orphan.work_us;
  drop_old_checkpoints(world, job);
}

}  // namespace

void account_stale(World& world, const std::vector<orphans::StaleTime>& stale) {
  for (const orphans::StaleTime& each : stale) {
    world.jobs[each.job].account.stale_accelerator_us += each.accelerator_us;
  }
}

// The workers are told to stop. Where none of them hears it, and they see each other, they train
// on.
void orphan_attempt(World& world, workload::Job& job) {
  if (world.network.whole() || job.breakage.stalled || !was_training(job.stage) ||
      std::ranges::any_of(job.detection.failures, &detection::RankFailure::gone)) {
    return;
  }
  const machines::Pool& pool = world.machines.pool(spec(world, job).pool);
  const bool unheard = std::ranges::all_of(
      job.placement.slots, [&](std::uint32_t node) { return pool.node(node).deaf; });
  if (!unheard || !world.network.all_connected(spec(world, job).pool, job.placement.slots)) {
    return;
  }
  const std::uint32_t number =
      world.orphans.add({.job = job.index,
                         .epoch = job.epoch,
                         .nodes = job.placement.slots,
                         .workers = job.workers,
                         .began_us = job.training.began_us,
                         .work_us = job.training.anchor_work_us,
                         .productive_us = job.ledger->productive_us(world.now_us())});
  schedule_next(world, number,
                (job.broken ? job.breakage.broken_us : world.now_us()) -
                    (work_now(world, job) - job.training.anchor_work_us));
}

// A checkpoint of an attempt that was given up arrives in storage.
void orphan_writes(World& world, std::uint32_t number) {
  const orphans::OrphanedAttempt& orphan = world.orphans.attempt(number);
  workload::Job& job = world.jobs[orphan.job];
  if (orphan.gone || job.stage == workload::Stage::kEnded || !reaches_storage(world, orphan)) {
    world.orphans.end_attempt(number);
    return;
  }
  if (job.stage == workload::Stage::kSelecting || job.stage == workload::Stage::kDownloading) {
    world.moments.add(RareMoment::kSavesWhileRestoring);
  }
  if (world.scenario().cluster.fencing) {
    // They find out that they are not the newest ones, and end.
    world.core.recorder().instant(world.now_us(), {EntityKind::kJob, job.index},
                                  "stale_write_refused",
                                  {{"epoch", orphan.epoch}, {"work_us", orphan.work_us}});
    world.orphans.end_attempt(number);
    account_stale(world, world.orphans.end_on(orphan, world.now_us()));
    return;
  }
  write_unfenced(world, orphan);
  schedule_next(world, number, world.now_us());
}

// The attempt is over; on nodes that no command reaches its workers are not.
void leave_behind(World& world, workload::Job& job) {
  const machines::Pool& pool = world.machines.pool(spec(world, job).pool);
  const bool together = world.orphans.train_on(job.index, job.epoch);
  for (const detection::RankFailure& failure : job.detection.failures) {
    if (!failure.node || failure.gone || !pool.node(*failure.node).cut) {
      continue;
    }
    if (!pool.node(*failure.node).deaf) {
      world.moments.add(
          RareMoment::kStopUnanswered);  // they have heard it, and nobody hears of that
      continue;
    }
    // Those who wait for others give up when their collective does.
    const auto timeout_us = peers_gone_after_us(world, job, PeerLoss::kCutOff);
    const std::optional<std::int64_t> until_us =
        timeout_us && !together ? std::optional(job.breakage.broken_us + *timeout_us)
                                : std::nullopt;
    world.orphans.leave({.job = job.index,
                         .fault = failure.fault,
                         .node = *failure.node,
                         .accelerators = static_cast<std::int64_t>(failure.ranks.size()),
                         .since_us = world.now_us(),
                         .until_us = until_us,
                         .epoch = job.epoch,
                         .watched = job.control.host.info().agents && !together
                                        ? failure.ranks.without(job.detection.unwatched)
                                        : policies::RankSet()});
    const bool live_on = !until_us || *until_us > world.now_us();
    world.moments.add(live_on ? RareMoment::kStopUnheard : RareMoment::kStopUnanswered);
  }
}

}  // namespace aftershock::sim::world
