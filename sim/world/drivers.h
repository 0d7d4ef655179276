#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/workload/run_storage.h"

namespace aftershock::sim::workload {
struct Controller;
struct Job;
}  // namespace aftershock::sim::workload

// The processes that run controllers: on heads, or with the platform.
namespace aftershock::sim::world {

struct World;

/// Heads, and the processes on them that run controllers.
bool head_down(World& world, std::uint32_t number);
void lose_head(World& world, std::uint32_t head, std::uint32_t number, std::int64_t dark_us);
void head_back(World& world, std::uint32_t head);
void start_driver(World& world, workload::Job& job);
void driver_lost(World& world, workload::Job& job, std::uint32_t fault);
void end_driver_run(World& world, workload::Controller& control,
                    std::optional<std::uint32_t> fault);

/// Controllers that are a platform's.
void start_control_plane(World& world, workload::Job& job);
void leave_alone(World& world, workload::Job& job, std::uint32_t fault);
[[nodiscard]] bool outlives_control_plane(const World& world, const workload::Job& job,
                                          bool state_kept);

/// Whether the job's pods go on while the platform has no controller for them.
[[nodiscard]] bool left_alone(const workload::Job& job);
/// Whether its controller dies with its head.
[[nodiscard]] bool on_head(const World& world, const workload::Job& job);
/// Whether somebody will run its controller, now or when the head is back.
[[nodiscard]] bool head_returns(const World& world, std::uint32_t head);

/// A policy whose process was killed is started again.
void policy_back(World& world, std::uint32_t holder, std::uint32_t drivers);

}  // namespace aftershock::sim::world
