#include <algorithm>
#include <utility>
#include <vector>

#include "sim/core/entry_kind.h"
#include "sim/faults/source.h"
#include "sim/world/network_trouble.h"

// Storages that are out of reach, out of order, or slow.
namespace aftershock::sim {

namespace {

using reports::Cause;
using reports::EntityKind;

}  // namespace

void NetworkTrouble::hold_transfer(Job& job, std::uint32_t fault) {
  if (const StorageTrouble* trouble = world_.network_.outage(*world_.spec(job).run.storage);
      trouble != nullptr && trouble->fails) {
    job.held_by.reset();
    if (!job.broken) {
      world_.raise_in(job, policies::RankSet::range(0, job.workers), trouble->fault,
                      "OSError: storage is not available");
      world_.cancel_transfers(job, false);
    }
    return;
  }
  job.held_by = fault;
  if (job.broken) {
    return;
  }
  // Who waits for it, waits for what the fault holds up.
  if (job.stage == Stage::kWaitUpload) {
    world_.set_phase(job, Phase::kCheckpointing, Cause::fault(fault));
  } else if (job.stage == Stage::kDownloading) {
    world_.set_phase(job, Phase::kRestoring, Cause::fault(fault));
  }
}

// Transfers begin anew: nothing of what had been moved before is made use of.
void NetworkTrouble::take_up_transfers(Job& job) {
  if (job.broken) {
    return;
  }
  if (const auto blocked = world_.storage_blocked(job)) {
    if (job.held_by) {
      hold_transfer(job, *blocked);
    }
    return;
  }
  const bool held = std::exchange(job.held_by, std::nullopt).has_value();
  // One that failed, and is tried again in a moment, is not held up.
  if (held && job.uploading != 0 && job.upload == 0) {
    if (job.stage == Stage::kWaitUpload) {
      world_.set_phase(job, Phase::kCheckpointing, Cause::checkpoint());
    }
    world_.send_off(job, job.uploading);
  }
  if (job.stage == Stage::kDownloading && job.download == 0) {
    world_.begin_download(job);
  }
}

bool NetworkTrouble::trouble_storage(std::uint32_t number) {
  const std::uint32_t storage = *world_.faults_[number].storage;
  const FaultEffect& effect = world_.effect_of(world_.faults_[number]);
  const bool out = effect.kind == FaultKind::kStorageOutage;
  world_.fire(number);
  if (const auto lasts_us = draw_lasts(world_.core_.scenario(), world_.faults_[number])) {
    world_.core_.schedule(EntryKind::kStorageBack, world_.core_.now_us() + *lasts_us,
                          {.arg = number});
  }
  world_.network_.begin_trouble(world_.core_, {.fault = number,
                                               .storage = storage,
                                               .out = out,
                                               .fails = effect.network.transfers_fail,
                                               .factor = effect.network.factor});
  if (!out) {
    return true;
  }
  // What is under way dies, and what it was for waits, or raises.
  for (Job& job : world_.jobs_) {
    const bool moves = job.upload != 0 || job.download != 0 || job.held_by;
    if (has_processes(job) && world_.spec(job).run.storage == storage && moves) {
      world_.cancel_transfers(job, true);
      hold_transfer(job, number);
    }
  }
  return true;
}

void NetworkTrouble::storage_back(std::uint32_t number) {
  const StorageTrouble ended = world_.network_.end_trouble(world_.core_, number);
  if (!ended.out) {
    return;
  }
  for (Job& job : world_.jobs_) {
    if (job.held_by && world_.spec(job).run.storage == ended.storage) {
      take_up_transfers(job);
    }
  }
}

}  // namespace aftershock::sim
