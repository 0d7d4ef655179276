#pragma once

#include <cstdint>
#include <vector>

#include "sim/import/trace.h"

namespace aftershock::sim::imports {

/// The figures measured on a trace. Shares are of 1.
struct TraceFigures {
  std::int64_t faults = 0;   ///< as the trace has them
  std::int64_t outages = 0;  ///< once overlaps on a node are merged
  std::uint32_t nodes = 0;   ///< of the cluster
  std::uint32_t nodes_named = 0;
  std::int64_t repaired = 0;       ///< faults with an end
  double repair_mean_us = 0;       ///< of those
  double repair_median_us = 0;     ///< the middle one, or the mean of the two in the middle
  double longer_than_day = 0;      ///< share of them
  double unavailability = 0;       ///< node time down / (nodes * observed)
  std::int64_t observed_us = 0;    ///< from clock zero
  double down_mean = 0;            ///< nodes down at once, from the first event to the last
  std::int64_t down_p99 = 0;       ///< for 99 % of that time there were no more
  double up_mean = 0;              ///< nodes up, from clock zero to the last event
  std::int64_t up_most = 0;        ///< at once
  std::int64_t until_last_us = 0;  ///< clock zero to the last event
};

/// Measures a trace on a cluster of so many nodes.
TraceFigures figures_of(const Trace& trace, std::uint32_t nodes);

/// How many nodes are up during all but this share of the observed time; at least 1.
std::uint32_t nodes_nearly_always_up(const Trace& trace, std::uint32_t nodes, double share);

}  // namespace aftershock::sim::imports
