#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "policies/api/decision.h"
#include "reports/ledger/ledger.h"
#include "reports/recording/recorder.h"
#include "sim/control/ordering.h"
#include "sim/control/policy_host.h"
#include "sim/detection/poll_clock.h"
#include "sim/engine/transfers.h"
#include "sim/machines/pool.h"
#include "sim/scenario/scenario.h"
#include "sim/workload/artifacts.h"
#include "sim/workload/checkpoint.h"
#include "sim/workload/pod_start.h"
#include "sim/workload/progress.h"
#include "sim/workload/run_storage.h"

namespace aftershock::sim {

/// How far the newest attempt of a job has come.
enum class Stage : std::uint8_t {
  kNone,    ///< no attempt: before submission, between attempts
  kQueued,  ///< waits for a gang of nodes
  kLaunching,
  kRendezvous,
  kSelecting,    ///< restoring: select and validate
  kDownloading,  ///< restoring: the transfer
  kWarmingUp,
  kTraining,
  kSnapshot,    ///< blocking part of a checkpoint
  kWaitUpload,  ///< training waits for an upload: its own, or the one before
  kWaitReport,  ///< training waits until the controller has taken the last report
  kFinalizing,
  kReturned,  ///< the training function has returned on every rank
  kTearingDown,
  kEnded,
};

/// Something wrong with some ranks, and from when on a look at them shows it.
struct RankFailure {
  policies::RankSet ranks;
  policies::WorkerFailure kind = policies::WorkerFailure::kException;
  std::int32_t exit_code = 0;
  bool preempted = false;
  std::string error;
  bool gone = true;      ///< these ranks will not go on in this attempt
  bool answers = false;  ///< their processes answer polls
  bool silent = false;   ///< they leave polls unanswered, and nothing shows why yet
  bool told = false;
  std::optional<std::int64_t> visible_us;  ///< none: nothing shows it yet
  std::optional<std::int64_t> seen_us;     ///< the poll that sees it, where that is settled
  std::uint32_t fault = 0;
  std::optional<std::uint32_t> node;       ///< lost with this node of the job's pool
  std::optional<std::uint32_t> hidden_on;  ///< shows when this node is no longer cut off
};

/// The recovery of one broken attempt, from the fault to the step it had reached.
struct Recovery {
  std::uint32_t fault = 0;
  std::vector<std::uint16_t> rules;
  std::optional<std::int64_t> detected_us;
  std::optional<std::int64_t> running_us;
  std::optional<std::int64_t> caught_up_us;
  std::int64_t lost_us = 0;
  std::int64_t high_water_us = 0;   ///< work that had been done when it broke
  std::int64_t cost_before_us = 0;  ///< put down to the fault when the recovery began
};

/// A budget move as it was decided, with the fault that it answers.
struct ChargeRecord {
  std::int64_t t_us = 0;
  std::int32_t fault = -1;
  bool false_alarm = false;  ///< it answers a hang that was none
  std::uint16_t rule = 0;
  std::uint16_t to_state = 0;
  std::string_view decision;  ///< the vendor's word for it, empty: it has none
  policies::BudgetMove move;
};

/// How a job ended, if it did.
enum class Outcome : std::uint8_t { kRunning, kCompleted, kFailed, kAborted };

/// Nodes that a failed start left reserved, and whose workers idle there.
struct Leak {
  Placement placement;
  std::int64_t since_us = 0;
  std::int64_t accelerators = 0;
};

/// An upload that is going to fail, or a report that is going to go wrong.
struct ArmedFault {
  std::uint32_t fault = 0;
  std::uint32_t rank = 0;
  std::uint32_t times = 1;  ///< uploads left to fail
  std::string error;
};

/// A message as it came, and the attempt that it was about.
struct PastMessage {
  policies::Epoch epoch = 0;
  policies::Event event;
};

/// A message that is still under way to the controller, or is to come twice.
struct LateMessage {
  std::uint32_t fault = 0;
  std::optional<policies::Event> event;  ///< none: the next one of the kind has yet to come
};

/// Starts in a row that got no further than the one before, all for one reason.
struct RestartLoop {
  std::int32_t spec = -1;     ///< of the fault that ended the last attempt, -1: none
  std::uint32_t fault = 0;    ///< the last of that spec
  bool placed = true;         ///< that attempt got its nodes
  std::uint32_t workers = 0;  ///< that are asked for
  std::int64_t nodes_up = 0;  ///< of its pool
  std::size_t leaks = 0;
  std::int64_t high_water_us = 0;
  std::int64_t committed_work_us = 0;
  std::uint32_t attempts = 0;  ///< that have ended so
  std::int64_t since_us = 0;   ///< when the first of them ended
  bool limited = false;        ///< they were charged to a budget with a limit
};

/// All that is true of one job at one moment; a plain value.
struct Job {
  std::uint32_t index = 0;
  PolicyHost host;
  PolicyHost initial_host;  ///< as a new driver begins

  // The driver, which is the process that runs the controller.
  bool driver_up = false;
  std::uint32_t drivers = 0;
  std::size_t driver_run = 0;  ///< of the newest driver, in the world's list
  std::string run_key;         ///< of the world's stored runs; empty: no other driver finds it
  std::string platform_state;  ///< what a platform's controller comes back with, empty: nothing
  bool found_run = false;      ///< what its driver found there has yet to be made use of, or not
  bool persisted = false;
  /// Calendar entry in which it last changed what is stored; 0: what is there, others wrote.
  std::int64_t write_stamp = 0;
  TornFile torn;  ///< of what it left in storage

  Stage stage = Stage::kNone;
  Phase phase = Phase::kDeciding;
  std::uint32_t stage_epoch = 0;  ///< entries about an earlier stage are stale
  std::uint32_t phase_count[kPhaseNames.size()] = {};
  std::optional<reports::Ledger> ledger;
  reports::SpanId phase_span = 0;
  std::int64_t phase_since_us = 0;
  reports::SpanId attempt_span = 0;

  // The attempt.
  std::uint32_t epoch = 0;
  std::uint32_t attempts = 0;
  std::uint64_t branch = 0;    ///< of the world when the newest attempt began
  std::uint32_t launches = 0;  ///< attempts that got their nodes
  Placement placement;
  bool holding = false;           ///< the placement's nodes are taken
  std::uint32_t workers = 0;      ///< of this attempt
  bool kept = false;              ///< its containers stay, and no process runs in them
  std::uint32_t healings = 0;     ///< tries at healing that are under way in kept containers
  bool set_up = false;            ///< its containers were made ready at least once
  bool reused = false;            ///< the attempt runs in containers that were kept, and were
  bool recreating = false;        ///< pods of some ranks wait for nodes of their own
  bool awaits_pods = false;       ///< the others wait until those are set up
  bool stopped_unplaced = false;  ///< it was stopped while they waited
  ImageHolders images;            ///< of its pods
  policies::RankSet podless;  ///< ranks whose containers are gone while those of others are kept
  std::vector<policies::PodEnv> pod_env;       ///< of this attempt; none: its policy has no pods
  std::vector<policies::PodEnv> next_pod_env;  ///< of the attempt that waits for nodes
  bool first_in_queue = false;
  bool replacing = false;  ///< of some ranks, while the others wait
  policies::RankSet replaced;
  std::vector<RankFailure> late_failures;  ///< of those that wait: nobody looks until they go on
  std::vector<Leak> leaks;
  std::optional<std::int64_t> report_barrier_us;  ///< none: ranks wait for each other for ever
  std::optional<std::int64_t> placement_wait_us;
  bool waiting = false;  ///< in the queue, and was not served at once
  std::optional<std::uint32_t> from_checkpoint;
  reports::Cause start_cause = reports::Cause::first_start();
  reports::Cause lost_cause = reports::Cause::policy();  ///< of what the last attempt lost
  std::int64_t link_bound_bytes_per_s = 0;   ///< what the gang's own links let through together
  std::optional<std::int64_t> stage_end_us;  ///< of a stage of known length

  // Broken: work stands still, and will not go on in this attempt unless it is only stalled.
  bool broken = false;
  bool stalled = false;
  std::uint32_t broken_fault = 0;
  std::int64_t broken_us = 0;
  std::optional<std::int64_t> stage_left_us;  ///< what the stage that was broken off still needs
  std::vector<RankFailure> failures;
  bool start_failure_told = false;
  std::optional<policies::StartStage> start_stage;  ///< that the failing start had come to
  std::optional<std::uint32_t> notice;     ///< fault that announced the loss of one of its nodes
  bool draining = false;                   ///< it was told of that, and works on
  std::optional<std::uint32_t> interrupt;  ///< fault that is a user's stop
  bool aborting = false;                   ///< ends as soon as its workers have stopped
  std::int64_t stop_asked_us = 0;          ///< when its workers were last told to stop
  RestartLoop restart_loop;
  bool unplaced = false;                       ///< the last start found no nodes in time
  std::optional<std::int64_t> waits_since_us;  ///< for nodes, in one start after the other
  std::vector<ArmedFault> upload_errors;
  std::optional<ArmedFault> divergent;
  std::optional<std::uint32_t> unshared;     ///< fault that keeps its nodes from one storage
  std::optional<std::uint32_t> torn_upload;  ///< fault that meets its next upload
  std::optional<std::uint32_t> held_by;      ///< fault that its transfer waits for
  /// The last ones that came, by MessageKind; then the last of an attempt before that.
  std::array<std::optional<PastMessage>, 8> past;
  std::vector<LateMessage> late;                 ///< that are still to come
  std::optional<std::uint32_t> spoilt_snapshot;  ///< fault that meets the next write of it
  std::optional<std::uint32_t> shutdown_error;   ///< fault that meets the next shutdown of a group

  // Training.
  std::int64_t work_us = 0;           ///< up to the begin of the open segment
  std::int64_t work_remainder = 0;    ///< of the next microsecond, in parts of its pace
  std::int64_t slow_ppm = 1'000'000;  ///< how many times as long a step takes: its slowest worker
  std::uint32_t slow_fault = 0;       ///< where that is more than once: what slows it
  std::int64_t slow_remainder = 0;    ///< of the next microsecond that is not lost by it
  std::int64_t segment_begin_us = 0;  ///< where stage is kTraining
  std::int64_t anchor_work_us = 0;    ///< checkpoint intervals count from here
  std::int64_t high_water_us = 0;
  std::vector<Checkpoint> checkpoints;
  std::uint32_t uncommitted = 0;  ///< how many of them
  std::vector<Leftover> leftovers;
  Artifacts artifacts;
  std::uint32_t next_checkpoint = 1;
  std::uint32_t committed = 0;  ///< id of the latest committed checkpoint, 0: none
  std::int64_t committed_count = 0;
  std::int64_t committed_work_us = 0;
  TransferId upload = 0;  ///< of the checkpoint that is uploading, 0: none
  std::uint32_t uploading = 0;
  reports::SpanId upload_span = 0;
  reports::SpanId commit_span = 0;
  TransferId download = 0;
  bool ending = false;  ///< the last step is done
  bool catching_up = false;

  // What polls will show.
  PollClock clock;
  policies::Epoch clock_epoch = 0;
  std::optional<policies::PollWatch> watch;
  std::optional<policies::CapacityWatch> capacity;
  std::optional<policies::DrainWatch> drain;
  std::optional<policies::HangWatch> hang;
  /// Since when those who look at activity see none; none: they see some, or nobody looks so.
  std::optional<std::int64_t> inactive_since_us;
  std::optional<std::int64_t> activity_timeout_us;  ///< the look at which that has lasted too long
  std::uint32_t activity_epoch = 0;                 ///< entries about an earlier look are stale
  bool alarmed = false;                             ///< they took it for a hang, and nothing hung
  std::optional<std::uint32_t> progress;  ///< attempt whose first durable checkpoint is waited for
  std::optional<std::int64_t> wake_us;
  std::optional<std::uint32_t> capacity_told;
  bool capacity_look_pending = false;
  std::optional<std::int64_t> next_poll_us;
  std::uint32_t poll_epoch = 0;
  std::uint32_t report_slot = 0;  ///< checkpoint reported and not yet taken, 0: none
  std::int64_t report_visible_us = 0;
  std::uint32_t report_waiting = 0;  ///< behind the slot
  std::optional<std::int64_t> returned_visible_us;
  bool deliver_pending = false;
  std::vector<policies::Event> pending;

  // The account.
  Outcome outcome = Outcome::kRunning;
  std::string reason;
  std::string unplaced_words;  ///< what its pool had, where it ended for want of nodes
  std::int64_t ended_us = 0;
  std::int64_t lost_us = 0;
  std::int64_t lost_steps = 0;
  std::int64_t stale_accelerator_us = 0;
  std::vector<Recovery> recoveries;
  std::size_t caught_up = 0;  ///< how many of them are, from the first one on
  std::vector<ChargeRecord> charges;
  std::optional<Ordering> ordering;  ///< what a policy of pods is held to; none: it has no pods
  std::vector<bool> rules_applied;   ///< by the rule's place in the policy's table
  std::int64_t false_alarms = 0;     ///< hangs that were suspected while nothing hung
  bool limited = false;              ///< the last charge was to a budget with a limit
  bool stuck = false;                ///< waits for what will never come
  bool hopeless_start = false;  ///< the last start failed and nothing pending can help the next
};

/// Whether its workers have processes, whether these are still on their way to run, and whether
/// they are in report() of a controller that takes reports.
inline bool has_processes(const Job& job) {
  return job.stage != Stage::kNone && job.stage != Stage::kQueued &&
         job.stage != Stage::kTearingDown && job.stage != Stage::kEnded;
}
inline bool starting(const Job& job) {
  return job.stage == Stage::kLaunching || job.stage == Stage::kRendezvous;
}
bool reporting(const Job& job);
/// Its attempt works, and somebody looks whether it hangs: its policy, or what its scenario says.
bool looks_for_hangs(const JobSpec& spec, const Job& job);

/// An upload is under way, or its report waits for the one before.
bool upload_busy(const Job& job);

/// The checkpoint of that number, null when there is none: mostly it is the newest.
inline const Checkpoint* find_checkpoint(const Job& job, std::uint32_t id) {
  for (auto one = job.checkpoints.rbegin(); one != job.checkpoints.rend(); ++one) {
    if (one->id == id) {
      return &*one;
    }
  }
  return nullptr;
}
inline Checkpoint* find_checkpoint(Job& job, std::uint32_t id) {
  return const_cast<Checkpoint*>(find_checkpoint(std::as_const(job), id));
}

/// Whether the rank is one of those that wait while others of their attempt are replaced.
inline bool waits_for_others(const Job& job, policies::Rank rank) {
  return job.replacing && job.holding && !job.replaced.contains(rank);
}

/// The same of all these ranks.
inline bool all_wait_for_others(const Job& job, policies::RankSet ranks) {
  const auto both = ranks.size() + job.replaced.size();
  ranks.add(job.replaced);
  return job.replacing && job.holding && ranks.size() == both;
}

}  // namespace aftershock::sim
