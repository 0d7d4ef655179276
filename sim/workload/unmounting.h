#pragma once

#include <cstddef>
#include <cstdint>

#include "policies/api/commands.h"
#include "sim/scenario/scenario.h"

namespace aftershock::sim::workload {

/// When the volumes of so many pods are unmounted, or nobody waits for it any longer;
/// from the moment of the command on, whose processes are gone after `stopped_us` (modelarts.md 4,
/// rule 7).
std::int64_t unmounted_after_us(const scenario::VolumeSpec& volumes, std::size_t pods,
                                const policies::StopWorkers& command, std::int64_t stopped_us);

}  // namespace aftershock::sim::workload
