#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "sim/scenario/scenario.h"

namespace aftershock::sim::chaos {

/// The kind of target of a family of faults.
enum class Aim : std::uint8_t {
  kProcess,  ///< the process of a rank, or the accelerator that it uses
  kNode,
  kHead,
  kSaves,        ///< the job's saves
  kCommitted,    ///< its saves that count
  kStorage,      ///< the storage that it saves to
  kRack,         ///< all nodes of a rack
  kReplacement,  ///< the machines that a pool gives out in place of others
  kMessages,     ///< the messages to the job's controller
};

/// A column of the recovery matrix: a fault of chaos.md 5.6 as a scenario writes it.
struct FaultFamily {
  std::string_view id;    ///< "F03"; a letter behind it where one fault is several here
  std::string_view name;  ///< in words
  Aim aim;
  scenario::FaultKind kind;
  std::string_view gpu;  ///< members of the fault beside kind and target, on GPUs
  std::string_view npu;  ///< the same on NPUs
  /// Nobody waits for a rank that hangs, unless it trains or meets the others.
  bool needs_waiters = false;
  /// Nobody is told by a device, unless the policy watches nodes.
  bool needs_watcher = false;
  /// Nobody is told that a job hangs, unless somebody looks whether it does.
  bool needs_look = false;
};

/// All columns, in the order of their ids.
std::span<const FaultFamily> fault_families();

}  // namespace aftershock::sim::chaos
