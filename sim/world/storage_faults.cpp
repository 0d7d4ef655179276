#include <algorithm>
#include <utility>
#include <vector>

#include "sim/faults/source.h"
#include "sim/world/entries.h"
#include "sim/world/network_trouble.h"

// Storages that are out of reach, out of order, or slow.
namespace aftershock::sim {

namespace {

using reports::Cause;
using reports::EntityKind;

// Several that slow a storage down, slow each other's rest down.
std::int64_t speed_of(std::int64_t bytes_per_s, std::uint32_t storage,
                      const std::vector<StorageTrouble>& troubles) {
  double factor = 1;
  for (const StorageTrouble& trouble : troubles) {
    factor *= trouble.storage == storage ? trouble.factor : 1;
  }
  return std::max<std::int64_t>(
      1, static_cast<std::int64_t>(static_cast<double>(bytes_per_s) / factor));
}

void set_speed(Playable& world, const ClusterSpec& cluster, std::uint32_t storage,
               const std::vector<StorageTrouble>& troubles) {
  const StorageSpec& whole = cluster.storage[storage];
  const auto set = [&](std::uint32_t resource, std::int64_t bytes_per_s) {
    world.transfers().set_capacity(world.calendar(), world.now_us(), resource,
                                   speed_of(bytes_per_s, storage, troubles));
  };
  set(storage * 2, whole.read_bytes_per_s);
  set(storage * 2 + 1, whole.write_bytes_per_s);
}

}  // namespace

void NetworkTrouble::hold_transfer(Job& job, std::uint32_t fault) {
  if (const StorageTrouble* trouble = world_.outage(*world_.spec(job).run.storage);
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
  world_.faults_[number].fired = true;
  world_.record_fault(number);
  world_.troubles_.push_back({.fault = number,
                              .storage = storage,
                              .out = out,
                              .fails = effect.network.transfers_fail,
                              .factor = effect.network.factor});
  if (const auto lasts_us = world_.draw_lasts(world_.faults_[number])) {
    world_.calendar_.push(world_.now_us_ + *lasts_us, EntryClass::kFault,
                          static_cast<std::uint16_t>(What::kStorageBack), 0, 0, number);
  }
  if (!out) {
    set_speed(world_, world_.scenario_->cluster, storage, world_.troubles_);
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
  const auto trouble = std::ranges::find(world_.troubles_, number, &StorageTrouble::fault);
  const StorageTrouble ended = *trouble;
  world_.troubles_.erase(trouble);
  world_.recorder_.instant(world_.now_us_, {EntityKind::kStorage, ended.storage}, "storage_back",
                           {{"fault", number}});
  if (!ended.out) {
    set_speed(world_, world_.scenario_->cluster, ended.storage, world_.troubles_);
    return;
  }
  for (Job& job : world_.jobs_) {
    if (job.held_by && world_.spec(job).run.storage == ended.storage) {
      take_up_transfers(job);
    }
  }
}

}  // namespace aftershock::sim
