#pragma once

#include <cstdint>
#include <optional>

namespace aftershock::sim::workload {
struct Job;
}  // namespace aftershock::sim::workload

// Faults of the network, and of all that goes through it: cuts and their healing, storages that
// are out of reach or slow, messages that come late or twice. `number` is that of the fault; a
// handler answers whether it found something to strike.
namespace aftershock::sim::world {

struct World;
struct OrphanedAttempt;

/// Cuts between nodes, heads and storages.
bool partition(World& world, std::uint32_t number);
/// A link that flaps goes down or comes up again: turns are counted from 0.
void link_turns(World& world, std::uint32_t number, std::uint32_t turn);
/// The fault cuts nobody off any more.
void heal(World& world, std::uint32_t fault);

/// Storages that are out of reach, out of order, or slow.
bool trouble_storage(World& world, std::uint32_t number);
void storage_back(World& world, std::uint32_t number);
/// The transfer of the job waits for the end of the fault, or raises.
void hold_transfer(World& world, workload::Job& job, std::uint32_t fault);
/// The transfer of the job begins anew, where nothing is in its way any more.
void take_up_transfers(World& world, workload::Job& job);

/// Messages to a controller that come late, or twice.
bool repeat_message(World& world, std::uint32_t number);
/// The job's controller is about to hear what is pending.
void pass_messages(World& world, workload::Job& job);
void late_message(World& world, workload::Job& job, std::uint32_t fault);

/// Reachability of workers and storages, as things stand.
[[nodiscard]] bool hides(const World& world, const workload::Job& job, std::uint32_t node);
[[nodiscard]] std::optional<std::uint32_t> storage_blocked(const World& world,
                                                           const workload::Job& job);
[[nodiscard]] std::int64_t write_speed(const World& world, const workload::Job& job);
[[nodiscard]] bool reaches_storage(const World& world, const OrphanedAttempt& orphan);

}  // namespace aftershock::sim::world
