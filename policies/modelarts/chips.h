#pragma once

#include <cstdint>

#include "policies/api/events.h"
#include "policies/modelarts/config.h"
#include "policies/modelarts/memory.h"

// The meaning of a chip fault for a job, before anything is done about it.
namespace aftershock::policies::modelarts {

/// The action to take on a chip fault (modelarts.md 1.2, rows 2 to 5 and 7 of 1.3).
enum class ChipVerdict : std::uint8_t {
  kNothing,           ///< a hint
  kUnlistedMinor,     ///< no list knows it, and it is minor or of a network port
  kHeal,              ///< try to heal it in place
  kThird,             ///< it could heal, but it is the third time
  kThirdUser,         ///< and users cause it
  kCritical,          ///< it cannot heal
  kUnlistedCritical,  ///< no list knows it
  kGpuApplication,    ///< a GPU's that ends the application and no more
  kGpu,               ///< any other of a GPU
};

/// Whether users cause the fault (A6). `memory` has what hit other chips lately.
bool caused_by_user(const Config& config, const Memory& memory, const DeviceFault& fault,
                    TimeUs at_us);

/// Judges a fault that was reported at `at_us`, and counts it where it can heal.
ChipVerdict judge(const Config& config, Memory& memory, const DeviceFault& fault, TimeUs at_us);

}  // namespace aftershock::policies::modelarts
