#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "policies/api/decision.h"
#include "policies/api/fields.h"
#include "policies/api/rank_set.h"

// Pods as the API server has them. A place of the gang has a number, and a pod or none.
namespace aftershock::policies::pods {

/// The second in which that was: the API has no more digits (metav1.Time).
constexpr TimeUs whole_second(TimeUs at_us) { return at_us - at_us % kSecondUs; }

/// How a pod ended: with an exit code, or by a disruption, which sets its condition
/// DisruptionTarget, or with both.
struct PodEnd {
  std::optional<std::int32_t> exit_code{};
  bool disrupted = false;
};

/// Pods of one template. Those of several follow each other.
struct PodTerms {
  std::uint32_t pods = 0;
  DurationUs grace_us = 30 * kSecondUs;
  DurationUs toleration_us = 300 * kSecondUs;  ///< they stay so long on a node that is not reached
  bool fails_when_gone = false;                ///< one that is evicted, and not before
};

/// Pods to which something happens then.
struct DuePods {
  RankSet pods{};
  TimeUs due_us = 0;
  static constexpr auto fields(auto list) {
    return list(field("pods", &DuePods::pods), field("due_us", &DuePods::due_us));
  }
};

/// All that survives a controller. Each place has a pod of the attempt, or a fresh one that waits
/// for the next, or both.
struct PodObjects {
  RankSet succeeded{};            ///< pods that ended well
  RankSet fresh{};                ///< made anew, and in no attempt yet
  RankSet ended{};                ///< pods of the attempt that failed, or are gone
  RankSet deleted{};              ///< those that are being deleted, and still there
  RankSet unfailed{};             ///< those of them that fail when they are gone
  RankSet staying{};              ///< on lost nodes, and their objects outlive an eviction
  RankSet old{};                  ///< objects of pods of earlier attempts that are still there
  std::vector<DuePods> lost{};    ///< on nodes that are not reached, until they are evicted
  std::vector<DuePods> killed{};  ///< deleted, until their grace is over
  bool live = false;              ///< there is an attempt
  bool unmet = false;             ///< a start failed, and pods that are well wait for the others
};

/// The ends that one event came to, pod by pod.
struct PodChange {
  RankSet failed{};  ///< nobody had deleted them, and they end
  RankSet late{};    ///< they were evicted before, and fail as they are gone
  RankSet gone{};    ///< their objects are gone
  RankSet heard{};   ///< all of which their controller hears
};

/// The ends of pods whose nodes have not been reached for as long as they tolerate.
struct Eviction {
  PodChange change{};
  bool fresh = false;  ///< for some it is the first that a controller hears
  RankSet waiting{};   ///< they fail when they are gone
};

}  // namespace aftershock::policies::pods
