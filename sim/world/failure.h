#pragma once

#include <cstdint>
#include <string>

#include "policies/api/commands.h"
#include "sim/workload/job.h"
#include "sim/world/peers.h"

// How an attempt breaks, how that shows, and how it is stopped.
namespace aftershock::sim::world {

struct World;

/// Ranks of the attempt fail: those that are gone break it and end its transfers, the others begin
/// to wait for them, and the controller learns of it when it shows. Failures of survivors that wait
/// while others are replaced come later; without processes nothing happens.
void fail_ranks(World& world, workload::Job& job, detection::RankFailure failure);

/// The time at which the failure shows is settled, and a look at it planned: the next poll of an
/// attempt that runs; in a start, where the controller waits for answers and does not poll, that
/// time itself.
void failure_shows(World& world, workload::Job& job, detection::RankFailure& failure);

/// Whether the ranks of the failure may come back: a cut hides them from a platform, which takes
/// them as they are when it hears of them again.
[[nodiscard]] bool may_return(const workload::Job& job, const detection::RankFailure& failure);

/// The fault that held ranks up is over: its failures that nobody has seen are dropped. A stalled
/// attempt without any other resumes, and transfers that were held begin anew.
void forget_failures(World& world, workload::Job& job, std::uint32_t fault);

/// The attempt stands still by the fault: its segment is accounted for, its download is cancelled
/// while an upload goes on, and a recovery opens. The job is in the phase undetected until its
/// controller sees what has happened.
void break_attempt(World& world, workload::Job& job, std::uint32_t fault);

/// The attempt stands still, and goes on where it stopped if the fault ends in time; its ranks
/// begin to wait (`loss`: how they miss the others), and a rule about hangs is planned. Nothing
/// happens to an attempt that is broken or has no processes.
void stall(World& world, workload::Job& job, std::uint32_t fault, PeerLoss loss);

/// The stalled attempt goes on in the stage that the fault broke off, for the time that was left of
/// it; a download begins anew. The time of its recovery ends here unless it was still starting.
void resume_stalled(World& world, workload::Job& job);

/// The cluster takes the node for lost from now on, as the job's controller does: it gives it to
/// nobody. A node that works and is in reach stays as it is.
void node_known_down(World& world, workload::Job& job, std::uint32_t node);

/// The job's transfers under way end. `keep_upload`: the checkpoint stays, to be sent again;
/// otherwise it is dropped, and a torn part of it stays in storage.
void cancel_transfers(World& world, workload::Job& job, bool keep_upload);

/// The look at activity follows the attempt: planned while its ranks compute nothing, and ended
/// when they do (modelarts.md 5.1, rule B). A rule of the job's own, or fixed detection, takes its
/// place.
void update_activity_watch(World& world, workload::Job& job);

/// The same at less cost, for jobs whose activity may never be watched. To be called whenever the
/// attempt's stage or its watch may have changed.
inline void watch_activity(World& world, workload::Job& job) {
  // Most have never looked, and never will.
  if (job.detection.hang || job.detection.inactive_since_us || job.detection.alarmed) {
    update_activity_watch(world, job);
  }
}

/// Ranks have computed nothing for as long as the watch allows: the policy hears hang_suspected.
/// The fault of a broken attempt is detected by it; of a healthy one, say in a long compilation, it
/// is a false alarm and counts as one.
void on_activity_timeout(World& world, workload::Job& job);

/// The attempt is stopped: its processes get the command's grace, and its containers go or stay as
/// the command says. One without processes has stopped at once. Refused with another epoch, after
/// the end, and in a teardown unless that keeps containers and this stop does not.
void stop_workers(World& world, workload::Job& job, const policies::StopWorkers& command);

/// The teardown is over: ranks that no stop has reached live on elsewhere, the nodes are free
/// unless containers are kept, and the policy hears workers_stopped. A job that a user aborts ends.
void torn_down(World& world, workload::Job& job);

/// The attempt does no more work: its segment is accounted for, polls end, and transfers and
/// checkpoints that are not committed are dropped.
void hold_work(World& world, workload::Job& job);

/// The job ends, with all that it holds or waits for. Work beyond its last committed checkpoint is
/// lost unless it completes (design.md 5). The queue is served behind all else of this microsecond,
/// so that priority decides about its nodes.
void end_job(World& world, workload::Job& job, workload::Outcome outcome, std::string reason);

/// The ranks on the node at that place of the placement, one an accelerator; on the last node the
/// attempt may have fewer.
[[nodiscard]] policies::RankSet ranks_on(const World& world, const workload::Job& job,
                                         std::uint32_t slot);

/// The policy has to answer a hang within a round of polls and 60 s from the earliest time at which
/// a rule shows it: the checker holds it to that. Without such a rule, and while anything is cut,
/// nothing is expected.
void expect_answer(World& world, const workload::Job& job);

/// The job has to end after a user's stop within its longest teardown, the unmounting of its
/// volumes and 60 s: the checker holds its policy to that.
void expect_end(World& world, const workload::Job& job);

}  // namespace aftershock::sim::world
