#pragma once

#include <cstdint>
#include <optional>

#include "policies/api/commands.h"
#include "sim/engine/calendar.h"

namespace aftershock::sim::workload {
struct Job;
}  // namespace aftershock::sim::workload

// Accelerators that break, and nodes that policies take out of use.
namespace aftershock::sim::world {

struct World;

/// How processes come to use an accelerator.
enum class DeviceUse : std::uint8_t {
  kInitialise,  ///< the first call of its driver
  kCompute,     ///< the first kernel
};

/// The accelerator breaks, or gives a hint, which asks for no action and only a platform hears.
/// False: the node is down; or nobody uses the accelerator, and the fault neither lasts nor, as a
/// critical one, makes a platform isolate the node.
bool break_accelerator(World& world, std::uint32_t number);

/// The job whose pod is on the node and whose policy watches nodes; null: the node has no such job,
/// it has ended, or it runs nothing on a node that is isolated. Processes of the pod may have
/// ended.
[[nodiscard]] workload::Job* watcher(World& world, std::uint32_t pool, std::uint32_t node);

/// The accelerator of the fault is out of order: the rank or the trials on it fail, and a platform
/// is told. `lasts_us`: for how long, 0: it is well with the next process; none: for good if it
/// needs more than a reset.
void fail_accelerator(World& world, std::uint32_t number, std::optional<std::int64_t> lasts_us);

/// Ranks on accelerators that are lastingly out of order fail with an AcceleratorError: at
/// kInitialise those off the bus or in need of a reboot, at kCompute those in need of a reset
/// (NVIDIA's Xid catalogue, by our reading; modelarts.md 7.1).
void use_devices(World& world, workload::Job& job, DeviceUse use);

/// The node is kept from the scheduler, and its repair begins (modelarts.md 5.4); processes on it
/// go on. Refused for a node of another pool: unknown_target. An isolated node stays as it is.
void isolate_node(World& world, workload::Job& job, const policies::IsolateNode& command);

/// The scheduler has the node again, and the queue is served. Refused for a node of another pool:
/// unknown_target. Nothing happens unless this job's isolation still holds: a repair may have ended
/// it.
void release_node(World& world, workload::Job& job, const policies::ReleaseNode& command);

/// A chip begins to heal from its newest fault of that code. Success and length are drawn by the
/// fault: a second try ends as the first did. Refused where the chip has no such fault
/// (unknown_target), before the first attempt and during one (illegal_state).
void self_heal(World& world, workload::Job& job, const policies::SelfHeal& command);

/// A healing ends: the chip is well if it succeeded, and the job hears self_heal_result. A job that
/// has ended, or is in another attempt, hears nothing.
void healing_over(World& world, workload::Job& job, const engine::Entry& entry);

/// The policy hears of the device fault, which is detected by that: code, severity and the ranks on
/// the node. An alarm that blames another node (`blamed_node`) accuses that one.
void tell_device_fault(World& world, workload::Job& job, std::uint32_t fault);

/// The effect of the fault on its accelerator is over, if it is not already; a pool that has room
/// again by that serves its queue.
void repair_device(World& world, std::uint32_t fault);

/// The length of the fault is over: its accelerator is well, unless a crew has left it for another
/// repair.
void accelerator_back(World& world, std::uint32_t fault);

/// Repairs begin for which the repair crew has somebody free; isolated nodes are expected back by
/// the end of theirs.
void begin_repairs(World& world);

/// The pool's health check comes to the accelerator of the fault: if nobody has made it well, the
/// scheduler knows of it from now on.
void health_check(World& world, std::uint32_t fault);

/// The repair of an isolated node begins, or waits for the crew. A node that is down, or in a pool
/// without a law of repair, gets none.
void begin_repair(World& world, std::uint32_t pool, std::uint32_t node);

/// The repair of an isolated node is over: its accelerators are well, lemons are cured by chance,
/// and the scheduler has the node again. It does not under `until_released`, nor with
/// `repaired_stay_away`, where a node that nobody uses leaves its pool.
void isolation_over(World& world, std::uint32_t pool, std::uint32_t node);

/// A node that was down works again: it is declared dead if that was not known yet, and its job
/// hears node_joined. With `repaired_stay_away` a repaired machine leaves its slot empty instead.
void node_back(World& world, std::uint32_t pool, std::uint32_t node);

/// Memory errors of an accelerator begin, and the first is corrected (modelarts.md 6.1, 7.2).
/// False: the node is down, or its slot empty.
bool begin_storm(World& world, std::uint32_t number);

/// The next error of a storm is due and strikes the job that computes there now. A machine that is
/// gone, down or isolated has no more of them.
void storm_error(World& world, const engine::Entry& entry);

/// The nth error of the storm, from 1: up to `times` a corrected one, of which a platform hears a
/// hint and which plans the next. The one after, which comes by the fault's chance, is not
/// corrected: the accelerator breaks.
void storm_error(World& world, std::uint32_t number, std::uint32_t nth);

/// The index in the job's own pool of the node that the policy means; none: the node is of another
/// pool, over which the policy has no say.
[[nodiscard]] std::optional<std::uint32_t> own_node(const World& world, const workload::Job& job,
                                                    policies::NodeId node);

}  // namespace aftershock::sim::world
