#include "sim/experiments/trial_shape.h"

#include <algorithm>
#include <limits>

#include "base/assert.h"
#include "sim/engine/transfers.h"
#include "sim/scenario/scenario.h"

namespace aftershock::sim::experiments {

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

TrialShape shape_of_trials(const scenario::ExperimentSpec& spec,
                           const scenario::ClusterSpec& cluster) {
  AFTERSHOCK_ASSERT(spec.accelerators_e4 > 0);
  TrialShape shape;
  const scenario::PoolSpec& pool = cluster.pools[spec.pool];
  const std::int64_t parts = spec.accelerators_e4;
  const std::int64_t node = pool.accelerators_per_node * kParts;
  if (parts >= node) {
    shape.nodes_per_trial = static_cast<std::uint32_t>(parts / node);
    shape.accelerators_per_trial = pool.accelerators_per_node;
  } else if (parts >= kParts) {
    shape.accelerators_per_trial = static_cast<std::uint32_t>(parts / kParts);
    shape.trials_per_node = pool.accelerators_per_node / shape.accelerators_per_trial;
  } else {
    // A part of one never spans two.
    shape.trials_per_accelerator = static_cast<std::uint32_t>(kParts / parts);
    shape.trials_per_node = pool.accelerators_per_node * shape.trials_per_accelerator;
  }
  if (!spec.checkpoint) {
    return shape;
  }
  shape.save_us = spec.checkpoint->blocking_us;
  if (spec.run.storage) {
    const scenario::StorageSpec& storage = cluster.storage[*spec.run.storage];
    shape.link_bytes_per_s = links_of(std::max(1U, shape.nodes_per_trial), pool);
    const std::int64_t bytes = spec.checkpoint->bytes;
    shape.upload_us = transfer_us(bytes, storage.write_bytes_per_s, shape.link_bytes_per_s);
    shape.save_us += shape.upload_us;
    shape.load_us = transfer_us(bytes, storage.read_bytes_per_s, shape.link_bytes_per_s);
  }
  return shape;
}

std::uint32_t first_accelerator(const TrialShape& shape, std::uint32_t slot) {
  AFTERSHOCK_ASSERT(slot < shape.trials_per_node);
  return slot / shape.trials_per_accelerator * shape.accelerators_per_trial;
}

std::pair<std::uint32_t, std::uint32_t> slots_using(const TrialShape& shape,
                                                    std::uint32_t accelerator) {
  const std::uint32_t first =
      accelerator / shape.accelerators_per_trial * shape.trials_per_accelerator;
  return {std::min(first, shape.trials_per_node),
          std::min(first + shape.trials_per_accelerator, shape.trials_per_node)};
}

}  // namespace aftershock::sim::experiments
