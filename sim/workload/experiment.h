#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "reports/ledger/trial_ledger.h"
#include "reports/recording/recorder.h"
#include "sim/experiments/trial_places.h"
#include "sim/experiments/trial_shape.h"
#include "sim/workload/controller.h"
#include "sim/workload/job.h"

namespace aftershock::sim::workload {

/// How far the newest attempt of a trial has come.
enum class TrialStage : std::uint8_t {
  kIdle,       ///< nobody wants it to run, or it has returned
  kPending,    ///< waits for its resources
  kLaunching,  ///< has them; its process starts
  kRestoring,  ///< loads its checkpoint
  kTraining,
  kStopping,  ///< was asked to stop and has not yet
};

/// The parts of an iteration, or of a restore, that the end of the stage under way is the end of.
/// Faults that strike within one part it.
enum class TrialPart : std::uint8_t {
  kWhole,      ///< an iteration with its save; or a restore with its download
  kComputing,  ///< the iteration without its save
  kSaving,     ///< the save: the part that blocks, and the upload
  kBlocking,   ///< the first of these by itself
  kMoving,     ///< the upload, or the download, by itself
  kLoading,    ///< the restore without its download
  kFailing,    ///< the storage does not answer, and the script is about to raise
};

/// How a process failed where nobody could see it.
struct HiddenFailure {
  policies::WorkerFailure kind = policies::WorkerFailure::kException;
  std::string error;
};

/// All that is true of one trial at one moment.
struct Trial {
  TrialStage stage = TrialStage::kIdle;
  std::uint32_t stage_epoch = 0;  ///< entries about an earlier stage are stale
  std::uint32_t attempts = 0;
  std::uint64_t branch = 0;  ///< of the world when the newest attempt began
  bool done = false;         ///< it has returned from training
  std::string name;          ///< by which storage knows it

  // The attempt.
  experiments::TrialPlace place;
  std::optional<std::uint32_t> from;
  bool dead_references = false;
  std::int64_t stage_end_us = 0;  ///< of launching, restoring, training
  bool held = false;              ///< that is over, and the trial is cut off: it waits
  reports::Cause start_cause = reports::Cause::first_start();
  reports::Cause lost_cause = reports::Cause::policy();  ///< of what the last attempt lost
  reports::SpanId span = 0;
  std::uint32_t running_index = 0;  ///< in Experiment::running, while it holds a place
  std::uint32_t placement = 0;      ///< the how manieth of its experiment's: the newest is highest

  // Broken: it stands still, and nobody has seen that yet.
  bool broken = false;
  bool hung = false;    ///< it will go on if what holds it up ends
  bool misled = false;  ///< its process never began: it was placed on a node already gone
  std::uint32_t fault = 0;
  std::int64_t broken_us = 0;
  std::optional<HiddenFailure> hidden;

  // Progress.
  std::int64_t step_us = 0;
  std::int64_t steps = 0;             ///< done, those of an initial checkpoint included
  std::int64_t step_begin_us = 0;     ///< of the iteration, or of its newest pace
  std::int64_t work_us = 0;           ///< of the iteration, done before that
  std::int64_t slow_ppm = 1'000'000;  ///< its slowness since, by which a step takes longer
  std::uint32_t slow_fault = 0;       ///< the straggler's
  TrialPart part = TrialPart::kWhole;
  bool struck = false;  ///< faults that waited for the end of the computing have struck

  // Its transfer.
  std::int64_t left_bytes = 0;             ///< when the stage began, while part is kMoving
  std::int64_t bytes_per_s = 0;            ///< since then
  std::int64_t loading_us = 0;             ///< of the restore under way, without its download
  std::optional<std::uint32_t> waits_for;  ///< the fault that keeps it from its storage

  // The account.
  reports::TrialTrack track;
  std::int64_t lost_steps = 0;
  std::int64_t lost_us = 0;
};

/// A new controller that found an earlier one's state.
struct ExperimentRestore {
  std::int64_t t_us = 0;
  std::uint32_t trials = 0;                ///< that it knows of
  std::vector<std::uint32_t> lost_trials;  ///< that had been started and that it does not know of
};

/// All that is true of one experiment at one moment; a plain value.
struct Experiment {
  std::uint32_t index = 0;
  Controller control;
  bool submitted = false;
  bool ended = false;
  bool stuck = false;  ///< waits for what will never come

  experiments::TrialShape shape;
  experiments::TrialPlaces places;
  std::uint32_t placements = 0;  ///< of all its trials so far

  std::vector<Trial> trials;
  std::vector<std::uint32_t> running;  ///< those that hold a place, in no order
  std::deque<std::pair<std::uint32_t, std::uint32_t>> waiting;  ///< (trial, stage epoch), in order
  std::uint32_t waiting_count = 0;                              ///< those of them that still wait
  bool queued = false;
  bool asking = false;  ///< for new nodes

  std::vector<std::uint32_t> step_faults;  ///< faults that wait for steps of its trials

  // Events that the controller is about to be told.
  std::vector<std::int32_t> pending_faults;  ///< fault of each, -1: none
  std::uint32_t wake_epoch = 0;

  // The account.
  Outcome outcome = Outcome::kRunning;
  std::string reason;
  std::int64_t ended_us = 0;
  std::int64_t lost_us = 0;
  std::int64_t lost_steps = 0;
  /// Productive time that no checkpoint has, of trials that do not train when the run ends.
  std::int64_t unsaved_us = 0;
  reports::TrialLedger ledger;
  std::vector<ExperimentRestore> restores;
  bool restoring = false;  ///< the next decision is the first of a controller after another
  reports::Cause down_cause = reports::Cause::policy();  ///< of the last loss of a driver
};

/// The number of a trial of this experiment.
inline std::uint32_t number_of(const Experiment& experiment, const Trial& trial) {
  const auto number = static_cast<std::size_t>(&trial - experiment.trials.data());
  AFTERSHOCK_ASSERT(number < experiment.trials.size());
  return static_cast<std::uint32_t>(number);
}

}  // namespace aftershock::sim::workload
