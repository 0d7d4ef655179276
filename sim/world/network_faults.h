#pragma once

#include <cstdint>
#include <optional>

namespace aftershock::sim::workload {
struct Job;
}  // namespace aftershock::sim::workload
namespace aftershock::sim::orphans {
struct OrphanedAttempt;
}  // namespace aftershock::sim::orphans

// Faults of the network, and of all that goes through it: cuts and their healing, storages that
// are out of reach or slow, messages that come late or twice. `number` is that of the fault; a
// handler answers whether it found something to strike.
namespace aftershock::sim::world {

struct World;

/// A cut opens between nodes, heads or storages, for the fault's length or for good without one; a
/// link that flaps takes its first turn. False: the one node that it cuts off is down or not there,
/// or the cluster has no storage to be cut from.
bool partition(World& world, std::uint32_t number);

/// A link that flaps goes down at even turns, counted from 0, and comes up again at odd ones; the
/// next turn is planned while the fault has some left.
void link_turns(World& world, std::uint32_t number, std::uint32_t turn);

/// The cut of the fault is over: nodes that no other fault cuts off are heard again, stalled
/// attempts and held transfers go on, hidden failures show, and the queues are served.
void heal(World& world, std::uint32_t fault);

/// A storage is slow, or out of order, for the fault's length or for good without one. An outage
/// ends transfers under way, and their jobs wait or raise. Always true.
bool trouble_storage(World& world, std::uint32_t number);

/// The trouble of the fault is over: the storage has its speed again, and jobs that an outage held
/// up begin their transfers anew.
void storage_back(World& world, std::uint32_t number);

/// The job's transfer waits for the end of the fault, and so does training that waits for it. In an
/// outage in which transfers fail all ranks raise instead. For jobs with a storage.
void hold_transfer(World& world, workload::Job& job, std::uint32_t fault);

/// The job's transfer that was held begins anew, where nothing is in its way any more: nothing of
/// what had been moved is made use of. That of a broken attempt stays held.
void take_up_transfers(World& world, workload::Job& job);

/// A message to the controller comes once more: the next one of its kind, when it has come, or at
/// once the last one of an attempt before the newest. False: the job has ended; or, of the latter,
/// its driver is down or there was none.
bool repeat_message(World& world, std::uint32_t number);

/// The job's controller is about to hear what is pending: messages are kept by kind for later
/// repeats, and copies that are due join the batch or are planned (`delay_us`).
void pass_messages(World& world, workload::Job& job);

/// The copy of a message arrives late. Nothing happens where the job has ended or its driver is
/// down.
void late_message(World& world, workload::Job& job, std::uint32_t fault);

/// Whether the node's ranks are out of the controller's sight: nothing comes from there, or no
/// question gets there. A platform's node says by itself what happens on it, and needs no question.
[[nodiscard]] bool hides(const World& world, const workload::Job& job, std::uint32_t node);

/// The newest fault that keeps some of the job's nodes from its storage, outages before cuts; none:
/// all get there, or the job uses no storage.
[[nodiscard]] std::optional<std::uint32_t> storage_blocked(const World& world,
                                                           const workload::Job& job);

/// The speed of a save that has the storage for itself, in bytes a second: that of the storage, or
/// of the links of the job's nodes where they are slower.
[[nodiscard]] std::int64_t write_speed(const World& world, const workload::Job& job);

/// Whether all nodes of the orphaned attempt get to the storage of its job; true where it uses
/// none.
[[nodiscard]] bool reaches_storage(const World& world, const orphans::OrphanedAttempt& orphan);

}  // namespace aftershock::sim::world
