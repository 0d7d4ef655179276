#include "sim/world/drivers.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "sim/chance/draws.h"
#include "sim/core/entry_kind.h"
#include "sim/drivers/run_name.h"
#include "sim/scenario/faults/fault_catalogue.h"
#include "sim/workload/recoveries.h"
#include "sim/world/controlling.h"
#include "sim/world/experiments.h"
#include "sim/world/failure.h"
#include "sim/world/injection.h"
#include "sim/world/interrupted.h"
#include "sim/world/phases.h"
#include "sim/world/pods.h"
#include "sim/world/scheduling.h"
#include "sim/world/starting.h"
#include "sim/world/stored_runs.h"
#include "sim/world/world.h"

// Heads, and the drivers on them: the processes that start a run's controller and end with it
// (ray.md 1.9).
namespace aftershock::sim::world {

namespace {

std::string driver_lost_reason(const World& world, std::uint32_t fault);

using reports::Cause;
using reports::EntityKind;

}  // namespace

void start_driver(World& world, workload::Job& job) {
  if (job.control.drivers > 0) {
    // Counters and states are in the memory of the process that is gone (ray.md 1.9).
    job.control.host = job.control.initial_host;
  }
  ++job.control.drivers;
  job.control.driver_up = true;
  if (job.control.host.info().watches_nodes) {
    start_control_plane(world, job);
    return;
  }
  const scenario::RunSpec& run = spec(world, job).run;
  const std::string path = drivers::run_path(run, job.index, job.control.drivers);
  std::string key;
  if (!path.empty()) {
    key = drivers::run_key(run, job.index, job.control.drivers, job.control.host.info().name);
  }
  const bool same_name = !key.empty() && key == job.control.run_key;
  // A script that finds its checkpoints by itself does, whoever starts it.
  const bool finds_itself = !job.control.host.info().commits_checkpoints;
  if (!same_name && !finds_itself) {
    forget_run(world, job);  // its files are in another place, where nobody looks
  }
  job.control.run_key = key;
  job.stored.write_stamp = same_name ? job.stored.write_stamp : 0;
  if (!finds_itself) {
    job.saved.committed_work_us = 0;  // the new controller says from where it goes on
  }
  job.control.driver_run = world.driver_runs.begin({.job = job.index,
                                                    .nth = job.control.drivers,
                                                    .run = path,
                                                    .key = key,
                                                    .started_us = world.now_us()});
  std::string durable;
  const bool found = !key.empty() && find_run(world, job);
  if (found) {
    durable = world.stored_runs.find(key)->durable;
  }
  if (!found || !same_name) {
    job.control.torn = {};
    job.stored.persisted = found;
  }
  if (!found && !finds_itself) {
    // Nothing of an earlier run is in this place.
    job.saved.checkpoints.clear();
    job.saved.uncommitted = 0;
    job.saved.committed = 0;
  } else if (const workload::Checkpoint* last =
                 workload::find_checkpoint(job, job.saved.committed)) {
    world.driver_runs[job.control.driver_run].found_steps =
        last->work_us / spec(world, job).step_us;
  }
  world.core.recorder().instant(world.now_us(), {EntityKind::kJob, job.index}, "driver_started",
                                {{"nth", job.control.drivers}, {"found", found ? 1 : 0}});
  set_phase(world, job, scenario::Phase::kDeciding, job.start_cause);
  policies::ControllerStarted started{
      .job = job.index, .durable = std::move(durable), .epoch = job.epoch, .missing = {}};
  for (const workload::Checkpoint& checkpoint : job.saved.checkpoints) {
    if (checkpoint.deleted_by) {
      started.missing.push_back(checkpoint.id);
    }
  }
  world.checker.controller_started(job);
  notify(world, job, std::move(started));
  notify(world, job, policies::JobSubmitted{.job = job.index, .workers = spec(world, job).workers});
}

void end_driver_run(World& world, workload::Controller& control,
                    std::optional<std::uint32_t> fault) {
  if (!std::exchange(control.driver_up, false)) {
    return;
  }
  world.driver_runs.finish(control.driver_run, world.now_us(), fault);
}

namespace {

/// The state that a controller had of its attempt, of which the next one knows nothing.
void forget_attempt(workload::Job& job) {
  job.detection.failures.clear();
  job.broken = false;
  job.breakage.stalled = false;
  job.pods.replacing = false;
  job.pods.recreating = false;
  job.pods.awaits_pods = false;
  job.pods.kept = false;
  job.wait.waiting = false;
  job.pool_watch.notice.reset();
  job.control.pending.clear();
}

}  // namespace

// The controller is gone and its workers with it: Ray's actors do not outlive their owner.
void driver_lost(World& world, workload::Job& job, std::uint32_t fault) {
  if (!job.ledger || job.stage == workload::Stage::kEnded || !job.control.driver_up) {
    return;
  }
  if (interrupted(job.control.pending)) {
    deliver(world, job);
    if (job.stage == workload::Stage::kEnded) {
      return;
    }
  }
  count_again(world, job.stuck);
  const bool kept = !spec(world, job).control_plane.loses_state &&
                    faults::effect_of(world.scenario(), world.faults[fault]).state_kept;
  world.checker.controller_lost(job, kept);
  if (job.control.host.info().watches_nodes) {
    job.stored.platform_state =
        kept ? policies::text_from_json(job.control.host.policy().durable(world.now_us()))
             : std::string();
    if (outlives_control_plane(world, job, kept)) {
      leave_alone(world, job, fault);
      return;
    }
  } else {
    store_run(world, job);
  }
  workload::lose_artifacts(job.saved.artifacts, spec(world, job).run.sync_period_us,
                           world.now_us());
  end_driver_run(world, job.control, fault);
  if (job.aborting) {
    end_job(world, job, workload::Outcome::kAborted, "stopped_by_user");
    return;
  }
  const Cause cause = Cause::fault(fault);
  const bool worked = workload::has_processes(job);
  if (worked && !job.broken) {
    break_attempt(world, job, fault);
  } else {
    workload::open_recovery(job, fault, world.now_us());
    job.start_cause = cause;
    job.lost_cause = worked ? cause : job.lost_cause;
  }
  if (worked || job.stage == workload::Stage::kTearingDown) {
    hold_work(world, job);
  }
  world.queue.leave(job.index);
  if (job.holding) {
    world.machines.pool(spec(world, job).pool).release(job.placement, world.now_us());
    job.holding = false;
  }
  free_leaks(world, job, std::nullopt);
  forget_attempt(job);
  stop_watching(world, job);
  if (job.attempt_span != 0) {
    world.core.recorder().end(world.now_us(), std::exchange(job.attempt_span, 0));
  }
  enter_stage(world, job, workload::Stage::kNone, std::nullopt);
  world.core.schedule(core::EntryKind::kServeQueue, world.now_us(),
                      {.entity = spec(world, job).pool});
  set_phase(world, job, scenario::Phase::kControllerDown, cause);
  if (!world.heads.returns(spec(world, job).head)) {
    end_job(world, job, workload::Outcome::kFailed, driver_lost_reason(world, fault));
  }
}

bool head_down(World& world, std::uint32_t number) {
  const std::uint32_t index = *world.faults[number].head;
  if (!world.heads.up(index)) {
    return false;
  }
  fire(world, number);
  lose_head(world, index, number, 0);
  return true;
}

// Restarts begin when it could run again.
void lose_head(World& world, std::uint32_t index, std::uint32_t number, std::int64_t dark_us) {
  const auto& restart = world.scenario().cluster.heads[index].restart;
  std::int64_t back_us = world.now_us();
  const auto nth = world.heads.lose(index, restart);
  if (nth) {
    // By the number of the restart: how long one takes does not depend on when the head was lost.
    const chance::RandomKey key{world.scenario().seed, world.core.branch(),
                                chance::RandomSource::kHead,
                                chance::named(world.scenario().cluster.heads[index].name)};
    back_us =
        world.now_us() + dark_us +
        chance::draw_us(restart->after, chance::RandomDraw(key, *nth, chance::Purpose::kRepair));
    world.core.schedule(core::EntryKind::kHeadBack, back_us, {.entity = index});
  }
  world.core.recorder().instant(world.now_us(), {EntityKind::kHead, index}, "down",
                                {{"fault", number}});
  for (workload::Job& job : world.jobs) {
    if (!on_head(world, job)) {
      continue;  // nor are its pods the head's
    }
    if (spec(world, job).head == index) {
      const bool crashed =
          job.control.drivers > 0 && !job.control.driver_up && job.stage != workload::Stage::kEnded;
      driver_lost(world, job, number);
      if (crashed && !nth) {  // its policy was to be started again here
        end_job(world, job, workload::Outcome::kFailed, driver_lost_reason(world, number));
      }
      if (nth && job.ledger && job.stage != workload::Stage::kEnded) {
        constexpr std::int64_t kSlackUs = 60'000'000;
        world.checker.expect(job, invariants::DeadlineKind::kDecides, back_us + kSlackUs);
      }
    } else if (world.scenario().cluster.workers_die_with_head &&
               !job.control.host.info().watches_nodes && workload::has_processes(job)) {
      // A head may take the workers of the whole cluster with it, also those whose driver lives on
      // another: their controller sees them die.
      detection::RankFailure failure;
      failure.ranks = policies::RankSet::range(0, job.workers);
      failure.kind = policies::WorkerFailure::kNodeLost;
      failure.visible_us = world.now_us();
      failure.fault = number;
      fail_ranks(world, job, std::move(failure));
    }
  }
  for (workload::Experiment& experiment : world.experiments) {
    if (spec(world, experiment).head != index || !experiment.control.driver_up) {
      continue;
    }
    experiment_driver_lost(world, experiment, number);
    if (!nth) {
      end_experiment(world, experiment, workload::Outcome::kFailed,
                     driver_lost_reason(world, number));
    }
  }
}

namespace {

std::string driver_lost_reason(const World& world, std::uint32_t fault) {
  return fmt::format(
      "unrecoverable(driver lost: {})",
      scenario::name_of(faults::effect_of(world.scenario(), world.faults[fault]).kind));
}

}  // namespace

void head_back(World& world, std::uint32_t head) {
  world.heads.restore(head);
  world.core.recorder().instant(world.now_us(), {EntityKind::kHead, head}, "up");
  for (workload::Job& job : world.jobs) {
    if (spec(world, job).head == head && on_head(world, job) && job.ledger &&
        job.stage != workload::Stage::kEnded && !job.control.driver_up) {
      start_driver(world, job);
    }
  }
  for (workload::Experiment& experiment : world.experiments) {
    if (spec(world, experiment).head == head) {
      experiment_driver_started(world, experiment);
    }
  }
}

}  // namespace aftershock::sim::world
