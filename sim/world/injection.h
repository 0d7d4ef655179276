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

/// Faults.
void plan_faults(World& world);
void expose_clocks(World& world);
void turn_clocks(World& world, const workload::Job& job, bool trains);
/// `trial`: whose step it is, of a fault that waits for the steps of trials. `unit`: of its
/// source, where that is known.
void strike(World& world, std::uint32_t spec, std::uint64_t nth,
            std::optional<std::uint32_t> trial = {}, std::optional<std::uint32_t> unit = {});

/// By kind: the ends of nodes and processes; machine_faults.h and network_faults.h have the others.
bool crash_node(World& world, std::uint32_t number);
bool preempt(World& world, std::uint32_t number);
bool crash_worker(World& world, std::uint32_t number);
bool hang(World& world, std::uint32_t number);

/// Faults of drivers, storage and reports.
bool exhaust_memory(World& world, std::uint32_t number);
bool fill_disk(World& world, std::uint32_t number);
bool interrupt(World& world, std::uint32_t number);
void press(World& world, std::uint32_t number, std::uint32_t driver_run, std::uint32_t left);
bool tear_snapshot(World& world, std::uint32_t number);
bool arm_upload_fault(World& world, std::uint32_t number);
bool arm_report_fault(World& world, std::uint32_t number);
bool break_hook(World& world, std::uint32_t number);
bool unshare_storage(World& world, std::uint32_t number);
bool delete_checkpoint(World& world, std::uint32_t number);
bool spoil_snapshot(World& world, std::uint32_t number);
bool crash_policy(World& world, std::uint32_t number);
void raise_in(World& world, workload::Job& job, policies::RankSet ranks, std::uint32_t fault,
              std::string error);
void hang_over(World& world, std::uint32_t number);
void fire(World& world, std::uint32_t number);
[[nodiscard]] workload::Job* job_on(World& world, const faults::FaultRecord& fault);
void show_process_failure(const World& world, const faults::FaultRecord& fault,
                          detection::RankFailure& failure);
void stay_down(World& world, std::uint32_t pool, std::uint32_t node, std::uint32_t number,
               std::optional<std::int64_t> lasts_us);

}  // namespace aftershock::sim::world
