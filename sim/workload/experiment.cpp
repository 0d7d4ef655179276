#include "sim/workload/experiment.h"

#include <algorithm>
#include <limits>

#include "base/assert.h"
#include "sim/engine/transfers.h"

namespace aftershock::sim::workload {

namespace {

constexpr std::int64_t kParts = 10'000;  // of an accelerator

// Trials move their checkpoints one by one, each at what its own links and the storage let through;
// that several do so at a time does not slow them.
std::int64_t transfer_us(std::int64_t bytes, std::int64_t storage_bytes_per_s,
                         std::int64_t link_bytes_per_s) {
  return bytes == 0
             ? 0
             : engine::transfer_length_us(bytes, std::min(storage_bytes_per_s, link_bytes_per_s));
}

std::int64_t links_of(std::uint32_t nodes, const scenario::PoolSpec& pool) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const std::int64_t nic = pool.nic_bytes_per_s.value_or(kMost);
  return nic > kMost / nodes ? kMost : nic * nodes;
}

}  // namespace

void shape_trials(Experiment& experiment, const scenario::ExperimentSpec& spec,
                  const scenario::ClusterSpec& cluster) {
  AFTERSHOCK_ASSERT(spec.accelerators_e4 > 0);
  const scenario::PoolSpec& pool = cluster.pools[spec.pool];
  const std::int64_t parts = spec.accelerators_e4;
  const std::int64_t node = pool.accelerators_per_node * kParts;
  if (parts >= node) {
    experiment.nodes_per_trial = static_cast<std::uint32_t>(parts / node);
    experiment.accelerators_per_trial = pool.accelerators_per_node;
  } else if (parts >= kParts) {
    experiment.accelerators_per_trial = static_cast<std::uint32_t>(parts / kParts);
    experiment.trials_per_node = pool.accelerators_per_node / experiment.accelerators_per_trial;
  } else {
    // A part of one never spans two.
    experiment.trials_per_accelerator = static_cast<std::uint32_t>(kParts / parts);
    experiment.trials_per_node = pool.accelerators_per_node * experiment.trials_per_accelerator;
  }
  if (!spec.checkpoint) {
    return;
  }
  experiment.save_us = spec.checkpoint->blocking_us;
  if (spec.run.storage) {
    const scenario::StorageSpec& storage = cluster.storage[*spec.run.storage];
    experiment.link_bytes_per_s = links_of(std::max(1U, experiment.nodes_per_trial), pool);
    const std::int64_t bytes = spec.checkpoint->bytes;
    experiment.upload_us =
        transfer_us(bytes, storage.write_bytes_per_s, experiment.link_bytes_per_s);
    experiment.save_us += experiment.upload_us;
    experiment.load_us = transfer_us(bytes, storage.read_bytes_per_s, experiment.link_bytes_per_s);
  }
}

std::uint32_t first_accelerator(const Experiment& experiment, std::uint32_t slot) {
  AFTERSHOCK_ASSERT(slot < experiment.trials_per_node);
  return slot / experiment.trials_per_accelerator * experiment.accelerators_per_trial;
}

std::pair<std::uint32_t, std::uint32_t> slots_using(const Experiment& experiment,
                                                    std::uint32_t accelerator) {
  const std::uint32_t first =
      accelerator / experiment.accelerators_per_trial * experiment.trials_per_accelerator;
  return {std::min(first, experiment.trials_per_node),
          std::min(first + experiment.trials_per_accelerator, experiment.trials_per_node)};
}

}  // namespace aftershock::sim::workload
