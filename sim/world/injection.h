#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/scenario/scenario.h"

namespace aftershock::sim::detection {
struct RankFailure;
}  // namespace aftershock::sim::detection

namespace aftershock::sim::faults {
struct FaultRecord;
}  // namespace aftershock::sim::faults

namespace aftershock::sim::workload {
struct Job;
}  // namespace aftershock::sim::workload

// Faults as they strike. Each answers whether the occurrence found something to strike.
namespace aftershock::sim::world {

struct World;

/// Faults at a time of the scenario are planned, and the clocks of sources begin. Called once, when
/// pools and jobs are there: sources ask at once for their units at risk.
void plan_faults(World& world);

/// Clocks of sources that go by nodes which are up or held take their present number. To be called
/// after each entry, which may have changed it.
void expose_clocks(World& world);

/// Clocks of sources that go by the training of this job go on while it `trains` and stand still
/// otherwise; that of a source which strikes one node only if the job works there.
void turn_clocks(World& world, const workload::Job& job, bool trains);

/// An occurrence strikes: effect and target are drawn by its number `nth`, and it is masked where
/// its handler finds nothing. `trial`: whose step it is, of a fault that waits for the steps of
/// trials. `unit`: of its source, where that is known.
void strike(World& world, std::uint32_t spec, std::uint64_t nth,
            std::optional<std::uint32_t> trial = {}, std::optional<std::uint32_t> unit = {});

// By kind: the ends of nodes and processes; machine_faults.h and network_faults.h have the others.

/// Nodes go down without a notice: one, or all of a rack or a power domain. False: none was up, but
/// for those in repair that a random failure passes by. A node that is down may stay so for longer
/// (stay_down()).
bool crash_node(World& world, std::uint32_t number);

/// Nodes are taken back, at once or after a notice that tells their jobs; or a head goes down.
/// False: no node was up that had not been announced before, or the head is down.
bool preempt(World& world, std::uint32_t number);

/// A process of a job or a trial ends in the fault's manner; with the exit code 0 a rank returns
/// early, and an error without exit is a hang. False: the target has no process, or no rank could
/// return early there.
bool crash_worker(World& world, std::uint32_t number);

/// A rank or a trial stands still: for the fault's length, or for ever without one; it may still
/// answer polls. False: it has no process, its attempt is broken, or nobody waits for it in a
/// collective (launching, returned).
bool hang(World& world, std::uint32_t number);

/// Memory runs out: all ranks of the job on the node are killed (exit code 137), of trials the
/// newest process there; or a head goes down. False: nothing runs there.
bool exhaust_memory(World& world, std::uint32_t number);

/// The node's disk is full for the fault's length, or until the machine goes: the next save from it
/// fails, and nothing before. Or a head goes down. False: the slot is empty, or its disk full
/// already.
bool fill_disk(World& world, std::uint32_t number);

/// A user presses Ctrl-C in the driver of the job or the experiment, as often as the fault says.
/// False: that has ended, is not submitted, or has its driver down.
bool interrupt(World& world, std::uint32_t number);

/// Ctrl-C reaches the driver, and its policy hears which press it is: Ray aborts at the first
/// and ends at the third (ray.md 1.9). `left`: presses to come, this one counted in. A driver run
/// that is over hears nothing.
void press(World& world, std::uint32_t number, std::uint32_t driver_run, std::uint32_t left);

/// A file of the controller's stored state is cut short: a later driver finds it so unless it is
/// written again. False: nothing was stored where a later driver looks, or no driver ran yet.
bool tear_snapshot(World& world, std::uint32_t number);

/// The next uploads of the job fail with the fault's error, as often as it says. False: the job
/// takes no checkpoints, or has ended.
bool arm_upload_fault(World& world, std::uint32_t number);

/// In the next report one rank names another directory than the rest. False: the job takes no
/// checkpoints, has ended, or has one worker, which cannot differ.
bool arm_report_fault(World& world, std::uint32_t number);

/// A hook of the user raises in the controller: at once, or with `in_shutdown` at the next shutdown
/// (ray.md 1.3). False: the job is not submitted, has ended, or has its driver down.
bool break_hook(World& world, std::uint32_t number);

/// The job's storage turns out to be a local path: each save of an attempt on more than one node
/// raises from now on (ray.md 1.8). False: the job has ended, or that holds already.
bool unshare_storage(World& world, std::uint32_t number);

/// The newest committed checkpoint is gone from storage; the job learns of it when it loads or
/// deletes it. False: the job has ended, or has none that is there.
bool delete_checkpoint(World& world, std::uint32_t number);

/// The next write of the controller's snapshot fails. False: the job takes no checkpoints, has
/// ended, or has such a fault armed already.
bool spoil_snapshot(World& world, std::uint32_t number);

/// The process of the policy is killed, or one agent of it; the former comes back after the fault's
/// length, without its stored state unless the fault keeps that. False: it has ended, or its driver
/// or agent is down.
bool crash_policy(World& world, std::uint32_t number);

/// User code of these ranks raises `error`: they fail with an exception that shows at once, and
/// their processes live on and answer.
void raise_in(World& world, workload::Job& job, policies::RankSet ranks, std::uint32_t fault,
              std::string error);

/// The hang of the fault is over: its rank goes on unless the controller has been told of it, and
/// its trial if it still stands still by that.
void hang_over(World& world, std::uint32_t number);

/// The fault has found something to strike: it is recorded so, and the checker puts what follows
/// down to it. Handlers call this before they change anything.
void fire(World& world, std::uint32_t number);

/// The job whose process the fault finds at its target; null: the node is down, or that process has
/// ended (a process ends once) or does not run yet.
[[nodiscard]] workload::Job* job_on(World& world, const faults::FaultRecord& fault);

/// The end of a process shows at once; on a node that is out of sight it shows when that can be
/// reached again.
void show_process_failure(const World& world, const faults::FaultRecord& fault,
                          detection::RankFailure& failure);

/// The fault strikes a node that is down: where it would end later it keeps the node down until
/// then. One without a length, of random origin, or that is over with the repair changes nothing.
void stay_down(World& world, std::uint32_t pool, std::uint32_t node, std::uint32_t number,
               std::optional<std::int64_t> lasts_us);

}  // namespace aftershock::sim::world
