#pragma once

#include <cstdint>
#include <string>

#include "sim/scenario/network_effect.h"

namespace aftershock::sim::scenario {

/// The kind of a fault's target.
enum class TargetKind : std::uint8_t {
  kNode,
  kAccelerator,
  kRack,
  kPool,  ///< of a stochastic source: any node of it; of a partition: all of it
  kJob,   ///< any rank of the job, drawn when the fault fires
  kRank,
  kHead,
  kExperiment,  ///< one of the trials that run, drawn when the fault fires
  kTrial,
  kStorage,
  kLink,    ///< between two places of the network
  kSwitch,  ///< with all of its links
  kPowerDomain,
  kCluster,  ///< everything, heads too
  kAgent,    ///< the controller's process on one node of a job
};

/// One thing of the cluster or of a job, by its index.
struct Target {
  TargetKind kind = TargetKind::kNode;
  std::uint32_t pool = 0;   ///< for node, accelerator, rack, pool
  std::uint32_t index = 0;  ///< node slot, rack or power domain within the pool
  std::uint32_t accelerator = 0;
  std::uint32_t job = 0;   ///< for job, rank, agent
  std::uint32_t head = 0;  ///< for head
  std::uint32_t rank = 0;
  std::uint32_t agent = 0;       ///< by the node of the job that it runs on, 0 the first
  std::uint32_t experiment = 0;  ///< for experiment, trial
  std::uint32_t trial = 0;
  std::uint32_t storage = 0;
  NamedPlace end;    ///< for link: the one further from the core; for switch
  std::string text;  ///< as written
};

}  // namespace aftershock::sim::scenario
