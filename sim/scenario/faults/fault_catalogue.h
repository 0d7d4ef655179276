#pragma once

#include <span>
#include <string_view>

#include "sim/scenario/faults/fault_entry.h"
#include "sim/scenario/scenario.h"

namespace aftershock::sim::scenario {

/// Every fault that is shipped, in the order of FaultKind.
std::span<const FaultEntry> fault_catalogue();

/// The entry of a kind, and its name in scenarios.
const FaultEntry& entry_of(FaultKind kind);
std::string_view name_of(FaultKind kind);

/// The traits of a kind by themselves, for algorithms over kinds.
inline bool of_device(FaultKind kind) { return entry_of(kind).traits.of_device; }
inline bool of_network(FaultKind kind) { return entry_of(kind).traits.of_network; }
inline bool strikes_pool(FaultKind kind) { return entry_of(kind).traits.strikes_pool; }
inline bool strikes_racks(FaultKind kind) { return entry_of(kind).traits.strikes_racks; }
inline bool strikes_switches(FaultKind kind) { return entry_of(kind).traits.strikes_switches; }

/// "node", "job", ...: the target kind as a target begins; "job/rank" for a rank, "job/agent" for
/// an agent.
std::string_view name_of(TargetKind kind);

/// The error for a word that matches no shipped kind of fault.
TextProblem unknown_fault_kind(std::string_view word);

}  // namespace aftershock::sim::scenario
