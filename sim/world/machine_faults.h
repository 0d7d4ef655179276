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

/// An accelerator, or all of its node, is slow by the fault's factor, and whoever trains there
/// takes its pace. Without a length this lasts until the machine is repaired or replaced. False:
/// the node is down, or its slot empty.
bool slow_down(World& world, std::uint32_t number);

/// The slowness of the fault ends. Nothing happens where the machine is gone or repaired meanwhile.
void slowness_over(World& world, std::uint32_t number);

/// Brings the job's pace in line with its slowest worker. Its segment is closed, or has yet to be
/// opened.
void set_pace(World& world, workload::Job& job);

/// Takes out of the productive time of a segment that has just been closed what that made it
/// longer by.
void account(World& world, workload::Job& job, std::int64_t elapsed_us, std::int64_t work_us);

/// All heads and nodes go down, heads first: a controller that is gone does not see its nodes go.
/// Heads restart after the outage; nodes that were down stay so at least as long. Always true.
bool black_out(World& world, std::uint32_t number);

/// The next machines that the pool puts to use are bad, as many as the fault says: each fails when
/// it launches. Always true.
bool spoil_replacements(World& world, std::uint32_t number);

/// The node goes down, and its machine will fail again after each repair that does not cure it by
/// chance. False: the slot is empty, or the node down, which it may stay for longer.
bool make_lemon(World& world, std::uint32_t number);

/// Another machine is in the node's place: it may be bad, and what ailed the one before is gone.
void new_machine(World& world, std::uint32_t pool, std::uint32_t node);

/// The same machine is back from its repair, or may be used again: it is as fast as others, and a
/// lemon that was not cured has its next failure planned.
void machine_back(World& world, std::uint32_t pool, std::uint32_t node);

/// The job has got its nodes, where it had `before`: spares among the new ones are put to use, and
/// may be of a bad batch.
void placed(World& world, const workload::Job& job, const std::vector<std::uint32_t>& before);

/// The job launches on its nodes: the failure of each bad replacement among them is planned.
void launched(World& world, const workload::Job& job);

/// A machine fails again: its node goes down, or its accelerator breaks, as an occurrence of its
/// own behind the fault. Nothing happens where the machine is gone, or does no work.
void defect_shows(World& world, const engine::Entry& entry);

/// The pool gives out no machines for the fault's length, and with `spares_too` no spares. Always
/// true.
bool deny(World& world, std::uint32_t number);

/// The pool gives out machines again: its queue is served, and jobs that still wait ask for
/// replacements.
void denial_over(World& world, std::uint32_t number);

/// A healthy node is said to be bad: a platform hears of a device fault, or a policy that looks for
/// hangs suspects one. False: the node is down, or nobody is there to raise the alarm or to hear
/// it.
bool raise_alarm(World& world, std::uint32_t number);

/// The alarm names the node: an isolation that follows from it is judged by isolated().
void accuse(World& world, std::uint32_t pool, std::uint32_t node, std::uint32_t number);

/// The policy has answered: an alarm that it let pass is forgotten, so that it is not blamed for
/// the next stop of a healthy attempt.
void alarm_answered(const World& world, workload::Job& job);

/// A policy has isolated the node of the job's pool: recorded where an alarm had accused it and
/// nothing is wrong with it.
void isolated(World& world, const workload::Job& job, std::uint32_t node);

/// The machine in the node's place is not slow any more, and whoever trains there takes the new
/// pace.
void forget_slowness(World& world, std::uint32_t pool, std::uint32_t node);

/// The pace of the attempt with all workers as fast as each other: its size against the job's full
/// size.
[[nodiscard]] workload::Pace healthy_pace(const World& world, const workload::Job& job);

/// The pace of the attempt as it is, at which all wait for its slowest worker (set_pace()).
[[nodiscard]] workload::Pace pace(const World& world, const workload::Job& job);

}  // namespace aftershock::sim::world
