#include <array>
#include <cstddef>
#include <cstdint>

#include "sim/core/entry_kind.h"
#include "sim/world/checkpoint_faults.h"
#include "sim/world/closing.h"
#include "sim/world/controlling.h"
#include "sim/world/devices.h"
#include "sim/world/draining.h"
#include "sim/world/drivers.h"
#include "sim/world/experiments.h"
#include "sim/world/failure.h"
#include "sim/world/findings.h"
#include "sim/world/injection.h"
#include "sim/world/machine_faults.h"
#include "sim/world/network_faults.h"
#include "sim/world/node_objects.h"
#include "sim/world/nodes.h"
#include "sim/world/observations.h"
#include "sim/world/occurrences.h"
#include "sim/world/orphaned_attempts.h"
#include "sim/world/peers.h"
#include "sim/world/phases.h"
#include "sim/world/pods.h"
#include "sim/world/scheduling.h"
#include "sim/world/starting.h"
#include "sim/world/training.h"
#include "sim/world/trial_places.h"
#include "sim/world/world.h"

// The table of what each calendar entry calls. An entry that tells of a stage, an attempt or a
// machine which is over is stale, and its row drops it: nothing takes entries out of the calendar.
namespace aftershock::sim::world {

namespace {

using Handler = void (*)(World& world, const engine::Entry& entry);

struct PlayRow {
  core::EntryKind kind;
  Handler play;
};

workload::Job& job_of_entry(World& world, const engine::Entry& entry) {
  return world.jobs[entry.entity];
}

std::uint32_t argument(const engine::Entry& entry) { return static_cast<std::uint32_t>(entry.arg); }

template <void (*Play)(World&, workload::Job&)>
void on_job(World& world, const engine::Entry& entry) {
  Play(world, job_of_entry(world, entry));
}

/// Of a job's stage, which may be over.
template <void (*Play)(World&, workload::Job&)>
void in_stage(World& world, const engine::Entry& entry) {
  if (workload::Job& job = job_of_entry(world, entry); job.stage_epoch == entry.epoch) {
    Play(world, job);
  }
}

/// Of a job's attempt, while it has processes.
template <void (*Play)(World&, workload::Job&, std::uint32_t)>
void in_attempt(World& world, const engine::Entry& entry) {
  if (workload::Job& job = job_of_entry(world, entry);
      job.epoch == entry.epoch && workload::has_processes(job)) {
    Play(world, job, argument(entry));
  }
}

template <void (*Play)(World&, std::uint32_t)>
void with_argument(World& world, const engine::Entry& entry) {
  Play(world, argument(entry));
}

template <void (*Play)(World&, std::uint32_t)>
void with_entity(World& world, const engine::Entry& entry) {
  Play(world, entry.entity);
}

/// Of a node, unless another machine has its place.
template <void (*Play)(World&, std::uint32_t pool, std::uint32_t node)>
void on_node(World& world, const engine::Entry& entry) {
  if (world.machines.pool(argument(entry)).node(entry.entity).epoch == entry.epoch) {
    Play(world, argument(entry), entry.entity);
  }
}

void horizon(World& world, const engine::Entry& /*entry*/) {
  if (!world.scenario().until_us) {
    world.core.cut_short("no end within the longest time that can be simulated");
  }
  world.core.end();
}

void heartbeats_missed(World& world, std::uint32_t pool, std::uint32_t node) {
  // A node that was silent, came back and fell silent again has a later deadline.
  if (world.now_us() >= declared_us(world, pool, node)) {
    node_dead_known(world, pool, node);
    ask_again(world, pool);
  }
}

void node_provisioned(World& world, const engine::Entry& entry) {
  // Not by epoch: the machine that is there may fall again meanwhile, and the one on its way still
  // comes.
  if (world.machines.pool(argument(entry)).node(entry.entity).provisioning) {
    new_node(world, argument(entry), entry.entity);
  }
}

void isolation_ended(World& world, const engine::Entry& entry) {
  const machines::Node& node = world.machines.pool(argument(entry)).node(entry.entity);
  if (node.isolations == entry.epoch && node.isolated && node.up) {
    isolation_over(world, argument(entry), entry.entity);
  }
}

void repairs_begin(World& world, const engine::Entry& /*entry*/) { begin_repairs(world); }

void disk_freed(World& world, std::uint32_t pool, std::uint32_t node) {
  world.machines.pool(pool).update(node, world.now_us(),
                                   [](machines::Node& changed) { changed.full_disk.reset(); });
}

void healed(World& world, const engine::Entry& entry) {
  healing_over(world, job_of_entry(world, entry), entry);
}

void transfer_over(World& world, const engine::Entry& entry) {
  engine::TransferRequest request;
  if (!world.network.transfers().take_completion(entry, request)) {
    return;
  }
  workload::Job& job = world.jobs[request.entity];
  if (job.saved.upload == entry.entity) {
    upload_over(world, job);
  } else {
    download_over(world, job);
  }
}

void caught_up(World& world, workload::Job& job) {
  job.training.catching_up = false;
  leave_instance(world, job, scenario::Phase::kCatchingUp);
}

void activity_timeout(World& world, const engine::Entry& entry) {
  if (workload::Job& job = job_of_entry(world, entry);
      job.detection.activity_epoch == entry.epoch) {
    on_activity_timeout(world, job);
  }
}

void deliver_events(World& world, workload::Job& job) {
  job.control.deliver_pending = false;
  // A platform's controller that is down hears all of it when it is back.
  if (!job.control.pending.empty() && !left_alone(job)) {
    deliver(world, job);
  }
}

void poll_due(World& world, const engine::Entry& entry) {
  if (workload::Job& job = job_of_entry(world, entry); job.detection.poll_epoch == entry.epoch) {
    poll(world, job);
  }
}

void start_failure_due(World& world, const engine::Entry& entry) {
  if (workload::Job& job = job_of_entry(world, entry); job.epoch == entry.epoch) {
    start_failure_seen(world, job);
  }
}

void policy_is_back(World& world, const engine::Entry& entry) {
  policy_back(world, entry.entity, entry.epoch);
}

void upload_retry(World& world, const engine::Entry& entry) {
  if (workload::Job& job = job_of_entry(world, entry); job.epoch == entry.epoch) {
    retry_upload(world, job, argument(entry));
  }
}

void reclaim(World& world, const engine::Entry& entry) {
  workload::Job& job = job_of_entry(world, entry);
  free_leaks(world, job, entry.arg);
  serve_queue(world, spec(world, job).pool);
}

void pressed(World& world, const engine::Entry& entry) {
  press(world, argument(entry), entry.epoch, entry.entity);
}

void link_turn(World& world, const engine::Entry& entry) {
  link_turns(world, argument(entry), entry.entity);
}

void message_late(World& world, const engine::Entry& entry) {
  late_message(world, job_of_entry(world, entry), argument(entry));
}

void follower(World& world, const engine::Entry& entry) {
  strike(world, entry.entity, faults::Arrivals::follow(entry).nth);
}

bool is_fault(core::EntryKind what) {
  return what == core::EntryKind::kScripted || what == core::EntryKind::kArrival ||
         what == core::EntryKind::kStepReached || what == core::EntryKind::kTriggered ||
         what == core::EntryKind::kFollower;
}

constexpr auto kRows = [] {
  using enum core::EntryKind;
  return std::to_array<PlayRow>({
      {kHorizon, horizon},
      {kSubmit, on_job<submit>},
      {kScripted, with_entity<scripted_fault>},
      {kArrival, arrival},
      {kStepReached, step_reached},
      {kTriggered, phase_triggered},
      {kNoticeOver, notice_over},
      {kHangOver, with_argument<hang_over>},
      {kPartitionOver, with_argument<heal>},
      {kHeartbeatsMissed, on_node<heartbeats_missed>},
      {kNodeBack, on_node<node_back>},
      {kNodeProvisioned, node_provisioned},
      {kAcceleratorBack, with_argument<accelerator_back>},
      {kStageOver, in_stage<stage_over>},
      {kTransferOver, transfer_over},
      {kPlacementLimit, in_stage<give_up_placement>},
      {kStartFailureSeen, start_failure_due},
      {kCollectiveTimeout, in_stage<collective_timed_out>},
      {kHangRule, in_stage<suspect_hang>},
      {kActivityTimeout, activity_timeout},
      {kCaughtUp, in_stage<caught_up>},
      {kDeliver, on_job<deliver_events>},
      {kPoll, poll_due},
      {kServeQueue, with_entity<serve_queue>},
      {kHeadBack, with_entity<head_back>},
      {kPolicyBack, policy_is_back},
      {kCapacityLook, on_job<look_at_capacity>},
      {kNoticeSeen, in_attempt<tell_notice>},
      {kUploadRetry, upload_retry},
      {kUploadFailed, in_attempt<upload_failed>},
      {kReclaim, reclaim},
      {kDiskFreed, on_node<disk_freed>},
      {kHealed, healed},
      {kIsolationOver, isolation_ended},
      {kStormError, storm_error},
      {kPressed, pressed},
      {kExperimentSubmit, play_of_experiment},
      {kExperimentDeliver, play_of_experiment},
      {kExperimentTimer, play_of_experiment},
      {kTrialStageOver, play_of_experiment},
      {kLinkTurns, link_turn},
      {kStorageBack, with_argument<storage_back>},
      {kLateMessage, message_late},
      {kOrphanWrites, with_entity<orphan_writes>},
      {kFollower, follower},
      {kSlownessOver, with_argument<slowness_over>},
      {kDefectShows, defect_shows},
      {kDenialOver, with_argument<denial_over>},
      {kHealthCheck, with_argument<health_check>},
      {kObjectsRemoved, with_argument<remove_objects>},
      {kRepairsBegin, repairs_begin},
      {kPeersGiveUp, in_stage<peers_give_up>},
  });
}();

static_assert(
    [] {
      for (std::size_t i = 0; i < kRows.size(); ++i) {
        if (kRows[i].kind != static_cast<core::EntryKind>(i)) return false;
      }
      return true;
    }(),
    "a row a kind, in the order of EntryKind");

}  // namespace

void World::play(const engine::Entry& entry) {
  if (core::kind_of(entry) == core::EntryKind::kHorizon && nothing_can_change(*this)) {
    stuck = true;  // since the last thing that happened
    core.end();
    return;
  }
  core.begin(entry);
  checker.play(core.now_us(), core.calendar().size());
  // Between two entries: within one, things that belong together change one after the other.
  checker.look_around(jobs, machines.pools());
  const std::uint32_t left_before = jobs_left;
  kRows[static_cast<std::size_t>(core::kind_of(entry))].play(*this, entry);
  // Any entry may have changed which nodes are up or held.
  if (arrivals.has_clocks()) {
    expose_clocks(*this);
  }
  // There may be less to come now for those whom nothing else can help.
  if (queue.holding_out() && (jobs_left != left_before || is_fault(core::kind_of(entry)))) {
    for (std::uint32_t pool = 0; pool < machines.pools().size(); ++pool) {
      plan_serving(*this, pool);
    }
  }
  if (checker.found()) {
    report_findings(*this);
  }
  if (jobs_left == 0) {
    core.end();
  }
  core.check_length();
}

}  // namespace aftershock::sim::world
