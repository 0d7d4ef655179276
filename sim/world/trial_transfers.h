#pragma once

#include <cstdint>

namespace aftershock::sim::workload {
struct Experiment;
struct Trial;
}  // namespace aftershock::sim::workload

// The ways of trials to their storage, and what stands in them: storages that are out of order or
// slow, cuts, full disks.
namespace aftershock::sim::world {

struct World;

/// Whether something in this world may keep the next save of the trial from going as it should: its
/// parts are then looked at one by one.
[[nodiscard]] bool save_may_fail(const World& world, const workload::Experiment& experiment,
                                 const workload::Trial& trial);

/// The part of a save that blocks training begins, as a stage of its own: a script that meets a
/// full disk raises when it has written its checkpoint.
void begin_blocking(World& world, workload::Experiment& experiment, workload::Trial& trial);

/// The upload or the download begins, or waits for a cut to end; without bytes it takes no time. A
/// script whose save has met a full disk raises; one whose storage fails does so when that has not
/// answered for 1 s.
void begin_moving(World& world, workload::Experiment& experiment, workload::Trial& trial);

/// The stage is over in which the trial was. False: the whole of an iteration or a restore is.
bool part_over(World& world, workload::Experiment& experiment, workload::Trial& trial);

/// Something has come between trials and their storage, or has gone: transfers under way change
/// their speed, die, or begin anew.
void review_transfers(World& world);

/// The same for one trial that goes on.
void review_transfer(World& world, workload::Experiment& experiment, workload::Trial& trial);

/// The disk of the node is full: the next save there fails.
void part_saves(World& world, std::uint32_t pool, std::uint32_t node);

}  // namespace aftershock::sim::world
