#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "policies/api/commands.h"
#include "policies/api/decision.h"
#include "policies/api/events.h"
#include "sim/control/policy_host.h"
#include "sim/engine/calendar.h"

namespace aftershock::sim::workload {
enum class Outcome : std::uint8_t;
struct Experiment;
}  // namespace aftershock::sim::workload

// The controllers of experiments.
namespace aftershock::sim::world {

struct World;

/// The experiments of the scenario begin to exist: they take the policies behind those of jobs in
/// `hosts`, and their submission is planned. Called once, by the world's constructor.
void make_experiments(World& world, std::vector<control::PolicyHost>& hosts);

/// An entry of an experiment takes effect: submission, delivery, timer, or the end of a trial's
/// stage. Stale ones are dropped.
void play_of_experiment(World& world, const engine::Entry& entry);

/// The driver of the experiment is gone by the fault, and all that it had started: its state is put
/// away, and its trials are over. Until another comes their time counts as controller_down, where
/// the head returns.
void experiment_driver_lost(World& world, workload::Experiment& experiment, std::uint32_t fault);

/// A new driver runs the same script: its controller knows what storage holds, and no more. Nothing
/// happens where one is up, or the experiment has ended or is yet to be submitted.
void experiment_driver_started(World& world, workload::Experiment& experiment);

/// The event joins the batch that the experiment's controller hears after all else of this
/// microsecond. Trials that fail, or stop, alike in a row are one event. `fault`: the number of its
/// fault, -1: it has none.
void notify(World& world, workload::Experiment& experiment, policies::Event event,
            std::int32_t fault = -1);

/// The controller answers the pending events: its decision is recorded, its timer set, its moves
/// charged and its commands carried out. The first answer after a restore shows which trials the
/// new controller does not know of; all their work is lost.
void deliver(World& world, workload::Experiment& experiment);

/// One command takes effect, or is refused with a command_result. Complete needs all trials to be
/// idle, and commands about attempts have an unknown target here.
void carry_out(World& world, workload::Experiment& experiment, const policies::Command& command);

/// The budget moves of the step are charged to the fault of the first event that it saw.
/// `event_faults`: of each event of the batch, -1: none. A budget that is exhausted within its
/// limit violates S11.
void charge(World& world, workload::Experiment& experiment, const policies::Step& step,
            const std::vector<std::int32_t>& event_faults);

/// The experiment ends: trials that run end with the driver, and one that has not returned keeps
/// only what storage has of it (design.md 5). Nothing happens where it has ended already.
void end_experiment(World& world, workload::Experiment& experiment, workload::Outcome outcome,
                    std::string reason);

/// The accounts of experiments close at the end of the run: the iteration under way is split into
/// its parts, work in no checkpoint counted, and the ledger held to the trials' own count (S01).
void finish_experiments(World& world);

}  // namespace aftershock::sim::world
