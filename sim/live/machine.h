#pragma once

#include <vector>

#include "sim/live/plan.h"
#include "sim/scenario/scenario.h"

namespace aftershock::sim::live {

/// The means that this machine and user give to faults.
struct Means {
  bool namespaces = false;      ///< of the network and of mounts, for each run
  bool memory_cgroups = false;  ///< may be made
};

/// Those that are there now.
Means means_here();

/// The faults that want more, with their places.
std::vector<Refusal> beyond_means(const scenario::Scenario& scenario, const Means& means);

}  // namespace aftershock::sim::live
