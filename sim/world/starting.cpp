#include "sim/world/starting.h"

#include <algorithm>
#include <variant>

#include "base/assert.h"
#include "sim/chance/draws.h"
#include "sim/core/entry_kind.h"
#include "sim/workload/recoveries.h"
#include "sim/world/agents.h"
#include "sim/world/checkpoint_faults.h"
#include "sim/world/controlling.h"
#include "sim/world/devices.h"
#include "sim/world/drivers.h"
#include "sim/world/failure.h"
#include "sim/world/injection.h"
#include "sim/world/machine_faults.h"
#include "sim/world/network_faults.h"
#include "sim/world/peers.h"
#include "sim/world/phases.h"
#include "sim/world/pods.h"
#include "sim/world/refusal.h"
#include "sim/world/restart_loops.h"
#include "sim/world/scheduling.h"
#include "sim/world/training.h"
#include "sim/world/world.h"

// From a start command to the first step.
namespace aftershock::sim::world {

namespace {

using reports::Cause;
using reports::EntityKind;
using workload::Job;
using workload::Stage;

void begin_rendezvous(World& world, Job& job);
void begin_running(World& world, Job& job);

}  // namespace

void submit(World& world, Job& job) {
  job.ledger.emplace(world.now_us(), reports::Bucket::kDeciding, Cause::first_start(),
                     spec(world, job).workers);
  job.training.work_us = spec(world, job).initial_steps * spec(world, job).step_us;
  job.training.high_water_us = job.training.work_us;
  const std::uint32_t head = spec(world, job).head;
  if (world.heads.up(head) || !on_head(world, job)) {
    start_driver(world, job);
    return;
  }
  set_phase(world, job, scenario::Phase::kControllerDown, Cause::first_start());
  if (!world.heads.returns(head)) {
    end_job(world, job, workload::Outcome::kFailed, "unrecoverable(no head to run its driver)");
  }
}

const scenario::PhaseLengths& lengths(const World& world, const Job& job) {
  // By launches and not by attempts: one that got no nodes has started nothing.
  return job.account.launches <= 1 ? spec(world, job).phases : spec(world, job).restart_phases;
}

std::int64_t draw_phase(const World& world, const Job& job, const scenario::Distribution& law,
                        chance::Purpose purpose) {
  // Most phases take a fixed time, for which no numbers are made.
  const auto* fixed = std::get_if<scenario::Distribution::Constant>(&law.shape);
  if (fixed != nullptr && !law.min_us && !law.max_us) {
    return fixed->value_us;
  }
  const chance::RandomKey key{world.scenario().seed, job.branch, chance::RandomSource::kJob,
                              chance::named(spec(world, job).name)};
  return chance::draw_us(law, chance::RandomDraw(key, job.attempts, purpose));
}

void enter_stage(World& world, Job& job, Stage stage, std::optional<std::int64_t> length_us) {
  ++job.stage_epoch;
  job.stage = stage;
  job.stage_end_us.reset();
  if (length_us) {
    job.stage_end_us = world.now_us() + *length_us;
    world.core.schedule(core::EntryKind::kStageOver, *job.stage_end_us,
                        {.entity = job.index, .epoch = job.stage_epoch});
  }
  world.checker.staged(job);
  watch_activity(world, job);
}

void stage_over(World& world, Job& job) {
  switch (job.stage) {
    case Stage::kLaunching:
      begin_rendezvous(world, job);
      break;
    case Stage::kRendezvous:
      begin_running(world, job);
      break;
    case Stage::kSelecting:
      begin_download(world, job);
      break;
    case Stage::kWarmingUp:
      begin_training(world, job);
      break;
    case Stage::kTraining:
      segment_over(world, job);
      break;
    case Stage::kSnapshot:
      snapshot_over(world, job);
      break;
    case Stage::kFinalizing:
      returned(world, job);
      break;
    case Stage::kTearingDown:
      torn_down(world, job);
      break;
    case Stage::kNone:
    case Stage::kQueued:
    case Stage::kDownloading:
    case Stage::kWaitUpload:
    case Stage::kWaitReport:
    case Stage::kReturned:
    case Stage::kEnded:
      AFTERSHOCK_ASSERT(false && "a stage without a length cannot be over");
  }
}

// Every attempt begins so, whatever it keeps of the one before.
void open_attempt(World& world, Job& job, policies::Epoch epoch,
                  const reports::Recorder::Value& about) {
  job.epoch = epoch;
  ++job.attempts;
  // Lengths of this attempt stay those of the branch in which it began (take_branch()).
  job.branch = world.core.branch();
  job.detection.late_failures.clear();
  job.detection.start_failure_told = false;
  if (job.start_cause.is_fault()) {
    world.faults.cause_restart(static_cast<std::size_t>(job.start_cause.value));
  }
  job.attempt_span = world.core.recorder().begin(world.now_us(), {EntityKind::kJob, job.index},
                                                 "attempt", {{"epoch", job.epoch}, about});
}

// And what it does where no process of the one before is left.
void begin_anew(Job& job) {
  job.pool_watch.notice.reset();
  job.pods.healings = 0;
  job.armed.interrupt.reset();
  job.detection.start_stage.reset();
  job.training.ending = false;
}

// Served when all that ask in this microsecond have asked, so that priority decides among them.
void queue_up(World& world, Job& job, std::optional<std::int64_t> placement_wait_us) {
  enter_stage(world, job, Stage::kQueued, std::nullopt);
  job.wait.placement_wait_us = placement_wait_us;
  job.wait.waiting = false;
  join_queue(world, job);
  world.core.schedule(core::EntryKind::kServeQueue, world.now_us(),
                      {.entity = spec(world, job).pool});
}

void start_attempt(World& world, Job& job, const policies::StartAttempt& command) {
  if (command.epoch <= job.epoch) {
    refuse(world, job, command.id, policies::CommandError::kStaleEpoch);
    return;
  }
  // Ray does not shut down a group whose start failed late, and asks for another one beside it
  // (ray.md 1.5).
  const bool left_behind =
      workload::starting(job) && job.broken && job.detection.start_failure_told;
  if ((job.stage != Stage::kNone && !left_behind) || job.pods.kept || command.workers == 0 ||
      command.workers > spec(world, job).workers) {
    refuse(world, job, command.id, policies::CommandError::kIllegalState);
    return;
  }
  if (command.from) {
    const workload::Checkpoint* checkpoint = workload::find_checkpoint(job, *command.from);
    if (checkpoint == nullptr || checkpoint->state != workload::CheckpointState::kCommitted) {
      refuse(world, job, command.id, policies::CommandError::kUnknownTarget);
      return;
    }
  }
  count_restart_loop(world, job, command.workers);
  // The count may have found that starts get no further for ever.
  if (job.stuck) {
    return;
  }
  if (left_behind) {
    leak_group(world, job);
  }
  if (command.workers > job.workers && job.attempts > 0) {
    world.moments.add(RareMoment::kGrewAgain);
  }
  job.workers = command.workers;
  job.ledger->use(world.now_us(), job.workers);
  job.detection.report_barrier_us = command.report_barrier_timeout_us;
  job.pods.replacing = false;
  job.pods.set_up = false;
  job.pods.reused = false;
  job.pods.podless = {};
  job.wait.first_in_queue = command.first_in_queue;
  // A script that counts its checkpoints itself finds the newest, whatever its policy says.
  const auto own_checkpoint =
      job.saved.committed != 0 ? std::optional(job.saved.committed) : std::nullopt;
  job.from_checkpoint = job.control.host.info().commits_checkpoints ? command.from : own_checkpoint;
  world.driver_runs[job.control.driver_run].resumed |= command.from.has_value();
  begin_anew(job);
  open_attempt(world, job, command.epoch, {"from", command.from ? std::int64_t{*command.from} : 0});
  job.pods.next_pod_env = command.env;
  queue_up(world, job, command.placement_wait_us);
}

// Processes that live on are there at once, and find out in the same way who is not.
void begin_launching(World& world, Job& job, std::int64_t pods_us, LaunchIn where) {
  ++job.account.launches;
  note_env(world, job);
  job.pods.awaits_pods = std::exchange(job.pods.recreating, false);
  const bool waited = job.pods.awaits_pods || where != LaunchIn::kPods;
  const std::int64_t length_us =
      where == LaunchIn::kProcesses
          ? 0
          : pods_us +
                draw_phase(world, job, lengths(world, job).launching, chance::Purpose::kLaunching) +
                (job.pods.reused && !job.pods.awaits_pods ? 0 : spec(world, job).script.setup_us);
  if (length_us > 0) {
    set_phase(world, job, scenario::Phase::kLaunching, job.start_cause);
  }
  enter_stage(world, job, Stage::kLaunching, length_us);
  job.pods.launched_us = workers_launched_us(world, job, length_us);
  // Where some pods are made anew the script waits for them (begin_rendezvous()).
  if (!job.pods.awaits_pods) {
    run_script_again(world, job, false);
  }
  if (world.ailments.any_defect()) {
    launched(world, job);
  }
  const machines::Pool& pool = world.machines.pool(spec(world, job).pool);
  // The cluster placed the gang on nodes that it does not know to be gone yet; of those where
  // containers have waited for this start, some may have gone meanwhile.
  if (pool.hidden_faults() == 0 && !(waited && pool.any_unfit(job.placement.nodes))) {
    return;
  }
  for (std::uint32_t slot = 0; slot < job.placement.slots.size(); ++slot) {
    const std::uint32_t index = job.placement.slots[slot];
    const machines::Node& node = pool.node(index);
    if (node.up && !node.cut) {
      continue;
    }
    detection::RankFailure failure;
    failure.ranks = ranks_on(world, job, slot);
    failure.kind = policies::WorkerFailure::kNodeLost;
    failure.silent = !node.known_down;
    failure.visible_us = node.known_down ? std::optional(world.now_us()) : std::nullopt;
    failure.node = index;
    if (node.up) {
      failure.gone = false;  // cut off: the start goes on if it is back in time
      failure.fault = world.network.cutting(spec(world, job).pool, index);
      stall(world, job, failure.fault, PeerLoss::kCutOff);
    } else {
      failure.fault = node.down_fault;
    }
    fail_ranks(world, job, std::move(failure));
  }
}

namespace {

void begin_rendezvous(World& world, Job& job) {
  job.pods.set_up = true;
  const std::int64_t length_us =
      draw_phase(world, job, lengths(world, job).rendezvous, chance::Purpose::kRendezvous);
  if (length_us > 0) {
    set_phase(world, job, scenario::Phase::kRendezvous, job.start_cause);
  }
  enter_stage(world, job, Stage::kRendezvous, length_us);
  world.checker.expect(job, invariants::DeadlineKind::kMeetingEnds, world.now_us() + length_us);
  if (std::exchange(job.pods.awaits_pods, false)) {
    run_script_again(world, job, true);
  }
  // Under Ray the training function, which opens the device, runs behind the rendezvous.
  if (job.control.host.info().watches_nodes) {
    use_devices(world, job, DeviceUse::kInitialise);
  }
}

void begin_running(World& world, Job& job) {
  // Accelerators that compute are well: a passing fault is over with the processes that it failed.
  world.machines.compute_resumed(spec(world, job).pool, job.placement.nodes);
  world.checker.keep(job, invariants::DeadlineKind::kMeetingEnds);
  notify(world, job,
         policies::AttemptRunning{
             .job = job.index, .epoch = job.epoch, .launched_us = job.pods.launched_us});
  if (job.pods.replacing) {
    go_on_replaced(world, job);
    return;
  }
  const workload::Checkpoint* checkpoint =
      job.from_checkpoint && spec(world, job).script.resumes
          ? workload::find_checkpoint(job, *job.from_checkpoint)
          : nullptr;
  const std::int64_t initial_work_us = spec(world, job).initial_steps * spec(world, job).step_us;
  const std::int64_t kept_work_us = checkpoint != nullptr ? checkpoint->work_us : initial_work_us;
  const std::int64_t kept_productive_us = checkpoint != nullptr ? checkpoint->productive_us : 0;
  job.ledger->close(world.now_us());
  // Only now is it known what the attempt before did in vain: all beyond this checkpoint
  // (design.md 5).
  const std::int64_t moved_us = job.ledger->roll_back(kept_productive_us, job.lost_cause);
  workload::add_lost(job, moved_us);
  const std::int64_t step_us = spec(world, job).step_us;
  job.account.lost_steps +=
      std::max<std::int64_t>(0, job.training.work_us / step_us - kept_work_us / step_us);
  if (job.training.work_us > kept_work_us) {
    world.core.recorder().instant(
        world.now_us(), {EntityKind::kJob, job.index}, "rolled_back",
        {{"from_us", job.training.work_us}, {"to_us", kept_work_us}, {"lost_us", moved_us}});
  }
  job.training.work_us = kept_work_us;
  job.detection.metrics_step = kept_work_us / step_us;
  job.training.began_us = kept_work_us;
  world.checker.restored(job, kept_work_us);
  if (!spec(world, job).script.resumes) {
    // The work in them is lost: this attempt begins from zero.
    for (workload::Checkpoint& old : job.saved.checkpoints) {
      old.work_us = 0;
      old.productive_us = 0;
    }
  }
  if (checkpoint == nullptr && initial_work_us == 0) {
    begin_warming_up(world, job);
  } else {
    const std::int64_t length_us =
        draw_phase(world, job, lengths(world, job).restoring, chance::Purpose::kRestoring);
    if (length_us > 0) {
      set_phase(world, job, scenario::Phase::kRestoring, job.start_cause);
    }
    enter_stage(world, job, Stage::kSelecting, length_us);
  }
  if (!job.control.host.info().watches_nodes) {
    use_devices(world, job, DeviceUse::kInitialise);
  }
}

}  // namespace

void begin_download(World& world, Job& job) {
  const scenario::JobSpec& job_spec = spec(world, job);
  // A directory that is gone is missed when it is loaded: nothing falls back to an older one
  // (ray.md 1.8).
  if (const workload::Checkpoint* from =
          workload::find_checkpoint(job, job.from_checkpoint.value_or(0));
      from != nullptr && from->deleted_by && job_spec.script.resumes) {
    raise_in(world, job, policies::RankSet::range(0, job.workers), *from->deleted_by,
             "FileNotFoundError");
    return;
  }
  const std::int64_t bytes =
      job_spec.run.storage && job_spec.checkpoint
          ? workload::download_bytes(
                *job_spec.checkpoint, world.scenario().cluster.storage[*job_spec.run.storage].kind,
                static_cast<std::int64_t>(job.placement.slots.size()), job.workers)
          : 0;
  if (bytes == 0) {
    download_over(world, job);
    return;
  }
  set_phase(world, job, scenario::Phase::kRestoring, job.start_cause);
  enter_stage(world, job, Stage::kDownloading, std::nullopt);
  if (const auto fault = storage_blocked(world, job)) {
    hold_transfer(world, job, *fault);
    return;
  }
  job.saved.download =
      world.network.read(world.core, *job_spec.run.storage,
                         {.bytes = bytes,
                          .weight = static_cast<std::uint32_t>(job.placement.slots.size()),
                          .bound_bytes_per_s = job.saved.link_bound_bytes_per_s,
                          .entity = job.index});
}

void begin_warming_up(World& world, Job& job) {
  const std::int64_t length_us =
      draw_phase(world, job, lengths(world, job).warming_up, chance::Purpose::kWarmingUp);
  if (length_us > 0) {
    set_phase(world, job, scenario::Phase::kWarmingUp, job.start_cause);
  }
  enter_stage(world, job, Stage::kWarmingUp, length_us);
}

}  // namespace aftershock::sim::world
