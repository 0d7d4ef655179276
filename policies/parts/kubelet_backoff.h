#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "policies/api/fields.h"
#include "policies/api/ids.h"

namespace aftershock::policies {

/// The waits of the kubelets before they start a container of a pod again (Kubernetes
/// documentation, Pod Lifecycle: how Pods handle problems with containers; client-go,
/// util/flowcontrol/backoff.go). The first restart comes at once, those that follow after 10, 20,
/// 40, 80, 160 and 300 s; when one has lasted for 10 min the next is a first one again.
struct KubeletBackoff {
  static constexpr DurationUs kFirstUs = 10 * kSecondUs;
  static constexpr DurationUs kLongestUs = 300 * kSecondUs;

  /// The restarts of one pod's container.
  struct Pod {
    DurationUs wait_us = 0;  ///< before its next restart; 0: it has had none
    TimeUs since_us = 0;     ///< of its last restart
    static constexpr auto fields(auto list) {
      return list(field("wait_us", &Pod::wait_us), field("since_us", &Pod::since_us));
    }
  };

  /// When the container of the pod, which ended at `ended_us`, starts again.
  TimeUs restart_us(std::size_t pod, TimeUs ended_us) {
    pods.resize(std::max(pods.size(), pod + 1));
    Pod& one = pods[pod];
    const bool first = one.wait_us == 0 || ended_us - one.since_us > 2 * kLongestUs;
    one.since_us = first ? ended_us : ended_us + one.wait_us;
    one.wait_us = first ? kFirstUs : std::min(2 * one.wait_us, kLongestUs);
    return one.since_us;
  }

  std::vector<Pod> pods{};  ///< by pod; those that never restarted may be missing
  static constexpr auto fields(auto list) { return list(field("pods", &KubeletBackoff::pods)); }
};

}  // namespace aftershock::policies
