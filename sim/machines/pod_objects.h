#pragma once

#include <cstdint>
#include <vector>

#include "policies/api/rank_set.h"

namespace aftershock::sim::machines {

/// Pods of an attempt on a node that was declared dead, whose objects Kubernetes keeps.
struct KeptPods {
  std::uint32_t number = 0;  ///< counts all of the run, from 1
  std::uint32_t job = 0;
  std::uint32_t pool = 0;
  std::uint32_t node = 0;
  policies::RankSet ranks{};
  bool removal_planned = false;
};

/// The objects that Kubernetes keeps of pods on lost nodes. It owns their numbers, and which of
/// them somebody will remove; the cluster's rule says who does, and when.
class PodObjects {
 public:
  /// The pods of a job on a node are kept; their number.
  std::uint32_t keep(std::uint32_t job, std::uint32_t pool, std::uint32_t node,
                     policies::RankSet ranks);
  /// Somebody will remove those of that number, which must be there.
  void plan_removal(std::uint32_t number);
  /// Those of that number, which are kept no more; at most one.
  std::vector<KeptPods> take(std::uint32_t number);
  /// Those on a node, which are kept no more, in the order in which they came.
  std::vector<KeptPods> take_on(std::uint32_t pool, std::uint32_t node);
  /// Those of a job on a node of its pool are kept no more.
  void forget(std::uint32_t job, std::uint32_t node);

  /// All that are kept, by their numbers.
  [[nodiscard]] const std::vector<KeptPods>& all() const { return kept_; }
  /// The numbers of those on a node that nobody will remove.
  [[nodiscard]] std::vector<std::uint32_t> left_on(std::uint32_t pool, std::uint32_t node) const;
  /// The first of a job that nobody will remove; null: there are none.
  [[nodiscard]] const KeptPods* left_of(std::uint32_t job) const;

 private:
  std::vector<KeptPods> kept_;  ///< by number
  std::uint32_t last_number_ = 0;
};

}  // namespace aftershock::sim::machines
