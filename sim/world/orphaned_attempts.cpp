#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "sim/core/entry_kind.h"
#include "sim/world/findings.h"
#include "sim/world/machine_faults.h"
#include "sim/world/network_faults.h"
#include "sim/world/orphans.h"
#include "sim/world/peers.h"
#include "sim/world/training.h"
#include "sim/world/world.h"

// Workers that live on behind a cut when their attempt has ended, and what they write.
namespace aftershock::sim::world {

namespace {

using reports::EntityKind;

// When its next checkpoint will be in storage, `from_us` being when the interval before it began;
// none: it takes no more. Their transfers take nothing from those of others.
std::optional<std::int64_t> next_save(OrphanedAttempt& orphan, const scenario::JobSpec& job,
                                      std::int64_t bytes_per_s, std::int64_t from_us) {
  const workload::Pace pace{orphan.workers, job.workers};
  const auto due_us = workload::next_checkpoint_work_us(job, pace, orphan.work_us);
  const auto total_us = workload::last_work_us(job, orphan.began_us);
  if (!due_us || (total_us && *due_us > *total_us)) {
    return std::nullopt;
  }
  const std::int64_t trains_us = workload::time_for(pace, *due_us - orphan.work_us, 0);
  const std::int64_t moves_us =
      job.run.storage ? engine::transfer_length_us(job.checkpoint->bytes, bytes_per_s) : 0;
  orphan.work_us = *due_us;
  return from_us + trains_us + job.checkpoint->blocking_us + moves_us;
}

bool was_training(workload::Stage stage) {
  return stage == workload::Stage::kTraining || stage == workload::Stage::kSnapshot ||
         stage == workload::Stage::kWaitUpload || stage == workload::Stage::kWaitReport;
}

}  // namespace

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
  world.orphans.push_back(
      {.job = job.index,
       .epoch = job.epoch,
       .fault = world.network.cutting(spec(world, job).pool, job.placement.slots.front()),
       .nodes = job.placement.slots,
       .workers = job.workers,
       .began_us = job.training.began_us,
       .work_us = job.training.anchor_work_us,
       .productive_us = job.ledger->productive_us(world.now_us())});
  if (const auto next_us =
          next_save(world.orphans.back(), spec(world, job), write_speed(world, job),
                    (job.broken ? job.breakage.broken_us : world.now_us()) -
                        (work_now(world, job) - job.training.anchor_work_us))) {
    world.core.schedule(core::EntryKind::kOrphanWrites, std::max(world.now_us(), *next_us),
                        {.entity = static_cast<std::uint32_t>(world.orphans.size() - 1)});
  }
}

// A checkpoint of an attempt that was given up arrives in storage.
void orphan_writes(World& world, std::uint32_t index) {
  OrphanedAttempt& orphan = world.orphans[index];
  workload::Job& job = world.jobs[orphan.job];
  orphan.gone =
      orphan.gone || job.stage == workload::Stage::kEnded || !reaches_storage(world, orphan);
  if (orphan.gone) {
    return;
  }
  if (job.stage == workload::Stage::kSelecting || job.stage == workload::Stage::kDownloading) {
    world.moments.add(RareMoment::kSavesWhileRestoring);
  }
  const reports::Entity on{EntityKind::kJob, job.index};
  if (world.scenario().cluster.fencing) {
    // They find out that they are not the newest ones, and end.
    world.core.recorder().instant(world.now_us(), on, "stale_write_refused",
                                  {{"epoch", orphan.epoch}, {"work_us", orphan.work_us}});
    orphan.gone = true;
    std::erase_if(world.zombies, [&](const Zombies& zombies) {
      const bool theirs = zombies.job == orphan.job &&
                          std::ranges::find(orphan.nodes, zombies.node) != orphan.nodes.end();
      if (theirs) {
        account_zombie(world, zombies);
      }
      return theirs;
    });
    return;
  }
  const std::uint32_t id = job.saved.next_checkpoint++;
  world.core.recorder().instant(
      world.now_us(), on, "stale_write",
      {{"epoch", orphan.epoch}, {"checkpoint", id}, {"work_us", orphan.work_us}});
  if (job.control.host.info().commits_checkpoints) {
    job.saved.leftovers.push_back({id, false, world.now_us(), {}});  // nobody commits it
  } else {
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
  if (const auto next_us =
          next_save(orphan, spec(world, job), write_speed(world, job), world.now_us())) {
    world.core.schedule(core::EntryKind::kOrphanWrites, *next_us, {.entity = index});
  }
}

// The attempt is over; on nodes that no command reaches its workers are not.
void leave_behind(World& world, workload::Job& job) {
  const machines::Pool& pool = world.machines.pool(spec(world, job).pool);
  const bool together = std::ranges::any_of(world.orphans, [&](const OrphanedAttempt& orphan) {
    return orphan.job == job.index && orphan.epoch == job.epoch && !orphan.gone;
  });
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
    world.zombies.push_back({.job = job.index,
                             .fault = failure.fault,
                             .node = *failure.node,
                             .accelerators = static_cast<std::int64_t>(failure.ranks.size()),
                             .since_us = world.now_us(),
                             .until_us = timeout_us && !together
                                             ? std::optional(job.breakage.broken_us + *timeout_us)
                                             : std::nullopt});
    const auto& until_us = world.zombies.back().until_us;
    const bool live_on = !until_us || *until_us > world.now_us();
    world.moments.add(live_on ? RareMoment::kStopUnheard : RareMoment::kStopUnanswered);
  }
}

}  // namespace aftershock::sim::world
