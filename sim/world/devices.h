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

/// Accelerators that break, and attempts that start on such. `lasts_us`: none where nothing is
/// said; it is then out of order for good if it needs more than a reset.
bool break_accelerator(World& world, std::uint32_t number);
[[nodiscard]] workload::Job* watcher(World& world, std::uint32_t pool, std::uint32_t node);
void fail_accelerator(World& world, std::uint32_t number, std::optional<std::int64_t> lasts_us);
void use_devices(World& world, workload::Job& job, DeviceUse use);

/// Nodes that a policy takes out of use, and chips that it has healed.
void isolate_node(World& world, workload::Job& job, const policies::IsolateNode& command);
void release_node(World& world, workload::Job& job, const policies::ReleaseNode& command);
void self_heal(World& world, workload::Job& job, const policies::SelfHeal& command);
void healing_over(World& world, workload::Job& job, const engine::Entry& entry);
void tell_device_fault(World& world, workload::Job& job, std::uint32_t fault);

/// Repairs of nodes and their devices.
void repair_device(World& world, std::uint32_t fault);
void accelerator_back(World& world, std::uint32_t fault);
void begin_repairs(World& world);
void health_check(World& world, std::uint32_t fault);
void begin_repair(World& world, std::uint32_t pool, std::uint32_t node);
void isolation_over(World& world, std::uint32_t pool, std::uint32_t node);
void node_back(World& world, std::uint32_t pool, std::uint32_t node);

/// Errors that are corrected until one is not.
bool begin_storm(World& world, std::uint32_t number);
void storm_error(World& world, const engine::Entry& entry);
void storm_error(World& world, std::uint32_t number, std::uint32_t nth);

/// The node of the job's own pool that the policy means, where it is one.
[[nodiscard]] std::optional<std::uint32_t> own_node(const World& world, const workload::Job& job,
                                                    policies::NodeId node);

}  // namespace aftershock::sim::world
