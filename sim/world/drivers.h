#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace aftershock::sim::workload {
struct Controller;
struct Job;
}  // namespace aftershock::sim::workload

// The processes that run controllers: on heads, or with the platform.
namespace aftershock::sim::world {

struct World;

/// The head of the fault goes down. False: it is down already.
bool head_down(World& world, std::uint32_t number);

/// The head goes down with the drivers on it. Its jobs wait for its restart, or fail where
/// `restart` has no more; with `workers_die_with_head` Ray's workers under other heads die, too.
/// `dark_us`: the time before a restart can begin.
void lose_head(World& world, std::uint32_t head, std::uint32_t number, std::int64_t dark_us);

/// The head is up again and starts the drivers of the jobs and experiments on it that were
/// submitted and have not ended.
void head_back(World& world, std::uint32_t head);

/// The job's driver starts, and a controller in it that knows only what it finds in storage under
/// its run's name: earlier states and counters were in memory (ray.md 1.9). A platform's has what
/// start_control_plane() says.
void start_driver(World& world, workload::Job& job);

/// The driver is gone by the fault, and the controller with it. Ray's workers end with their owner
/// and the nodes are free; a platform's pods may be left alone. The job waits for its head, or
/// fails where that does not return.
void driver_lost(World& world, workload::Job& job, std::uint32_t fault);

/// The driver is down: its run ends at this time, by the fault or, without one, by itself. Nothing
/// happens where it was down already.
void end_driver_run(World& world, workload::Controller& control,
                    std::optional<std::uint32_t> fault);

/// A platform's controller starts with what the platform's store has kept of it: it hears what it
/// is first, and then what it missed while it was down.
void start_control_plane(World& world, workload::Job& job);

/// The platform's controller is down by the fault and its pods go on: its watches end, and events
/// pend until another starts.
void leave_alone(World& world, workload::Job& job, std::uint32_t fault);

/// Whether the job goes on while its controller is down: it has pods that run, stay or go, its
/// state is kept, no user has stopped it, and a lost head neither takes workers along nor stays
/// away. Everything else waits for a controller.
[[nodiscard]] bool outlives_control_plane(const World& world, const workload::Job& job,
                                          bool state_kept);

/// Whether the job's pods go on while the platform has no controller for them.
[[nodiscard]] bool left_alone(const workload::Job& job);

/// Whether the job's controller dies with its head: Ray's drivers do, and a platform's controller
/// unless its control plane is managed.
[[nodiscard]] bool on_head(const World& world, const workload::Job& job);

/// A policy whose process was killed is started again, unless its head is down or another driver
/// has started since. `holder`: its job or experiment; `drivers`: how many drivers that had when
/// the process was killed.
void policy_back(World& world, std::uint32_t holder, std::uint32_t drivers);

}  // namespace aftershock::sim::world
