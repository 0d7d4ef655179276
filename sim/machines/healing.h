#pragma once

#include <cstdint>

#include "policies/api/ids.h"

namespace aftershock::sim::machines {

/// A try at healing an accelerator that is under way.
struct Healing {
  std::uint32_t job = 0;
  policies::CommandId command = 0;
  std::uint32_t pool = 0;
  std::uint32_t node = 0;  ///< of the pool
  std::uint32_t accelerator = 0;
  std::uint32_t fault = 0;
  bool heals = true;
};

}  // namespace aftershock::sim::machines
