#include "sim/world/restart_loops.h"

#include <algorithm>
#include <span>
#include <variant>

#include "sim/core/entry_kind.h"
#include "sim/world/scheduling.h"
#include "sim/world/world.h"

// Jobs that only ever start again, get no further and fail for the same reason: what else is to
// come decides whether they go on.
namespace aftershock::sim::world {

namespace {

bool all_in_restart_loops(const World& world);

// So many attempts that end alike are taken for all that will ever be, where nothing else is to
// come that could change it.
constexpr std::uint32_t kEnoughAttempts = 100;

bool is_constant(const scenario::Distribution& law) {
  return std::holds_alternative<scenario::Distribution::Constant>(law.shape);
}

// A length that is drawn anew might some day let an attempt get further.
bool repeats_exactly(const scenario::PhaseLengths& lengths) {
  return is_constant(lengths.launching) && is_constant(lengths.rendezvous) &&
         is_constant(lengths.restoring) && is_constant(lengths.warming_up) &&
         is_constant(lengths.tearing_down) && is_constant(lengths.finalizing);
}

// The same of the time after which its processes give up, where they are left to that.
bool repeats_exactly(const World& world, const workload::Job& job) {
  const scenario::CollectivesSpec& peers = spec(world, job).collectives;
  const auto constant = [](const std::optional<scenario::Distribution>& law) {
    return !law || is_constant(*law);
  };
  return repeats_exactly(spec(world, job).phases) &&
         repeats_exactly(spec(world, job).restart_phases) &&
         (!job.control.host.info().leaves_peers ||
          (constant(peers.peer_ended) && constant(peers.peer_vanished) &&
           is_constant(peers.gone_after)));
}

// Of a job's own attempt, or of nothing that changes.
bool belongs_to_attempts(const engine::Entry& entry) {
  switch (core::kind_of(entry)) {
    case core::EntryKind::kHorizon:
    case core::EntryKind::kStepReached:
    case core::EntryKind::kStageOver:
    case core::EntryKind::kTransferOver:
    case core::EntryKind::kPlacementLimit:
    case core::EntryKind::kStartFailureSeen:
    case core::EntryKind::kCollectiveTimeout:
    case core::EntryKind::kPeersGiveUp:
    case core::EntryKind::kHangRule:
    case core::EntryKind::kActivityTimeout:
    case core::EntryKind::kCaughtUp:
    case core::EntryKind::kDeliver:
    case core::EntryKind::kPoll:
    case core::EntryKind::kServeQueue:
    case core::EntryKind::kCapacityLook:
    case core::EntryKind::kNoticeSeen:
    case core::EntryKind::kUploadRetry:
    case core::EntryKind::kUploadFailed:
    case core::EntryKind::kPressed:
      return true;
    default:
      return false;
  }
}

bool is_about(const engine::Entry& entry, const workload::Job& job) {
  switch (core::kind_of(entry)) {
    case core::EntryKind::kHorizon:
    case core::EntryKind::kStepReached:
    case core::EntryKind::kTransferOver:
    case core::EntryKind::kServeQueue:
    case core::EntryKind::kPressed:
      return false;
    default:
      return entry.entity == job.index;
  }
}

// Broken, and neither it nor its controller will ever do anything more by itself.
bool stands_still(const workload::Job& job, std::span<const engine::Entry> entries) {
  return job.broken && !job.detection.next_poll_us && job.saved.upload == 0 &&
         job.saved.download == 0 && std::ranges::none_of(entries, [&](const engine::Entry& entry) {
           return is_about(entry, job);
         });
}

}  // namespace

// At every start: whether the attempt before it ended like the one before that. The look at what
// is to come is rare, for it is at all of it.
void count_restart_loop(World& world, workload::Job& job, std::uint32_t workers) {
  workload::RestartLoop& restart_loop = job.restart_loop;
  workload::RestartLoop now;
  now.placed = !job.wait.unplaced;
  if (job.start_cause.is_fault()) {
    now.fault = static_cast<std::uint32_t>(job.start_cause.value);
    now.spec = static_cast<std::int32_t>(world.faults[now.fault].spec);
  }
  now.workers = workers;
  now.nodes_up = world.machines.pool(spec(world, job).pool).nodes_up();
  now.leaks = job.pods.leaks.size();
  now.high_water_us = job.training.high_water_us;
  now.committed_work_us = job.saved.committed_work_us;
  const bool same = now.spec == restart_loop.spec && now.placed == restart_loop.placed &&
                    now.workers == restart_loop.workers && now.nodes_up == restart_loop.nodes_up &&
                    now.leaks == restart_loop.leaks &&
                    now.high_water_us == restart_loop.high_water_us &&
                    now.committed_work_us == restart_loop.committed_work_us;
  if (!same) {
    now.since_us = world.now_us();
    restart_loop = now;
  }
  restart_loop.fault = now.fault;
  restart_loop.attempts += job.attempts > 0 ? 1 : 0;
  // A run with an end of its own shows what comes until then.
  if (restart_loop.attempts % kEnoughAttempts != 0 || restart_loop.attempts == 0 ||
      world.scenario().until_us || !all_in_restart_loops(world)) {
    return;
  }
  for (workload::Job& other : world.jobs) {
    if (other.stage != workload::Stage::kEnded && !other.stuck) {
      give_up_on(world, other.stuck);
    }
  }
}

namespace {

bool all_in_restart_loops(const World& world) {
  const bool jobs_are = std::ranges::all_of(world.jobs, [&](const workload::Job& job) {
    const bool looping = job.restart_loop.attempts >= kEnoughAttempts &&
                         !job.restart_loop.limited && job.armed.upload_errors.empty() &&
                         !job.armed.divergent && repeats_exactly(world, job);
    return job.stage == workload::Stage::kEnded || job.stuck || looping ||
           unschedulable(world, job) || stands_still(job, world.core.calendar().entries());
  });
  const bool experiments_are =
      std::ranges::all_of(world.experiments, [&](const workload::Experiment& one) {
        return one.ended || one.stuck || unschedulable(world, one);
      });
  if (!jobs_are || !experiments_are) {
    return false;
  }
  const bool faults_to_come =
      std::ranges::any_of(world.scenario().faults, [&](const scenario::FaultSpec& fault) {
        const bool waits =
            fault.when &&
            world.jobs[fault.when->job].phase_count[static_cast<std::size_t>(fault.when->phase)] <
                fault.when->nth;
        return fault.source.has_value() || waits;
      });
  return !faults_to_come &&
         std::ranges::all_of(world.core.calendar().entries(), belongs_to_attempts);
}

}  // namespace

}  // namespace aftershock::sim::world
