#pragma once

#include <cstdint>
#include <vector>

#include "policies/api/commands.h"
#include "reports/ledger/ledger.h"
#include "sim/chance/random_draw.h"
#include "sim/scenario/distribution.h"
#include "sim/scenario/phase.h"

namespace aftershock::sim::drivers {
struct StoredTrial;
struct TrialCheckpoint;
}  // namespace aftershock::sim::drivers

namespace aftershock::sim::workload {
enum class TrialStage : std::uint8_t;
struct Experiment;
struct Trial;
}  // namespace aftershock::sim::workload

// The stages of a trial from its start to its end.
namespace aftershock::sim::world {

struct World;

/// Another attempt of the trial begins and waits for its place. Refused with an unknown number, but
/// that a restored experiment may add the next one (unknown_target), and unless it is idle
/// (illegal_state).
void start_trial(World& world, workload::Experiment& experiment,
                 const policies::StartTrial& command);

/// Trials stop: at once if they answer, have no process or get no grace, else when the grace is
/// over; the policy hears trials_stopped of each. Numbers that the experiment does not have are
/// passed over.
void stop_trials(World& world, workload::Experiment& experiment,
                 const policies::StopTrials& command);

/// The trial has its place, and its process starts there for a drawn length. On a node that is gone
/// or cut off, unknown to the cluster, none begins: the trial stands still until that shows
/// (`misled`).
void begin_launching(World& world, workload::Experiment& experiment, workload::Trial& trial);

/// The trial's stage, or a part of it, has lasted for its length: the trial goes on to the next.
/// Behind a cut it is held before that, as word has to pass between it and its controller.
void stage_over(World& world, workload::Experiment& experiment, workload::Trial& trial);

/// The trial trains, from its checkpoint or its beginning; work beyond that is lost. Dead
/// references fail it now, at their first use (OwnerDiedError), although its restore went well.
void begin_training(World& world, workload::Experiment& experiment, workload::Trial& trial);

/// An iteration begins: one stage with its save; without it where a fault waits for this step, or
/// the save may fail.
void begin_step(World& world, workload::Experiment& experiment, workload::Trial& trial);

/// The iteration is computed: faults that wait for this step strike, once, and the save begins
/// unless one of them has ended the attempt or holds it up.
void step_computed(World& world, workload::Experiment& experiment, workload::Trial& trial);

/// The iteration and its save are over: the checkpoint is in storage, and the policy hears
/// trial_result. The next iteration begins unless that was the last.
void step_over(World& world, workload::Experiment& experiment, workload::Trial& trial);

/// The iteration is accounted for up to now: computing at a healthy pace, a straggler's share, and
/// saving.
void settle_step(World& world, workload::Experiment& experiment, workload::Trial& trial);

/// The trial computes the rest of its iteration at the pace of its slowest accelerator. One that
/// saves is not slowed, and one that stands still takes its pace later.
void change_pace(World& world, workload::Experiment& experiment, workload::Trial& trial);

/// The attempt of the trial is over: its account closes, its place is free, and it is idle. The
/// controller hears of that from the caller.
void leave_attempt(World& world, workload::Experiment& experiment, workload::Trial& trial);

/// The trial has stopped and is idle, as it may have been before; the policy hears trials_stopped.
void stopped(World& world, workload::Experiment& experiment, workload::Trial& trial);

/// The trial is in the stage, or the part of one, for `length_us` from now on; entries about the
/// one before are stale.
void enter_stage(World& world, workload::Experiment& experiment, workload::Trial& trial,
                 workload::TrialStage stage, std::int64_t length_us);

/// The trial's time counts in the phase, under the cause, from now on; its account opens with the
/// first phase of an attempt.
void set_phase(World& world, workload::Experiment& experiment, workload::Trial& trial,
               scenario::Phase phase, reports::Cause cause);

/// The trial goes back to `kept`; null, or with a script that does not resume, to its beginning.
/// Returns the us that were productive and are no longer: all of them where another experiment has
/// written `kept`.
std::int64_t roll_back(World& world, workload::Experiment& experiment, workload::Trial& trial,
                       const drivers::TrialCheckpoint* kept);

/// The faults, by their place in the scenario, that wait for the end of the step under way and have
/// not struck for good.
[[nodiscard]] std::vector<std::uint32_t> step_faults(const World& world,
                                                     const workload::Experiment& experiment,
                                                     const workload::Trial& trial);

/// The time in us at which the iteration under way is computed if its pace stays; its save comes
/// after.
[[nodiscard]] std::int64_t computed_at_us(const workload::Trial& trial);

/// Whether a save comes after the iteration under way.
[[nodiscard]] bool saves_next(const World& world, const workload::Experiment& experiment,
                              const workload::Trial& trial);

/// The length of a phase in us, drawn by the trial, its attempt and the purpose. That of a step is
/// drawn by the trial alone, so that all its attempts share it.
[[nodiscard]] std::int64_t draw_phase(const World& world, const workload::Experiment& experiment,
                                      const workload::Trial& trial,
                                      const scenario::Distribution& law, chance::Purpose purpose);

/// The trial's directory in the storage of its experiment's run; an empty one is made where there
/// was none.
[[nodiscard]] drivers::StoredTrial& stored(World& world, const workload::Experiment& experiment,
                                           const workload::Trial& trial);

/// The productive time in us that no checkpoint of this experiment holds, of a trial that does not
/// train when the run ends; 0 of one that trains or has returned, or whose experiment has ended.
[[nodiscard]] std::int64_t unsaved_us(World& world, const workload::Experiment& experiment,
                                      const workload::Trial& trial);

}  // namespace aftershock::sim::world
