#pragma once

#include <cstdint>
#include <optional>

#include "policies/api/commands.h"
#include "policies/api/decision.h"
#include "policies/api/events.h"
#include "reports/ledger/ledger.h"
#include "reports/recording/recorder.h"
#include "sim/control/policy_host.h"

namespace aftershock::sim::workload {
struct Job;
}  // namespace aftershock::sim::workload

// Controllers of jobs: events in, decisions out.
namespace aftershock::sim::world {

struct World;

/// The event joins those that the job's controller hears next: one batch, delivered after all else
/// of this microsecond, so that it carries all that is to be known.
void notify(World& world, workload::Job& job, policies::Event event);

/// The controller answers the pending events: its decision is recorded, its watches are kept from
/// now on, and its commands carried out. A policy whose process failed ends the run instead.
/// `polled`: the events are what a poll of its workers shows.
void deliver(World& world, workload::Job& job, bool polled = false);

/// The controller looks at its workers, or the time is there for which its policy set a timer:
/// reports, returns and failures that show by now are delivered. A poll that shows nothing delivers
/// nothing, unless the policy has asked for that batch (PollWatch::again).
void poll(World& world, workload::Job& job);

/// The controller gets to see the effect of the fault: the fault counts as detected, and so does
/// the job's recovery from it, at this time unless an earlier one is noted.
void note_detected(World& world, workload::Job& job, std::uint32_t fault);

/// One rank has named another directory than the rest: its report becomes one of another
/// checkpoint, pending beside `reported`, which loses that rank. Ray's controller raises at it
/// (ray.md 1.3). A divergent report must be armed.
void diverge(World& world, workload::Job& job, policies::CheckpointReported& reported);

/// The job's one poll entry moves to the earliest time at which a poll shows something or the
/// policy wakes up; polls that would see nothing are never played. To be called after a change of
/// watches, failures or reports.
void plan_poll(World& world, workload::Job& job);

/// The watch on futures as a watch of polls: one each microsecond, at which silent ranks are never
/// given up (Ray Train V1, which waits on the futures of its actors).
[[nodiscard]] policies::PollWatch poll_of(const policies::FuturesWatch& futures,
                                          std::int64_t now_us);

/// Whether the process of the policy has failed, as one of an external policy can: the run then
/// ends, and says why.
[[nodiscard]] bool lost_policy(World& world, const control::PolicyHost& host);

/// The steps of the decision take effect in their order, commands only until the job has ended; the
/// order of recovery and the other invariants are checked beside them. `about`: the cause that
/// budget moves are charged to.
void carry_out(World& world, workload::Job& job, const policies::Decision& decision,
               reports::Cause about);

/// One command takes effect, or is refused with a command_result. Complete needs a job that has
/// trained to its end, and commands about trials have an unknown target here.
void carry_out(World& world, workload::Job& job, const policies::Command& command);

/// The budget moves of the step enter the job's charges, under the fault of `about` if it is one. A
/// move is marked as one for a false alarm where it answers a hang that no fault made.
void charge(World& world, workload::Job& job, const policies::Step& step, reports::Cause about);

/// A reported checkpoint becomes the one that the job goes on from. Refused where the checkpoint is
/// gone, or not in the state of being reported: unknown_target.
void commit(World& world, workload::Job& job, const policies::CommitCheckpoint& command);

/// The controller's snapshot is stored, which mends one that was torn. A fault that was armed for
/// it makes the write fail instead: unreachable.
void persist(World& world, workload::Job& job, const policies::Persist& command);

/// The checkpoints leave the job's list. Where a fault had deleted one of them, it is this deletion
/// that finds the directory gone: the fault is detected, and the command refused (unknown_target).
void discard(World& world, workload::Job& job, const policies::DeleteCheckpoints& command);

/// The decision on the entity enters the recording: a hash tells two decisions apart, and the text,
/// made only while a recording is written, has the batch, its fault and the steps.
void record_decision(World& world, reports::Entity on, const control::PolicyHost& host,
                     reports::Cause cause, const policies::Decision& decision);

}  // namespace aftershock::sim::world
