#include "sim/workload/pod_start.h"

#include <algorithm>

#include "sim/scenario/text/units.h"

namespace aftershock::sim::workload {

namespace {

// Bytes times nodes times a million do not fit into 64 bits.
__extension__ using Wide = __int128;

Wide fetch_us(const scenario::PodSpec& spec, std::uint32_t nodes,
              const std::optional<std::int64_t>& nic_bytes_per_s) {
  constexpr Wide kMicrosASecond = 1'000'000;
  const auto divided = [](Wide bytes, std::int64_t bytes_per_s) {
    return (bytes * kMicrosASecond + bytes_per_s - 1) / bytes_per_s;
  };
  Wide us = 0;
  if (spec.registry_bytes_per_s) {
    us = divided(Wide{spec.image_bytes} * nodes, *spec.registry_bytes_per_s);
  }
  if (nic_bytes_per_s) {
    // Nodes fetch at once: they share the registry and each has its own link, so that the slower of
    // the two holds up all.
    us = std::max(us, divided(spec.image_bytes, *nic_bytes_per_s));
  }
  return us;
}

}  // namespace

std::int64_t pod_start_us(const scenario::PodSpec& spec, const PodStart& start,
                          const std::optional<std::int64_t>& nic_bytes_per_s) {
  if (start.pods == 0) {
    return 0;
  }
  const Wide us = (start.fetching > 0 ? fetch_us(spec, start.fetching, nic_bytes_per_s) : 0) +
                  Wide{spec.each_us} * start.pods + Wide{spec.rank_table_us} * start.of_job;
  return static_cast<std::int64_t>(std::min<Wide>(us, scenario::kHundredYearsUs));
}

std::int64_t gang_start_us(const scenario::JobSpec& job, const scenario::PoolSpec& pool,
                           bool fetching) {
  const std::uint32_t per_node = pool.accelerators_per_node;
  const std::uint32_t pods = (job.workers + per_node - 1) / per_node;
  return pod_start_us(job.pods, {.pods = pods, .fetching = fetching ? pods : 0, .of_job = pods},
                      pool.nic_bytes_per_s);
}

std::uint32_t ImageHolders::fetch(const machines::NodeBits& nodes) {
  nodes_.resize(nodes.size());
  const auto missing = static_cast<std::uint32_t>((nodes - nodes_).count());
  nodes_ |= nodes;
  return missing;
}

void ImageHolders::forget(std::uint32_t node) {
  if (node < nodes_.size()) {
    nodes_.reset(node);
  }
}

}  // namespace aftershock::sim::workload
