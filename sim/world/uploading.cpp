#include <algorithm>
#include <array>
#include <utility>

#include "base/assert.h"
#include "sim/chance/draws.h"
#include "sim/core/entry_kind.h"
#include "sim/world/failure.h"
#include "sim/world/injection.h"
#include "sim/world/phases.h"
#include "sim/world/starting.h"
#include "sim/world/training.h"
#include "sim/world/world.h"

// The way of a checkpoint to storage, and what may stop it (ray.md 1.8).
namespace aftershock::sim::world {

namespace {

// Errors of AWS after which Ray uploads once more; anything else is raised at once.
constexpr std::array<std::string_view, 5> kWorthARetry{
    "AWS Error INTERNAL_FAILURE", "AWS Error NETWORK_CONNECTION", "AWS Error SLOW_DOWN",
    "AWS Error UNKNOWN (HTTP status 503)", "AWS Error SERVICE_UNAVAILABLE"};
constexpr std::uint32_t kMostTries = 3;

bool worth_a_retry(std::string_view error) {
  return std::ranges::any_of(kWorthARetry, [error](std::string_view known) {
    return error.find(known) != std::string_view::npos;
  });
}

// About a second before the second try and two before the third, up to a fifth more or less.
std::int64_t sleep_us(std::uint32_t nth, const chance::RandomDraw& draw) {
  constexpr double kSecondUs = 1e6;
  const double factor = 0.8 + 0.4 * chance::draw_unit(draw);
  return static_cast<std::int64_t>(kSecondUs * nth * factor);
}

}  // namespace

void send_off(World& world, workload::Job& job, std::uint32_t id) {
  if (!spec(world, job).run.storage || spec(world, job).checkpoint->bytes == 0) {
    job.saved.uploading = 0;
    report(world, job, id);
  } else {
    begin_upload(world, job, *workload::find_checkpoint(job, id));
  }
}

// Whether something stands in the way of the checkpoint's upload; what becomes of it then is
// arranged for.
bool upload_fails(World& world, workload::Job& job, workload::Checkpoint& checkpoint) {
  // With a local path the driver's node alone has the marker, and report() raises on the others
  // (ray.md 1.8).
  if (job.armed.unshared && job.placement.slots.size() > 1) {
    raise_in(world, job, policies::RankSet::range(0, job.workers), *job.armed.unshared,
             "RuntimeError: unable to set up cluster storage: its marker is not there");
    return true;
  }
  if (const auto& storage = spec(world, job).run.storage;
      storage && spec(world, job).checkpoint->bytes > 0) {
    if (const network::StorageTrouble* trouble = world.network.outage(*storage);
        trouble != nullptr && trouble->fails) {
      raise_in(world, job, policies::RankSet::range(0, job.workers), trouble->fault,
               "OSError: storage is not available");
      return true;
    }
  }
  const machines::Pool& pool = world.machines.pool(spec(world, job).pool);
  for (std::uint32_t slot = 0; pool.full_disks() > 0 && slot < job.placement.slots.size(); ++slot) {
    if (const auto& full = pool.node(job.placement.slots[slot]).full_disk) {
      raise_in(world, job, ranks_on(world, job, slot), *full, "OSError: no space left on device");
      return true;
    }
  }
  if (job.armed.upload_errors.empty()) {
    return false;
  }
  workload::ArmedFault& next = job.armed.upload_errors.front();
  const std::uint32_t tries = worth_a_retry(next.error) ? kMostTries : 1;
  const std::uint32_t failed = std::min(next.times, tries);
  const bool given_up = failed == tries;
  std::int64_t delay_us = 0;
  for (std::uint32_t nth = 1; nth <= failed - (given_up ? 1U : 0U); ++nth) {
    const chance::RandomKey key{world.scenario().seed, job.branch, chance::RandomSource::kJob,
                                chance::named(spec(world, job).name)};
    delay_us +=
        sleep_us(nth, chance::RandomDraw(key, std::uint64_t{checkpoint.id} * kMostTries + nth,
                                         chance::Purpose::kUploadRetry));
  }
  world.core.schedule(given_up ? core::EntryKind::kUploadFailed : core::EntryKind::kUploadRetry,
                      world.now_us() + delay_us,
                      {.entity = job.index,
                       .epoch = job.epoch,
                       .arg = given_up ? std::int64_t{next.fault} : std::int64_t{checkpoint.id}});
  next.times -= failed;
  if (next.times == 0 || given_up) {
    job.armed.upload_errors.erase(job.armed.upload_errors.begin());
  }
  checkpoint.state = workload::CheckpointState::kUploading;
  job.saved.uploading = checkpoint.id;
  if (spec(world, job).checkpoint->async_upload) {
    go_on_after_checkpoint(world, job);
  } else {
    set_phase(world, job, scenario::Phase::kCheckpointing, reports::Cause::checkpoint());
    enter_stage(world, job, workload::Stage::kWaitUpload, std::nullopt);
  }
  return true;
}

void retry_upload(World& world, workload::Job& job, std::uint32_t id) {
  const workload::Checkpoint* checkpoint = workload::find_checkpoint(job, id);
  if (checkpoint == nullptr || checkpoint->state != workload::CheckpointState::kUploading ||
      job.saved.upload != 0) {
    return;
  }
  if (job.broken) {
    job.armed.held_by = job.armed.held_by.value_or(
        job.breakage.broken_fault);  // until its attempt goes on, if it does
  } else {
    send_off(world, job, id);
  }
}

// In the thread that trains, whether it waits for the upload or is on with the next step.
void upload_failed(World& world, workload::Job& job, std::uint32_t fault) {
  if (job.broken) {
    if (job.saved.uploading != 0 && job.saved.upload == 0) {
      job.armed.held_by = job.armed.held_by.value_or(job.breakage.broken_fault);
    }
    return;
  }
  const std::uint32_t rank = std::min(world.faults[fault].rank, job.workers - 1);
  raise_in(world, job, policies::RankSet::range(rank, rank + 1), fault,
           faults::effect_of(world.scenario(), world.faults[fault]).error);
  cancel_transfers(world, job, false);
}

}  // namespace aftershock::sim::world
