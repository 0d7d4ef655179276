#pragma once

#include <cstdint>
#include <vector>

#include "sim/engine/calendar.h"
#include "sim/machines/ailments.h"
#include "sim/workload/progress.h"

namespace aftershock::sim::workload {
struct Job;
}  // namespace aftershock::sim::workload

// Faults of machines, and of pools that give them out, that do not end nodes: stragglers,
// lemons, bad replacements, denied capacity, false alarms, and the end of everything at once.
// `number` is that of the fault; a handler answers whether it found something to strike.
namespace aftershock::sim::world {

struct World;

/// Workers that are slow.
bool slow_down(World& world, std::uint32_t number);
void slowness_over(World& world, std::uint32_t number);
/// Brings the job's pace in line with its slowest worker. Its segment is closed, or has yet to be
/// opened.
void set_pace(World& world, workload::Job& job);
/// Takes out of the productive time of a segment that has just been closed what that made it
/// longer by.
void account(World& world, workload::Job& job, std::int64_t elapsed_us, std::int64_t work_us);

/// Nodes that go together.
bool black_out(World& world, std::uint32_t number);

/// Machines that fail again, or as soon as they are used.
bool spoil_replacements(World& world, std::uint32_t number);
bool make_lemon(World& world, std::uint32_t number);
/// Another machine is in the node's place: it may be bad, and what ailed the one before is gone.
void new_machine(World& world, std::uint32_t pool, std::uint32_t node);
/// The same machine is back from its repair, or may be used again.
void machine_back(World& world, std::uint32_t pool, std::uint32_t node);
/// The job has got nodes, where it had `before`; and it launches on those that it has.
void placed(World& world, const workload::Job& job, const std::vector<std::uint32_t>& before);
void launched(World& world, const workload::Job& job);
void defect_shows(World& world, const engine::Entry& entry);

/// Pools that give out no machines.
bool deny(World& world, std::uint32_t number);
void denial_over(World& world, std::uint32_t number);

/// Healthy nodes that are said to be bad.
bool raise_alarm(World& world, std::uint32_t number);
void accuse(World& world, std::uint32_t pool, std::uint32_t node, std::uint32_t number);
/// The policy has answered: of an alarm that it let pass nothing more comes.
void alarm_answered(const World& world, workload::Job& job);
/// A policy isolates the node.
void isolated(World& world, const workload::Job& job, std::uint32_t node);

/// The machine in the node's place is not slow any more.
void forget_slowness(World& world, std::uint32_t pool, std::uint32_t node);

/// Of workers that are all as fast as each other, and as fast as its slowest is.
[[nodiscard]] workload::Pace healthy_pace(const World& world, const workload::Job& job);
[[nodiscard]] workload::Pace pace(const World& world, const workload::Job& job);

}  // namespace aftershock::sim::world
