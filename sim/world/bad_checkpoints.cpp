#include <algorithm>
#include <utility>

#include "sim/workload/recoveries.h"
#include "sim/world/checkpoint_faults.h"
#include "sim/world/injection.h"
#include "sim/world/starting.h"
#include "sim/world/training.h"
#include "sim/world/world.h"

// Checkpoints that are not what they look like: torn on their way to storage, or unreadable there.
namespace aftershock::sim::world {

namespace {

using reports::Cause;
using reports::EntityKind;

}  // namespace

// The next one that is saved is torn, or the newest one that counts is spoilt.
bool spoil_checkpoint(World& world, std::uint32_t number) {
  workload::Job& job = world.jobs[*world.faults[number].job];
  const bool torn = faults::effect_of(world.scenario(), world.faults[number]).kind ==
                    scenario::FaultKind::kTornCheckpoint;
  workload::Checkpoint* newest = workload::find_checkpoint(job, job.saved.committed);
  const bool saves =
      spec(world, job).checkpoint && spec(world, job).script.saves && !job.armed.torn_upload;
  const bool whole = newest != nullptr && !newest->deleted_by && !newest->unreadable_by;
  if (job.stage == workload::Stage::kEnded || (torn ? !saves : !whole)) {
    return false;
  }
  fire(world, number);
  (torn ? job.armed.torn_upload : newest->unreadable_by) = number;
  return true;
}

// The save is over, and not all of it is in storage: it is not reported, so it never counts, or
// nobody looks.
bool torn_on_its_way(World& world, workload::Job& job, std::uint32_t id) {
  workload::Checkpoint* checkpoint = workload::find_checkpoint(job, id);
  if (!job.armed.torn_upload || checkpoint->state == workload::CheckpointState::kReported) {
    return false;
  }
  const std::uint32_t fault = *std::exchange(job.armed.torn_upload, std::nullopt);
  if (faults::effect_of(world.scenario(), world.faults[fault]).network.found_at_restore) {
    checkpoint->unreadable_by = fault;
    return false;
  }
  world.faults.detect(fault);
  world.core.recorder().instant(world.now_us(), {EntityKind::kJob, job.index}, "checkpoint_torn",
                                {{"checkpoint", id}, {"fault", fault}});
  job.saved.leftovers.push_back({id, true, checkpoint->named_us, {}});
  drop_checkpoint(job, id);
  go_on_after_report(world, job);
  return true;
}

// All of it is there; now it is loaded.
void download_over(World& world, workload::Job& job) {
  job.saved.download = 0;
  const workload::Checkpoint* from =
      workload::find_checkpoint(job, job.from_checkpoint.value_or(0));
  if (from == nullptr || !from->unreadable_by || !spec(world, job).script.resumes) {
    begin_warming_up(world, job);
    return;
  }
  const std::uint32_t fault = *from->unreadable_by;
  world.core.recorder().instant(world.now_us(), {EntityKind::kJob, job.index}, "restore_failed",
                                {{"checkpoint", from->id}, {"fault", fault}});
  if (!spec(world, job).script.falls_back) {
    raise_in(world, job, policies::RankSet::range(0, job.workers), fault,
             "RuntimeError: the checkpoint cannot be read");
    return;
  }
  // To the newest one before it; what only this one held is lost to the fault.
  world.faults.detect(fault);
  const auto before = std::find_if(job.saved.checkpoints.rbegin(), job.saved.checkpoints.rend(),
                                   [&](const workload::Checkpoint& older) {
                                     return older.id < from->id &&
                                            older.state == workload::CheckpointState::kCommitted &&
                                            !older.deleted_by;
                                   });
  const bool found = before != job.saved.checkpoints.rend();
  const std::int64_t step_us = spec(world, job).step_us;
  const std::int64_t kept_us = found ? before->work_us : spec(world, job).initial_steps * step_us;
  job.lost_cause = Cause::fault(fault);
  job.start_cause = job.lost_cause;
  job.ledger->close(world.now_us());
  const std::int64_t moved_us =
      job.ledger->roll_back(found ? before->productive_us : 0, job.lost_cause);
  workload::add_lost(job, moved_us);
  job.account.lost_steps +=
      std::max<std::int64_t>(0, job.training.work_us / step_us - kept_us / step_us);
  world.core.recorder().instant(
      world.now_us(), {EntityKind::kJob, job.index}, "rolled_back",
      {{"from_us", job.training.work_us}, {"to_us", kept_us}, {"lost_us", moved_us}});
  job.training.work_us = kept_us;
  job.from_checkpoint = found ? std::optional(before->id) : std::nullopt;
  // From now on that is the newest one that counts.
  job.saved.committed = found ? before->id : 0;
  job.saved.committed_work_us = found ? kept_us : 0;
  if (found || kept_us > 0) {
    begin_download(world, job);
  } else {
    begin_warming_up(world, job);
  }
}

}  // namespace aftershock::sim::world
