#include <algorithm>
#include <utility>
#include <vector>

#include "sim/core/entry_kind.h"
#include "sim/workload/recoveries.h"
#include "sim/workload/unmounting.h"
#include "sim/world/agents.h"
#include "sim/world/controlling.h"
#include "sim/world/draining.h"
#include "sim/world/drivers.h"
#include "sim/world/failure.h"
#include "sim/world/findings.h"
#include "sim/world/holdings.h"
#include "sim/world/liveness.h"
#include "sim/world/orphaned_attempts.h"
#include "sim/world/phases.h"
#include "sim/world/pods.h"
#include "sim/world/refusal.h"
#include "sim/world/scheduling.h"
#include "sim/world/starting.h"
#include "sim/world/training.h"
#include "sim/world/world.h"

// How an attempt is stopped.
namespace aftershock::sim::world {

using reports::Cause;
using reports::EntityKind;

// The attempt does nothing more: accounts for what it did and lets go of what nobody will finish.
void hold_work(World& world, workload::Job& job) {
  end_drain(world, job);
  if (job.stage == workload::Stage::kTraining && !job.broken) {
    close_segment(world, job);
  }
  cancel_transfers(world, job, false);
  job.armed.held_by.reset();
  if (job.detection.report_slot != 0) {
    world.core.recorder().end(world.now_us(), job.saved.commit_span);
    leave_instance(world, job, scenario::Phase::kCommitting);
  }
  job.detection.report_slot = 0;
  job.detection.report_waiting = 0;
  job.saved.uploading = 0;
  job.detection.returned_visible_us.reset();
  job.training.catching_up = false;
  // There may be thousands of committed ones before the few that are not.
  for (std::size_t at = job.saved.checkpoints.size(); job.saved.uncommitted > 0; --at) {
    if (const workload::Checkpoint& dropped = job.saved.checkpoints[at - 1];
        dropped.state != workload::CheckpointState::kCommitted) {
      if (dropped.state == workload::CheckpointState::kReported) {
        job.saved.leftovers.push_back({dropped.id, false, dropped.named_us, {}});
      }
      job.saved.checkpoints.erase(job.saved.checkpoints.begin() +
                                  static_cast<std::ptrdiff_t>(at - 1));
      --job.saved.uncommitted;
    }
  }
  job.detection.watch.reset();
  plan_poll(world, job);
}

namespace {

void stop_healthy(World& world, workload::Job& job);

// The processes of an attempt get the grace that the command gives, where some of them still can
// use it, and their containers take what the volumes need to unmount.
void stop_processes(World& world, workload::Job& job, const policies::StopWorkers& command) {
  job.stop_asked_us = world.now_us();
  // Live ranks that hang or are cut off do not end when they are asked: the whole grace goes by.
  // Where the platform watches the nodes, processes on one that it has declared dead are dead to
  // it (Ray's actors): nobody waits for them. An agent waits for the workers of its own node.
  const machines::Pool& pool = world.machines.pool(spec(world, job).pool);
  const policies::PolicyInfo& info = job.control.host.info();
  const bool patient =
      std::ranges::any_of(job.detection.failures, [&](const detection::RankFailure& failure) {
        const bool declared =
            !info.watches_nodes && failure.node && pool.node(*failure.node).known_down;
        const bool apart = failure.node && info.agents;
        return !failure.gone && !failure.answers && !declared && !apart;
      });
  const std::int64_t asked_us =
      draw_phase(world, job, lengths(world, job).tearing_down, chance::Purpose::kTearingDown);
  std::int64_t length_us = asked_us;
  if (!command.force) {
    length_us = patient ? command.grace_us : std::min(command.grace_us, asked_us);
  }
  const std::size_t leaving = pods_leaving(world, job, command);
  job.pods.kept = command.keep_containers;
  job.pods.podless.add(command.leaving);
  if (job.ordering && job.ordering->teardown) {
    job.ordering->teardown->stopped_us = length_us;
  }
  length_us = workload::unmounted_after_us(spec(world, job).volumes, leaving, command, length_us);
  if (!job.broken && (!job.training.ending || job.detection.alarmed)) {
    stop_healthy(world, job);
  }
  // Before the work is let go of: an attempt that nobody can stop goes on from it.
  orphan_attempt(world, job);
  hold_work(world, job);
  if (length_us > 0) {
    set_phase(world, job, scenario::Phase::kTearingDown,
              job.broken || !job.training.ending ? job.start_cause : Cause::policy());
  }
  enter_stage(world, job, workload::Stage::kTearingDown, length_us);
}

}  // namespace

void stop_workers(World& world, workload::Job& job, const policies::StopWorkers& command) {
  if (command.epoch != job.epoch) {
    refuse(world, job, command.id, policies::CommandError::kStaleEpoch);
    return;
  }
  if (job.stage == workload::Stage::kTearingDown && job.pods.kept && !command.keep_containers) {
    take_containers_too(world, job, command);
    return;
  }
  if (job.stage == workload::Stage::kTearingDown || job.stage == workload::Stage::kEnded) {
    refuse(world, job, command.id, policies::CommandError::kIllegalState);
    return;
  }
  if (job.pods.recreating) {
    // It waits for nodes for some pods; the containers of all others are there.
    world.queue.leave(job.index);
    enter_stage(world, job, workload::Stage::kNone, std::nullopt);
    set_phase(world, job, scenario::Phase::kDeciding, job.start_cause);
    world.core.recorder().end(world.now_us(), job.attempt_span);
    job.attempt_span = 0;
    job.pods.recreating = false;
    job.pods.kept = true;
    job.pods.stopped_unplaced = true;
  }
  if (job.pods.kept && (!command.keep_containers || !command.leaving.empty())) {
    remove_containers(world, job, command);
    return;
  }
  if (job.pods.replacing && job.stage == workload::Stage::kQueued) {
    stop_survivors(world, job, command);
    return;
  }
  if (!workload::has_processes(job)) {
    const bool asked = job.stage == workload::Stage::kQueued;
    world.queue.leave(job.index);
    enter_stage(world, job, workload::Stage::kNone, std::nullopt);
    notify(world, job,
           policies::WorkersStopped{.job = job.index,
                                    .epoch = job.epoch,
                                    .unreachable = {},
                                    .error = {},
                                    .unplaced = std::exchange(job.pods.stopped_unplaced, false),
                                    .released = asked ? std::vector{policies::GivenBack::kRequest}
                                                      : std::vector<policies::GivenBack>()});
    return;
  }
  stop_processes(world, job, command);
}

namespace {

// Nothing is broken: it makes way for a user, for a node that is going to be taken, or for an
// attempt of another size; or it was taken for hung.
void stop_healthy(World& world, workload::Job& job) {
  const auto fault = job.armed.interrupt ? job.armed.interrupt : job.pool_watch.notice;
  if (fault) {
    job.start_cause = Cause::fault(*fault);
  } else if (job.detection.alarmed) {
    job.start_cause = Cause::policy();
  } else if (!job.detection.start_failure_told) {
    job.start_cause = Cause::resize();
  }
  job.lost_cause = workload::starting(job) ? job.lost_cause : job.start_cause;
  if (fault && (job.account.recoveries.empty() || job.account.recoveries.back().fault != *fault)) {
    workload::open_recovery(job, *fault, world.now_us()).detected_us = world.now_us();
  }
}

}  // namespace

// A user has asked for it: what runs is given its time to stop, and no more. A stop that is under
// way has been given its own.
void expect_end(World& world, const workload::Job& job) {
  constexpr std::int64_t kSlackUs = 60'000'000;
  const scenario::JobSpec& job_spec = spec(world, job);
  const std::int64_t stop_us = std::max(longest_us(job_spec.phases.tearing_down),
                                        longest_us(job_spec.restart_phases.tearing_down));
  const auto pods = static_cast<std::int64_t>(job.placement.slots.size());
  const std::int64_t unmount_us = job_spec.volumes.unmount_us + job_spec.volumes.per_pod_us * pods;
  const bool stops = job.stage == workload::Stage::kTearingDown && job.stage_end_us;
  const std::int64_t begins_us = stops ? *job.stage_end_us : world.now_us();
  world.checker.expect(job, invariants::DeadlineKind::kStops,
                       begins_us + stop_us + unmount_us + kSlackUs);
}

void torn_down(World& world, workload::Job& job) {
  machines::Pool& pool = world.machines.pool(spec(world, job).pool);
  policies::RankSet unreachable;
  for (const detection::RankFailure& failure : job.detection.failures) {
    if (failure.node && !failure.gone && pool.node(*failure.node).cut) {
      unreachable.add(failure.ranks);
    }
  }
  const bool all_watched = job.detection.unwatched.empty();
  if (!all_watched) {
    unreachable.add(orphaned(job));
  }
  // While failures and nodes are known still: both are forgotten below.
  leave_behind(world, job);
  if (!all_watched) {
    leave_orphans(world, job);
  }
  check_removed(world, job);
  std::vector released{policies::GivenBack::kProcesses};
  if (!job.pods.kept) {
    if (!all_watched) {
      leave_nodes(world, job);
    }
    pool.release(job.placement, world.now_us());
    job.holding = false;
    released.push_back(policies::GivenBack::kPlacement);
    record_holdings(world, job);
  }
  job.pods.replacing = false;
  job.detection.failures.clear();
  job.broken = false;
  job.breakage.stalled = false;
  if (job.attempt_span != 0) {
    world.core.recorder().end(world.now_us(), std::exchange(job.attempt_span, 0));
  }
  enter_stage(world, job, workload::Stage::kNone, std::nullopt);
  if (job.aborting) {
    end_job(world, job, workload::Outcome::kAborted, "stopped_by_user");
    return;
  }
  set_phase(world, job,
            left_alone(job) ? scenario::Phase::kControllerDown : scenario::Phase::kDeciding,
            job.ledger->cause());
  policies::WorkersStopped stopped{.job = job.index,
                                   .epoch = job.epoch,
                                   .unreachable = std::move(unreachable),
                                   .error = {},
                                   .unplaced = std::exchange(job.pods.stopped_unplaced, false),
                                   .released = std::move(released)};
  if (const auto fault = std::exchange(job.armed.shutdown_error, std::nullopt)) {
    world.faults.detect(*fault);
    stopped.error = faults::effect_of(world.scenario(), world.faults[*fault]).error;
  }
  notify(world, job, std::move(stopped));
  world.core.schedule(core::EntryKind::kServeQueue, world.now_us(),
                      {.entity = spec(world, job).pool});
}

}  // namespace aftershock::sim::world
