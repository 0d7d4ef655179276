#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "policies/api/decision.h"
#include "reports/ledger/ledger.h"
#include "reports/recording/recorder.h"
#include "sim/control/ordering.h"
#include "sim/detection/detection.h"
#include "sim/machines/pool.h"
#include "sim/scenario/scenario.h"
#include "sim/workload/account.h"
#include "sim/workload/armed_faults.h"
#include "sim/workload/controller.h"
#include "sim/workload/job_pods.h"
#include "sim/workload/placement_wait.h"
#include "sim/workload/pool_watch.h"
#include "sim/workload/progress.h"
#include "sim/workload/saved_work.h"
#include "sim/workload/training.h"

namespace aftershock::sim::workload {

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

/// How a job ended, if it did.
enum class Outcome : std::uint8_t { kRunning, kCompleted, kFailed, kAborted };

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

/// The fault that broke an attempt, and the stage that it broke off.
struct Breakage {
  bool stalled = false;  ///< it goes on where it stopped as soon as the fault is over
  std::uint32_t broken_fault = 0;
  std::int64_t broken_us = 0;
  std::optional<std::int64_t> stage_left_us;  ///< time that the stage broken off still needs
};

/// The state that a job's controllers have left in storage, and that the newest of them found.
struct StoredState {
  std::string platform_state;  ///< a platform's controller comes back with it, empty: none
  bool found_run = false;      ///< its driver found a run there and has yet to take it up
  bool persisted = false;
  /// Calendar entry in which it last changed what is stored; 0: what is there, others wrote.
  std::int64_t write_stamp = 0;
};

/// All that is true of one job at one moment, in parts; a plain value.
struct Job {
  std::uint32_t index = 0;
  Controller control;
  StoredState stored;

  Stage stage = Stage::kNone;
  scenario::Phase phase = scenario::Phase::kDeciding;
  std::uint32_t stage_epoch = 0;  ///< entries about an earlier stage are stale
  std::uint32_t phase_count[scenario::kPhaseNames.size()] = {};
  std::optional<reports::Ledger> ledger;
  reports::SpanId phase_span = 0;
  std::int64_t phase_since_us = 0;
  reports::SpanId attempt_span = 0;

  // The attempt.
  std::uint32_t epoch = 0;
  std::uint32_t attempts = 0;
  std::uint64_t branch = 0;  ///< of the world when the newest attempt began
  machines::Placement placement;
  bool holding = false;                       ///< the placement's nodes are taken
  std::vector<std::uint32_t> recorded_nodes;  ///< that it holds, as the recording has it
  std::uint32_t workers = 0;                  ///< of this attempt
  std::optional<std::uint32_t> from_checkpoint;
  reports::Cause start_cause = reports::Cause::first_start();
  reports::Cause lost_cause = reports::Cause::policy();  ///< of what the last attempt lost
  std::optional<std::int64_t> stage_end_us;              ///< of a stage of known length
  bool broken = false;  ///< work stands still, and goes on in this attempt only where it is stalled
  Breakage breakage;
  bool aborting = false;           ///< ends as soon as its workers have stopped
  std::int64_t stop_asked_us = 0;  ///< when its workers were last told to stop

  PlacementWait wait;
  JobPods pods;
  detection::Detection detection;
  PoolWatch pool_watch;
  Training training;
  SavedWork saved;
  ArmedFaults armed;
  Account account;
  RestartLoop restart_loop;
  std::optional<control::Ordering> ordering;  ///< rules for a policy of pods; none: it has no pods

  Outcome outcome = Outcome::kRunning;
  std::string reason;
  std::int64_t ended_us = 0;
  bool stuck = false;  ///< waits for what will never come
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
bool looks_for_hangs(const scenario::JobSpec& spec, const Job& job);

/// An upload is under way, or its report waits for the one before.
bool upload_busy(const Job& job);

/// The checkpoint of that number, null when there is none: mostly it is the newest.
inline const Checkpoint* find_checkpoint(const Job& job, std::uint32_t id) {
  for (auto one = job.saved.checkpoints.rbegin(); one != job.saved.checkpoints.rend(); ++one) {
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
  return job.pods.replacing && job.holding && !job.pods.replaced.contains(rank);
}

/// The same of all these ranks.
inline bool all_wait_for_others(const Job& job, policies::RankSet ranks) {
  const auto both = ranks.size() + job.pods.replaced.size();
  ranks.add(job.pods.replaced);
  return job.pods.replacing && job.holding && ranks.size() == both;
}

}  // namespace aftershock::sim::workload
