#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "policies/api/commands.h"
#include "sim/machines/pool.h"
#include "sim/workload/pod_start.h"

namespace aftershock::sim::workload {

/// Nodes that a failed start left reserved, and whose workers idle there.
struct Leak {
  machines::Placement placement;
  std::int64_t since_us = 0;
  std::int64_t accelerators = 0;
};

/// The containers of a job's attempt, and which of its ranks are being replaced.
struct JobPods {
  bool kept = false;              ///< its containers stay, and no process runs in them
  std::uint32_t healings = 0;     ///< tries at healing that the job waits for
  bool set_up = false;            ///< its containers were made ready at least once
  bool reused = false;            ///< the attempt runs in containers that were kept, and were
  bool recreating = false;        ///< pods of some ranks wait for nodes of their own
  bool awaits_pods = false;       ///< the others wait until those are set up
  bool stopped_unplaced = false;  ///< it was stopped while they waited
  ImageHolders images;            ///< of its pods
  policies::RankSet podless;  ///< ranks whose containers are gone while those of others are kept
  std::vector<policies::PodEnv> pod_env;       ///< of this attempt; none: its policy has no pods
  std::vector<policies::PodEnv> next_pod_env;  ///< of the attempt that waits for nodes
  bool replacing = false;                      ///< of some ranks, while the others wait
  policies::RankSet replaced;
  std::vector<Leak> leaks;
  /// When the agents of its nodes start the attempt's workers; none where its nodes have no agents.
  std::optional<std::int64_t> launched_us;
};

}  // namespace aftershock::sim::workload
