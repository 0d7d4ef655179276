#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "sim/world/entries.h"
#include "sim/world/world.h"

// Workers that live on behind a cut when their attempt has ended, and what they write.
namespace aftershock::sim {

namespace {

using reports::EntityKind;

// When its next checkpoint will be in storage, `from_us` being when the interval before it began;
// none: it takes no more. What they move is not put down against the transfers of others.
std::optional<std::int64_t> next_save(Castaways& castaways, const JobSpec& job,
                                      std::int64_t bytes_per_s, std::int64_t from_us) {
  const Pace pace{castaways.workers, job.workers};
  const auto due_us = next_checkpoint_work_us(job, pace, castaways.work_us);
  const auto total_us = total_work_us(job);
  if (!due_us || (total_us && *due_us > *total_us)) {
    return std::nullopt;
  }
  const std::int64_t trains_us = time_for(pace, *due_us - castaways.work_us, 0);
  const std::int64_t moves_us =
      job.run.storage ? transfer_length_us(job.checkpoint->bytes, bytes_per_s) : 0;
  castaways.work_us = *due_us;
  return from_us + trains_us + job.checkpoint->blocking_us + moves_us;
}

bool was_training(Stage stage) {
  return stage == Stage::kTraining || stage == Stage::kSnapshot || stage == Stage::kWaitUpload ||
         stage == Stage::kWaitReport;
}

}  // namespace

// The workers are told to stop. Where none of them hears it, and they see each other, they train
// on.
void World::cast_off(Job& job) {
  if (cuts_.empty() || job.stalled || !was_training(job.stage) ||
      std::ranges::any_of(job.failures, &RankFailure::gone)) {
    return;
  }
  const Pool& pool = pools_[spec(job).pool];
  const bool unheard = std::ranges::all_of(
      job.placement.slots, [&](std::uint32_t node) { return pool.node(node).deaf; });
  if (!unheard || !gang_whole(job)) {
    return;
  }
  castaways_.push_back({.job = job.index,
                        .epoch = job.epoch,
                        .fault = cutting(spec(job).pool, job.placement.slots.front()),
                        .nodes = job.placement.slots,
                        .workers = job.workers,
                        .work_us = job.anchor_work_us,
                        .productive_us = job.ledger->productive_us(now_us_)});
  if (const auto next_us = next_save(
          castaways_.back(), spec(job), write_speed(job),
          (job.broken ? job.broken_us : now_us_) - (work_now(job) - job.anchor_work_us))) {
    calendar_.push(std::max(now_us_, *next_us), EntryClass::kCompletion,
                   static_cast<std::uint16_t>(What::kCastawayWrites),
                   static_cast<std::uint32_t>(castaways_.size() - 1));
  }
}

// A checkpoint of an attempt that was given up arrives in storage.
void World::castaway_writes(std::uint32_t index) {
  Castaways& castaways = castaways_[index];
  Job& job = jobs_[castaways.job];
  castaways.gone = castaways.gone || job.stage == Stage::kEnded || !reaches_storage(castaways);
  if (castaways.gone) {
    return;
  }
  if (job.stage == Stage::kSelecting || job.stage == Stage::kDownloading) {
    moments_.add(RareMoment::kSavesWhileRestoring);
  }
  const reports::Entity on{EntityKind::kJob, job.index};
  if (scenario_->cluster.fencing) {
    // They find out that they are not the newest ones, and end.
    recorder_.instant(now_us_, on, "stale_write_refused",
                      {{"epoch", castaways.epoch}, {"work_us", castaways.work_us}});
    castaways.gone = true;
    std::erase_if(zombies_, [&](const Zombies& zombies) {
      const bool theirs = zombies.job == castaways.job &&
                          std::ranges::find(castaways.nodes, zombies.node) != castaways.nodes.end();
      if (theirs) {
        bury(zombies);
      }
      return theirs;
    });
    return;
  }
  const std::uint32_t id = job.next_checkpoint++;
  recorder_.instant(
      now_us_, on, "stale_write",
      {{"epoch", castaways.epoch}, {"checkpoint", id}, {"work_us", castaways.work_us}});
  if (job.host.info().commits_checkpoints) {
    job.leftovers.push_back({id, false, now_us_, {}});  // nobody commits it
  } else {
    violate("S07", fmt::format("job {}: checkpoint {} was written and counted by attempt {}, which "
                               "had been given up for attempt {}",
                               spec(job).name, id, castaways.epoch, job.epoch));
    // Those under way stay the last ones of the list.
    job.checkpoints.insert(job.checkpoints.end() - static_cast<std::ptrdiff_t>(job.uncommitted),
                           {.id = id,
                            .epoch = castaways.epoch,
                            .state = CheckpointState::kCommitted,
                            .work_us = castaways.work_us,
                            .productive_us = castaways.productive_us,
                            .named_us = now_us_});
    job.committed = id;
    job.committed_work_us = castaways.work_us;
    drop_old_checkpoints(job);
  }
  if (const auto next_us = next_save(castaways, spec(job), write_speed(job), now_us_)) {
    calendar_.push(*next_us, EntryClass::kCompletion,
                   static_cast<std::uint16_t>(What::kCastawayWrites), index);
  }
}

// The attempt is over; on nodes that no command reaches its workers are not.
void World::leave_behind(Job& job) {
  const Pool& pool = pools_[spec(job).pool];
  const bool together = std::ranges::any_of(castaways_, [&](const Castaways& castaways) {
    return castaways.job == job.index && castaways.epoch == job.epoch && !castaways.gone;
  });
  for (const RankFailure& failure : job.failures) {
    if (!failure.node || failure.gone || !pool.node(*failure.node).cut) {
      continue;
    }
    if (!pool.node(*failure.node).deaf) {
      moments_.add(RareMoment::kStopUnanswered);  // they have heard it, and nobody hears of that
      continue;
    }
    // Those who wait for others give up when their collective does.
    const auto& timeout_us = spec(job).collective_timeout_us;
    zombies_.push_back({.job = job.index,
                        .fault = failure.fault,
                        .node = *failure.node,
                        .accelerators = static_cast<std::int64_t>(failure.ranks.size()),
                        .since_us = now_us_,
                        .until_us = timeout_us && !together
                                        ? std::optional(job.broken_us + *timeout_us)
                                        : std::nullopt});
    const auto& until_us = zombies_.back().until_us;
    const bool live_on = !until_us || *until_us > now_us_;
    moments_.add(live_on ? RareMoment::kStopUnheard : RareMoment::kStopUnanswered);
  }
}

}  // namespace aftershock::sim
