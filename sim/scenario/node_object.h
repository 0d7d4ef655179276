#pragma once

#include <cstdint>
#include <optional>

namespace aftershock::sim::scenario {

/// The party that removes what Kubernetes keeps of a node that is lost: its Node object, or the
/// objects of its pods by the taint out-of-service. In the order of the words of its key.
enum class NodeObjectRemover : std::uint8_t { kOperator, kCloud, kNobody };

/// When the objects of a lost node's pods go. Before that they go only when the node's kubelet is
/// back.
struct NodeObjectSpec {
  NodeObjectRemover by = NodeObjectRemover::kOperator;
  /// From the moment on in which the node was declared dead; none, under an operator: as soon as
  /// its pods are evicted.
  std::optional<std::int64_t> after_us{};

  /// Whether objects of pods outlive their eviction.
  [[nodiscard]] bool outlive_eviction() const {
    return by != NodeObjectRemover::kOperator || after_us.has_value();
  }
};

/// From the deletion of a Node object to that of the pods on it (pkg/controller/podgc,
/// gc_controller.go: quarantineTime).
inline constexpr std::int64_t kPodCollectionUs = 40'000'000;

}  // namespace aftershock::sim::scenario
