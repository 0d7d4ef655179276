#include <algorithm>
#include <utility>
#include <vector>

#include "sim/core/entry_kind.h"
#include "sim/faults/source.h"
#include "sim/world/failure.h"
#include "sim/world/injection.h"
#include "sim/world/network_faults.h"
#include "sim/world/phases.h"
#include "sim/world/starting.h"
#include "sim/world/training.h"
#include "sim/world/trial_transfers.h"
#include "sim/world/world.h"

// Storages that are out of reach, out of order, or slow.
namespace aftershock::sim::world {

namespace {

using reports::Cause;
using reports::EntityKind;

}  // namespace

void hold_transfer(World& world, workload::Job& job, std::uint32_t fault) {
  if (const network::StorageTrouble* trouble = world.network.outage(*spec(world, job).run.storage);
      trouble != nullptr && trouble->fails) {
    job.armed.held_by.reset();
    if (!job.broken) {
      raise_in(world, job, policies::RankSet::range(0, job.workers), trouble->fault,
               "OSError: storage is not available");
      cancel_transfers(world, job, false);
    }
    return;
  }
  job.armed.held_by = fault;
  if (job.broken) {
    return;
  }
  // Training that waits for the upload waits for the end of the fault.
  if (job.stage == workload::Stage::kWaitUpload) {
    set_phase(world, job, scenario::Phase::kCheckpointing, Cause::fault(fault));
  } else if (job.stage == workload::Stage::kDownloading) {
    set_phase(world, job, scenario::Phase::kRestoring, Cause::fault(fault));
  }
}

// Transfers begin anew: nothing of what had been moved before is made use of.
void take_up_transfers(World& world, workload::Job& job) {
  if (job.broken) {
    return;
  }
  if (const auto blocked = storage_blocked(world, job)) {
    if (job.armed.held_by) {
      hold_transfer(world, job, *blocked);
    }
    return;
  }
  const bool held = std::exchange(job.armed.held_by, std::nullopt).has_value();
  // One that failed, and is tried again in a moment, is not held up.
  if (held && job.saved.uploading != 0 && job.saved.upload == 0) {
    if (job.stage == workload::Stage::kWaitUpload) {
      set_phase(world, job, scenario::Phase::kCheckpointing, Cause::checkpoint());
    }
    send_off(world, job, job.saved.uploading);
  }
  if (job.stage == workload::Stage::kDownloading && job.saved.download == 0) {
    begin_download(world, job);
  }
}

bool trouble_storage(World& world, std::uint32_t number) {
  const std::uint32_t storage = *world.faults[number].storage;
  const scenario::FaultEffect& effect = faults::effect_of(world.scenario(), world.faults[number]);
  const bool out = effect.kind == scenario::FaultKind::kStorageOutage;
  fire(world, number);
  if (const auto lasts_us = faults::draw_lasts(world.scenario(), world.faults[number])) {
    world.core.schedule(core::EntryKind::kStorageBack, world.now_us() + *lasts_us, {.arg = number});
  }
  world.network.begin_trouble(world.core, {.fault = number,
                                           .storage = storage,
                                           .out = out,
                                           .fails = effect.network.transfers_fail,
                                           .factor = effect.network.factor});
  review_transfers(world);
  if (!out) {
    return true;
  }
  // Transfers under way die, and their jobs wait, or raise.
  for (workload::Job& job : world.jobs) {
    // One that waits for the end of another fault waits for this one as well.
    const bool moves = job.saved.upload != 0 || job.saved.download != 0 || job.armed.held_by;
    if (workload::has_processes(job) && spec(world, job).run.storage == storage && moves) {
      cancel_transfers(world, job, true);
      hold_transfer(world, job, number);
    }
  }
  return true;
}

void storage_back(World& world, std::uint32_t number) {
  const network::StorageTrouble ended = world.network.end_trouble(world.core, number);
  review_transfers(world);
  if (!ended.out) {
    return;
  }
  for (workload::Job& job : world.jobs) {
    if (job.armed.held_by && spec(world, job).run.storage == ended.storage) {
      take_up_transfers(world, job);
    }
  }
}

}  // namespace aftershock::sim::world
