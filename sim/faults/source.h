#pragma once

#include <cstdint>

#include "sim/chance/random_draw.h"
#include "sim/faults/fault_record.h"
#include "sim/scenario/scenario.h"

// When and what stochastic sources strike: functions of scenario and seed alone (design.md 3),
// and of the branch where a world was copied to have another future.
namespace aftershock::sim::faults {

/// The family of random numbers of one fault of the scenario, in one future (RandomKey::branch).
chance::RandomKey fault_key(const scenario::Scenario& scenario, std::uint32_t spec,
                            std::uint64_t branch);

/// The family of random numbers of one node of a pool.
chance::RandomKey node_key(const scenario::Scenario& scenario, std::uint32_t pool,
                           std::uint32_t node, std::uint64_t branch);

/// The occurrence of a source that lists them; null for any other.
const scenario::Occurrence* occurrence_of(const scenario::Scenario& scenario,
                                          const FaultRecord& fault);

/// How many units of the fault's target strike independently at its source's rate.
std::uint32_t units_of(const scenario::Scenario& scenario, const scenario::FaultSpec& fault);

/// Time between the (n-1)th and the nth occurrence of a fault whose units strike so many times as
/// often as one with the mean gap.
std::int64_t draw_gap_us(const scenario::Scenario& scenario, std::uint32_t spec, std::uint64_t nth,
                         std::uint64_t branch, double units);

/// Which of the fault's causes the nth occurrence has, by their weights.
std::uint32_t draw_effect(const scenario::Scenario& scenario, std::uint32_t spec, std::uint64_t nth,
                          std::uint64_t branch);

/// First node slot of a rack, and how many it has.
struct RackSlots {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};
/// The slots of a rack or of a power domain, those that may be provisioned too.
RackSlots rack_slots(const scenario::PoolSpec& pool, std::uint32_t rack);
RackSlots power_domain_slots(const scenario::PoolSpec& pool, std::uint32_t domain);

}  // namespace aftershock::sim::faults
