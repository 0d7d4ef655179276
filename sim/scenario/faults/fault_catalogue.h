#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "sim/scenario/scenario.h"
#include "sim/scenario/shape/shape.h"

namespace aftershock::sim {

/// A kind of fault: what a scenario may say of it, and what it comes to.
struct FaultEntry {
  FaultKind kind;
  std::string_view name;
  std::vector<TargetKind> targets;  ///< of a partition the whole of it, else one within it
  std::vector<Key> parameters;
  std::string_view effect;    ///< what it does to the world
  std::string_view seen;      ///< how, and when, a controller comes to see it
  std::string_view mistaken;  ///< what may be wrongly concluded
};

/// Every fault that is shipped, in the order of FaultKind.
std::span<const FaultEntry> fault_catalogue();

/// The entry of a kind, and its name in scenarios.
const FaultEntry& entry_of(FaultKind kind);
std::string_view name_of(FaultKind kind);

/// Whether it is about accelerators and their codes.
constexpr bool of_device(FaultKind kind) {
  return kind == FaultKind::kAcceleratorFault || kind == FaultKind::kCorrectedEccStorm;
}

/// Whether it is about the network between all of its target and others.
constexpr bool of_network(FaultKind kind) {
  return kind == FaultKind::kPartition ||
         (kind >= FaultKind::kOneWayPartition && kind <= FaultKind::kLinkFlap);
}

/// Whether it is about machines, beside their ending, and about pools that give them out.
constexpr bool of_machine(FaultKind kind) {
  return kind >= FaultKind::kStraggler && kind <= FaultKind::kFalseAlarm;
}

/// Whether a pool that is its target is struck as one, and not one node of it.
constexpr bool strikes_pool(FaultKind kind) {
  return of_network(kind) || kind == FaultKind::kBadReplacement ||
         kind == FaultKind::kCapacityDenial;
}

/// Whether it strikes the nodes of a rack together.
constexpr bool strikes_racks(FaultKind kind) {
  return kind == FaultKind::kNodeCrash || kind == FaultKind::kPreemption || of_network(kind);
}

/// Whether it strikes the switch of any rack of a pool.
constexpr bool strikes_switches(FaultKind kind) { return kind == FaultKind::kPartition; }

/// "node", "job", ...: the target kind as a target begins; "job/rank" for a rank.
std::string_view name_of(TargetKind kind);

/// What is wrong with a word that is no shipped kind of fault.
TextProblem unknown_fault_kind(std::string_view word);

}  // namespace aftershock::sim
