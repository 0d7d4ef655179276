#include <algorithm>
#include <map>
#include <variant>

#include "policies/api/assert.h"
#include "sim/core/entry_kind.h"
#include "sim/workload/recoveries.h"
#include "sim/world/machine_trouble.h"
#include "sim/world/network_trouble.h"
#include "sim/world/world.h"

// From a start command to the first step.
namespace aftershock::sim {

namespace {

using reports::Cause;
using reports::EntityKind;

}  // namespace

void World::submit(Job& job) {
  job.ledger.emplace(core_.now_us(), reports::Bucket::kDeciding, Cause::first_start(),
                     spec(job).workers);
  job.work_us = spec(job).initial_steps * spec(job).step_us;
  job.high_water_us = job.work_us;
  const Head& head = heads_[spec(job).head];
  if (head.up || !on_head(job)) {
    start_driver(job);
    return;
  }
  set_phase(job, Phase::kControllerDown, Cause::first_start());
  if (!head.returns) {
    end_job(job, Outcome::kFailed, "unrecoverable(no head to run its driver)");
  }
}

const PhaseLengths& World::lengths(const Job& job) const {
  return job.launches <= 1 ? spec(job).phases : spec(job).restart_phases;
}

std::int64_t World::draw_phase(const Job& job, const Distribution& law, Purpose purpose) const {
  // Most phases take a fixed time, for which no numbers are made.
  const auto* fixed = std::get_if<Distribution::Constant>(&law.shape);
  if (fixed != nullptr && !law.min_us && !law.max_us) {
    return fixed->value_us;
  }
  const RandomKey key{core_.scenario().seed, job.branch, RandomSource::kJob, job.index};
  return draw_us(law, RandomDraw(key, job.attempts, purpose));
}

void World::enter_stage(Job& job, Stage stage, std::optional<std::int64_t> length_us) {
  ++job.stage_epoch;
  job.stage = stage;
  job.stage_end_us.reset();
  if (length_us) {
    job.stage_end_us = core_.now_us() + *length_us;
    core_.schedule(EntryKind::kStageOver, *job.stage_end_us,
                   {.entity = job.index, .epoch = job.stage_epoch});
  }
  checker_.staged(job);
  watch_activity(job);
}

void World::stage_over(Job& job) {
  switch (job.stage) {
    case Stage::kLaunching:
      begin_rendezvous(job);
      break;
    case Stage::kRendezvous:
      begin_running(job);
      break;
    case Stage::kSelecting:
      begin_download(job);
      break;
    case Stage::kWarmingUp:
      begin_training(job);
      break;
    case Stage::kTraining:
      segment_over(job);
      break;
    case Stage::kSnapshot:
      snapshot_over(job);
      break;
    case Stage::kFinalizing:
      returned(job);
      break;
    case Stage::kTearingDown:
      torn_down(job);
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

// What every attempt begins with, whatever it keeps of the one before.
void World::open_attempt(Job& job, policies::Epoch epoch, const reports::Recorder::Value& about) {
  job.epoch = epoch;
  ++job.attempts;
  job.branch = core_.branch();
  job.late_failures.clear();
  job.start_failure_told = false;
  if (job.start_cause.is_fault()) {
    faults_.cause_restart(static_cast<std::size_t>(job.start_cause.value));
  }
  job.attempt_span = core_.recorder().begin(core_.now_us(), {EntityKind::kJob, job.index},
                                            "attempt", {{"epoch", job.epoch}, about});
}

// And what it does where no process of the one before is left.
void World::begin_anew(Job& job) {
  job.notice.reset();
  job.interrupt.reset();
  job.start_stage.reset();
  job.ending = false;
}

// Served when all that ask in this microsecond have asked, so that priority decides among them.
void World::queue_up(Job& job, std::optional<std::int64_t> placement_wait_us) {
  enter_stage(job, Stage::kQueued, std::nullopt);
  job.placement_wait_us = placement_wait_us;
  job.waiting = false;
  join_queue(job);
  core_.schedule(EntryKind::kServeQueue, core_.now_us(), {.entity = spec(job).pool});
}

void World::start_attempt(Job& job, const policies::StartAttempt& command) {
  if (command.epoch <= job.epoch) {
    refuse(job, command.id, policies::CommandError::kStaleEpoch);
    return;
  }
  const bool left_behind = starting(job) && job.broken && job.start_failure_told;
  if ((job.stage != Stage::kNone && !left_behind) || job.kept || command.workers == 0 ||
      command.workers > spec(job).workers) {
    refuse(job, command.id, policies::CommandError::kIllegalState);
    return;
  }
  if (command.from) {
    const Checkpoint* checkpoint = find_checkpoint(job, *command.from);
    if (checkpoint == nullptr || checkpoint->state != CheckpointState::kCommitted) {
      refuse(job, command.id, policies::CommandError::kUnknownTarget);
      return;
    }
  }
  count_restart_loop(job, command.workers);
  if (job.stuck) {
    return;
  }
  if (left_behind) {
    leak_group(job);
  }
  if (command.workers > job.workers && job.attempts > 0) {
    moments_.add(RareMoment::kGrewAgain);
  }
  job.workers = command.workers;
  job.ledger->use(core_.now_us(), job.workers);
  job.report_barrier_us = command.report_barrier_timeout_us;
  job.replacing = false;
  job.set_up = false;
  job.reused = false;
  job.podless = {};
  job.first_in_queue = command.first_in_queue;
  const auto own_checkpoint = job.committed != 0 ? std::optional(job.committed) : std::nullopt;
  job.from_checkpoint = job.host.info().commits_checkpoints ? command.from : own_checkpoint;
  driver_runs_[job.driver_run].resumed |= command.from.has_value();
  begin_anew(job);
  open_attempt(job, command.epoch, {"from", command.from ? std::int64_t{*command.from} : 0});
  job.next_pod_env = command.env;
  queue_up(job, command.placement_wait_us);
}

std::int64_t World::link_bound(const Job& job) const {
  const PoolSpec& pool = core_.scenario().cluster.pools[spec(job).pool];
  const auto& uplink = core_.scenario().cluster.rack_uplink_bytes_per_s;
  constexpr std::int64_t kUnbounded = std::int64_t{1} << 60U;
  const auto nodes = static_cast<std::int64_t>(job.placement.slots.size());
  const std::int64_t nics = pool.nic_bytes_per_s
                                ? std::min(kUnbounded / nodes, *pool.nic_bytes_per_s) * nodes
                                : kUnbounded;
  if (!uplink) {
    return nics;
  }
  std::map<std::uint32_t, std::int64_t> nodes_in_rack;
  for (const std::uint32_t node : job.placement.slots) {
    ++nodes_in_rack[rack_of(pool, node)];
  }
  // Shards are even, so the rack that moves its share slowest holds up the whole.
  std::int64_t slowest = nics;
  for (const auto& [rack, count] : nodes_in_rack) {
    slowest = std::min(slowest, std::min(kUnbounded / nodes, *uplink / count) * nodes);
  }
  return std::max<std::int64_t>(slowest, 1);
}

// Processes that live on are there at once, and find out in the same way who is not.
void World::begin_launching(Job& job, std::int64_t pods_us, bool in_process) {
  ++job.launches;
  note_env(job);
  job.awaits_pods = std::exchange(job.recreating, false);
  const std::int64_t length_us =
      in_process ? 0
                 : pods_us + draw_phase(job, lengths(job).launching, Purpose::kLaunching) +
                       (job.reused && !job.awaits_pods ? 0 : spec(job).script.setup_us);
  if (length_us > 0) {
    set_phase(job, Phase::kLaunching, job.start_cause);
  }
  enter_stage(job, Stage::kLaunching, length_us);
  if (!job.awaits_pods) {
    run_script_again(job, false);
  }
  if (ailments_.any_defect()) {
    MachineTrouble(*this).launched(job);
  }
  const Pool& pool = machines_.pool(spec(job).pool);
  if (pool.hidden_faults() == 0) {
    return;
  }
  // The cluster placed the gang on nodes that it does not know to be gone yet.
  for (std::uint32_t slot = 0; slot < job.placement.slots.size(); ++slot) {
    const std::uint32_t index = job.placement.slots[slot];
    const Node& node = pool.node(index);
    if (node.up && !node.cut) {
      continue;
    }
    RankFailure failure;
    failure.ranks = ranks_on(job, slot);
    failure.kind = policies::WorkerFailure::kNodeLost;
    failure.silent = true;
    failure.node = index;
    if (node.up) {
      failure.gone = false;  // cut off: the start goes on if it is back in time
      failure.fault = network_.cutting(spec(job).pool, index);
      stall(job, failure.fault);
    } else {
      failure.fault = node.down_fault;
    }
    fail_ranks(job, std::move(failure));
  }
}

void World::begin_rendezvous(Job& job) {
  job.set_up = true;
  const std::int64_t length_us = draw_phase(job, lengths(job).rendezvous, Purpose::kRendezvous);
  if (length_us > 0) {
    set_phase(job, Phase::kRendezvous, job.start_cause);
  }
  enter_stage(job, Stage::kRendezvous, length_us);
  checker_.expect(job, DeadlineKind::kMeetingEnds, core_.now_us() + length_us);
  if (std::exchange(job.awaits_pods, false)) {
    run_script_again(job, true);
  }
}

void World::begin_running(Job& job) {
  machines_.compute_resumed(spec(job).pool, job.placement.nodes);
  checker_.keep(job, DeadlineKind::kMeetingEnds);
  notify(job, policies::AttemptRunning{.job = job.index, .epoch = job.epoch});
  if (job.replacing) {
    go_on_replaced(job);
    return;
  }
  const Checkpoint* checkpoint = job.from_checkpoint && spec(job).script.resumes
                                     ? find_checkpoint(job, *job.from_checkpoint)
                                     : nullptr;
  const std::int64_t initial_work_us = spec(job).initial_steps * spec(job).step_us;
  const std::int64_t kept_work_us = checkpoint != nullptr ? checkpoint->work_us : initial_work_us;
  const std::int64_t kept_productive_us = checkpoint != nullptr ? checkpoint->productive_us : 0;
  job.ledger->close(core_.now_us());
  const std::int64_t moved_us = job.ledger->roll_back(kept_productive_us, job.lost_cause);
  add_lost(job, moved_us);
  const std::int64_t step_us = spec(job).step_us;
  job.lost_steps += std::max<std::int64_t>(0, job.work_us / step_us - kept_work_us / step_us);
  if (job.work_us > kept_work_us) {
    core_.recorder().instant(
        core_.now_us(), {EntityKind::kJob, job.index}, "rolled_back",
        {{"from_us", job.work_us}, {"to_us", kept_work_us}, {"lost_us", moved_us}});
  }
  job.work_us = kept_work_us;
  checker_.restored(job, kept_work_us);
  if (!spec(job).script.resumes) {
    // What they hold is lost: this attempt begins from zero.
    for (Checkpoint& old : job.checkpoints) {
      old.work_us = 0;
      old.productive_us = 0;
    }
  }
  if (checkpoint == nullptr && initial_work_us == 0) {
    begin_warming_up(job);
    return;
  }
  const std::int64_t length_us = draw_phase(job, lengths(job).restoring, Purpose::kRestoring);
  if (length_us > 0) {
    set_phase(job, Phase::kRestoring, job.start_cause);
  }
  enter_stage(job, Stage::kSelecting, length_us);
}

void World::begin_download(Job& job) {
  const JobSpec& job_spec = spec(job);
  if (const Checkpoint* from = find_checkpoint(job, job.from_checkpoint.value_or(0));
      from != nullptr && from->deleted_by && job_spec.script.resumes) {
    raise_in(job, policies::RankSet::range(0, job.workers), *from->deleted_by, "FileNotFoundError");
    return;
  }
  const std::int64_t bytes =
      job_spec.run.storage && job_spec.checkpoint
          ? download_bytes(*job_spec.checkpoint,
                           core_.scenario().cluster.storage[*job_spec.run.storage].kind,
                           static_cast<std::int64_t>(job.placement.slots.size()), job.workers)
          : 0;
  if (bytes == 0) {
    download_over(job);
    return;
  }
  set_phase(job, Phase::kRestoring, job.start_cause);
  enter_stage(job, Stage::kDownloading, std::nullopt);
  if (const auto fault = storage_blocked(job)) {
    NetworkTrouble(*this).hold_transfer(job, *fault);
    return;
  }
  job.download = network_.read(core_, *job_spec.run.storage,
                               {.bytes = bytes,
                                .weight = static_cast<std::uint32_t>(job.placement.slots.size()),
                                .bound_bytes_per_s = job.link_bound_bytes_per_s,
                                .entity = job.index});
}

void World::begin_warming_up(Job& job) {
  const std::int64_t length_us = draw_phase(job, lengths(job).warming_up, Purpose::kWarmingUp);
  if (length_us > 0) {
    set_phase(job, Phase::kWarmingUp, job.start_cause);
  }
  enter_stage(job, Stage::kWarmingUp, length_us);
}

}  // namespace aftershock::sim
