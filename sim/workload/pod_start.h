#pragma once

#include <cstdint>
#include <optional>

#include "sim/machines/pool.h"
#include "sim/scenario/scenario.h"

namespace aftershock::sim::workload {

/// Pods that start together, one a node.
struct PodStart {
  std::uint32_t pods = 0;      ///< that are made anew
  std::uint32_t fetching = 0;  ///< of their nodes, those that do not hold the image yet
  std::uint32_t of_job = 0;    ///< pods of the job, with those that were kept
};

/// The time of `start` before the first container runs: its nodes fetch the image at once and share
/// the registry, each by no more than `nic_bytes_per_s`; then the platform makes one pod after the
/// other; then it writes the rank table, which lists all pods of the job. 0 where no pod starts,
/// and never more than 100 years.
std::int64_t pod_start_us(const scenario::PodSpec& spec, const PodStart& start,
                          const std::optional<std::int64_t>& nic_bytes_per_s);

/// The same of all pods of a job, on nodes that hold its image or do not.
std::int64_t gang_start_us(const scenario::JobSpec& job, const scenario::PoolSpec& pool,
                           bool fetching);

/// Nodes of a pool that hold the image of a job's pods.
class ImageHolders {
 public:
  /// How many of `nodes` hold none; from now on they all do.
  std::uint32_t fetch(const machines::NodeBits& nodes);
  /// Another machine is in the place of `node`.
  void forget(std::uint32_t node);

 private:
  machines::NodeBits nodes_;  ///< empty until the first fetch
};

}  // namespace aftershock::sim::workload
