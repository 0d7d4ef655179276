#pragma once

#include <cstdint>
#include <utility>

namespace aftershock::sim::scenario {
struct ClusterSpec;
struct ExperimentSpec;
}  // namespace aftershock::sim::scenario

namespace aftershock::sim::experiments {

/// The resources of each trial of an experiment, and the time that its checkpoints take to move
/// where nothing is slow. A trial takes whole nodes, whole accelerators of one node, or a part of
/// one accelerator.
struct TrialShape {
  std::uint32_t nodes_per_trial = 0;  ///< whole nodes; 0: a part of one
  std::uint32_t trials_per_node = 1;
  std::uint32_t trials_per_accelerator = 1;
  std::uint32_t accelerators_per_trial = 1;  ///< of one node; 1 for a part of one
  std::int64_t save_us = 0;                  ///< blocking part and upload
  std::int64_t upload_us = 0;                ///< the upload alone
  std::int64_t load_us = 0;                  ///< download
  std::int64_t link_bytes_per_s = 0;         ///< of the nodes of a trial together
};

/// The shape that follows from what a trial asks for and what nodes of its pool have.
[[nodiscard]] TrialShape shape_of_trials(const scenario::ExperimentSpec& spec,
                                         const scenario::ClusterSpec& cluster);

/// Which accelerator of its node the slot's trial uses first.
[[nodiscard]] std::uint32_t first_accelerator(const TrialShape& shape, std::uint32_t slot);

/// The slots whose trials use this accelerator: [first, end).
[[nodiscard]] std::pair<std::uint32_t, std::uint32_t> slots_using(const TrialShape& shape,
                                                                  std::uint32_t accelerator);

}  // namespace aftershock::sim::experiments
